/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds wrappers of allocators, like xmalloc and std::allocator's allocate, in the stacks
   of a heap, so that memory belongs to the function that called the wrapper.  For
   evaluate/evaluate.c.

   A function receives a block if it called the allocator, or if it called a function that
   received the block and returned it.  The tables say which calls return blocks
   (blockcalls, below).  A wrapper is a function that returns each block that it receives.
   The types of blocks are found by the same calls (groups/grouping-calls.c), but there
   each call counts alone: here a function that keeps one block keeps all its blocks.  */

#ifndef MLPROF_WRAPPERS_H
#define MLPROF_WRAPPERS_H

#include "mlprof/stacks/stacks.h"
#include "mlprof/stacks/stacks-filter.h"

/* What the tables say of a call that returns a block of memory (doc/tables.md, "Types of
   blocks").  All zero: nothing.  */
struct blockcalls_info {
    const char *type; /* of the block; NULL: not known here */
    bool returned;    /* the function of the call returns the block */
};

struct blockcalls;

/* The calls of all modules of PROGRAM, which must live as long; to be freed.  */
struct blockcalls *blockcalls_new(const struct program *program,
                                  const struct stacks *stacks);

/* What the tables say of the call at NODE, a frame of a module.  STACKS are those of
   blockcalls_new.  */
struct blockcalls_info blockcalls_at(struct blockcalls *calls,
                                     const struct stacks *stacks, uint32_t node);

void blockcalls_free(struct blockcalls *calls);

/* Which functions are wrappers in the runs that are compared, so that a function is a
   wrapper in all runs or in none.  Starts as all zero.  */
struct wrappers_runs {
    struct intern functions;
    unsigned char *known; /* by function */
    size_t capacity;
};

struct wrappers_options {
    /* Functions that these mean are no wrappers; NULL: no function is one.  */
    const struct patterns *shown;
    struct wrappers_runs *runs; /* NULL: nothing is compared */
};

struct wrappers {
    struct stacks_moves moves; /* without TO if there are no wrappers */
    char
        *names; /* of those with blocks that move: `f, g, 3 more'; NULL: there are none */
};

/* Finds the wrappers in STACKS, whose nodes have as counts all that was allocated there,
   and notes in OPTIONS->runs what is known of each.  A wrapper without a profiled
   function around it keeps its blocks.  */
void wrappers_find(struct wrappers *wrappers, const struct stacks *stacks,
                   const struct program *program, const struct wrappers_options *options,
                   const struct names_style *style);

/* Whether a function was a wrapper in one run but not in another.  If so, it is not a
   wrapper in any run from now on, and the caller must evaluate all runs again.  */
bool wrappers_differ(struct wrappers_runs *runs);

void wrappers_free_runs(struct wrappers_runs *runs);

void wrappers_free(struct wrappers *wrappers);

#endif
