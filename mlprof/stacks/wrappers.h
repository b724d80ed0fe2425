/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds wrappers of allocators, for example xmalloc or std::allocator's allocate, in
   the stacks of a heap. Memory is then charged to the function that called the
   wrapper. Used by report.c and groups/.

   A function receives a block if it called the allocator, or if it called a function
   that received the block and returned it. The tables say which calls return blocks
   (blockcalls, below). A wrapper is a function that returns every block that it
   receives.

   groups/grouping-calls.c uses the same calls to find the types of blocks. There,
   each call is treated separately. Here, a function that does not return one of its
   blocks is charged with all its blocks. */

#ifndef MLPROF_WRAPPERS_H
#define MLPROF_WRAPPERS_H

#include "mlprof/stacks/stacks.h"
#include "mlprof/stacks/stacks-filter.h"

/* Description of a call that returns a block of memory, from the tables
   (doc/tables.md, "Types of blocks"). All zero: the tables have no description. */
struct blockcalls_info {
    const char *type; /* type of the block; NULL: unknown here */
    bool returned;    /* the calling function returns the block */
};

struct blockcalls;

/* Collects the calls of all modules of PROGRAM. PROGRAM must live as long as the
   result. The caller frees the result with blockcalls_free. */
struct blockcalls *blockcalls_new(const struct program *program,
                                  const struct stacks *stacks);

/* Returns the description of the call at NODE, a frame of a module. STACKS must be
   the same as for blockcalls_new. */
struct blockcalls_info blockcalls_at(struct blockcalls *calls,
                                     const struct stacks *stacks, uint32_t node);

void blockcalls_free(struct blockcalls *calls);

/* The functions that are wrappers in the compared runs. Ensures that a function is a
   wrapper in all runs or in none. All members start as zero. */
struct wrappers_runs {
    struct intern functions;
    unsigned char *known; /* by function */
    size_t capacity;
};

struct wrappers_options {
    /* Functions that match these patterns are not wrappers. NULL: no function is a
       wrapper. */
    const struct patterns *shown;
    struct wrappers_runs *runs; /* NULL: runs are not compared */
};

struct wrappers {
    struct stacks_moves moves; /* TO is NULL if there are no wrappers */
    /* Names of the wrappers whose blocks move, for example `f, g, 3 more'. NULL: there
     * are none. */
    char *names;
};

/* Finds the wrappers in STACKS, and records the known facts about each function in
   OPTIONS->runs. A node of STACKS with values of any measure received a block. If no
   profiled function is around a wrapper, the wrapper's blocks are charged to the wrapper
   itself. */
void wrappers_find(struct wrappers *wrappers, const struct stacks *stacks,
                   const struct program *program, const struct wrappers_options *options,
                   const struct names_style *style);

/* Returns whether a function was a wrapper in one run but not in another run. From
   now on, such a function is not a wrapper in any run. The caller must then evaluate
   all runs again. */
bool wrappers_differ(struct wrappers_runs *runs);

void wrappers_free_runs(struct wrappers_runs *runs);

void wrappers_free(struct wrappers *wrappers);

#endif
