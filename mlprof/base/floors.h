/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds in a sorted list of numbers, such as addresses at which functions start, the last
   one that is not above another.  A table of where the numbers of each of many equal
   ranges begin makes a search, which in a plain list goes through memory in leaps, most
   often one look.  */

#ifndef MLPROF_FLOORS_H
#define MLPROF_FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as all zero.  */
struct floors {
    uint64_t *list; /* in increasing order */
    size_t count;
    unsigned shift;   /* each range has 1 << SHIFT numbers, the first begins at LIST[0] */
    uint32_t *begins; /* by range, and one behind: the first of the list that is in it */
};

/* Takes LIST, of COUNT numbers, less than 4 G.  */
void floors_make(struct floors *floors, uint64_t *list, size_t count);

/* The place in the list of the last number that is not above VALUE; false if there is
   none.  */
bool floors_find(const struct floors *floors, uint64_t value, size_t *place);

void floors_free(struct floors *floors);

#endif
