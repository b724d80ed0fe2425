/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds in a sorted list of numbers, for example start addresses of functions, the last
   number that is not above a given one.  A table of the places where equal ranges of
   numbers begin makes this mostly one look; a binary search would go through memory in
   leaps.  */

#ifndef MLPROF_FLOORS_H
#define MLPROF_FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as all zero.  */
struct floors {
    uint64_t *list; /* in increasing order */
    size_t count;
    /* Each range has 1 << SHIFT numbers; the first range begins at LIST[0].  */
    unsigned shift;
    uint32_t *begins; /* by range, and one more: the place in LIST of its first number */
};

/* Takes LIST of COUNT numbers, fewer than 4 G, which must live as long as FLOORS.  */
void floors_make(struct floors *floors, uint64_t *list, size_t count);

/* Sets *PLACE to the place of the last number in LIST that is not above VALUE; false if
   there is none.  */
bool floors_find(const struct floors *floors, uint64_t value, size_t *place);

void floors_free(struct floors *floors);

#endif
