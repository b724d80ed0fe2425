/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the elements of an array by a number that each has, so that callers find those
   of one group without a look at the others.  */

#ifndef MLPROF_GROUPS_H
#define MLPROF_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/* Those of group G are MEMBERS[FIRST[G]] up to, not with, MEMBERS[FIRST[G + 1]], in the
   order of the array.  */
struct groups {
    size_t *first;
    size_t *members; /* indices of the array */
};

/* Fills GROUPS, which groups_free frees, with 0 to GROUP_COUNT - 1.  GROUP_OF has COUNT
   elements; one that is no group's number belongs to none.  */
void groups_make(struct groups *groups, size_t group_count, const uint32_t *group_of,
                 size_t count);

void groups_free(struct groups *groups);

#endif
