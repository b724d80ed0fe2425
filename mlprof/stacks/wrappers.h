/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds wrappers of allocators, like xmalloc and std::allocator's allocate, in the stacks
   of a heap, so that what was allocated belongs to the function that called them.  For
   evaluate/evaluate.c and rows/heaprows.c.

   A function meets a block if it called the allocator, or a function that met the block
   and returns it there, by what the tables say of calls (blockcalls.h).  A wrapper is a
   function that returns each block that it has met.  So it is the same calls from which
   the type of a block is looked for around (groups/grouping-types.c), except that a
   function that keeps one block keeps all.  */

#ifndef MLPROF_WRAPPERS_H
#define MLPROF_WRAPPERS_H

#include "mlprof/stacks/stacks-filter.h"

struct wrappers {
    struct stacks_moves moves; /* without TO if there are no wrappers */
    char
        *names; /* of those with blocks that move: `f, g, 3 more'; NULL: there are none */
};

/* Finds the wrappers in STACKS, whose nodes have as counts all that was allocated there.
   Those that SHOWN means are none.  A wrapper without a profiled function around it keeps
   its blocks.  */
void wrappers_find(struct wrappers *wrappers, const struct stacks *stacks,
                   const struct program *program, const struct patterns *shown,
                   const struct names_style *style);

void wrappers_free(struct wrappers *wrappers);

#endif
