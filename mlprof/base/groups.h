/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the elements of an array by a number that each has, so that callers find the
   elements of a group without looking at the others.  */

#ifndef MLPROF_GROUPS_H
#define MLPROF_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/* The members of group G are MEMBERS[FIRST[G]] to MEMBERS[FIRST[G + 1] - 1], in the order
   of the array.  */
struct groups {
    size_t *first;
    size_t *members; /* indices into the array */
};

/* Fills GROUPS, which groups_free frees.  GROUP_OF has, by element, the number of its
   group, 0 to GROUP_COUNT - 1; an element with a greater number is in no group.  */
void groups_make(struct groups *groups, size_t group_count, const uint32_t *group_of,
                 size_t count);

/* The same where the number is MEMBER of each element of ARRAY, a uint32_t.  */
#define GROUPS_BY(groups, group_count, array, member, count)                             \
    groups_by((groups), (group_count), (array), offsetof(__typeof__(*(array)), member),  \
              sizeof *(array), (count))
void groups_by(struct groups *groups, size_t group_count, const void *array,
               size_t offset, size_t stride, size_t count);

void groups_free(struct groups *groups);

#endif
