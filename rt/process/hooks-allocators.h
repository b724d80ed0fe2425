/* SPDX-License-Identifier: MIT */
/* The functions of the program's allocator, and what takes their place.  A program gets
   at them through slots, and through dlsym and dlvsym.  Only hooks-got.c uses this.  */

#ifndef CCPROF_HOOKS_ALLOCATORS_H
#define CCPROF_HOOKS_ALLOCATORS_H

#include "rt/process/hooks-module.h"

/* Finds the allocator that the program uses.  Returns false if the program itself has it:
   the program calls its own functions without a slot.  Constructor.  */
bool ccprof_hooks_allocators_start(void);

/* Returns what takes the place of the function NAME where the heap is measured, or null.
   OWN tells that the module itself has the function: then its dlsym is left alone.  */
ccprof_hooks_function ccprof_hooks_allocators_find(const char *name, bool own);

/* Returns whether the module has an allocator of its own, or one of its slots leads to
   another allocator than the one that the program uses.  What that has allocated it must
   free, too; and what an allocator calls for its own purposes is no business of the
   program.  */
bool ccprof_hooks_allocators_has_other(const struct ccprof_hooks_module *module);

/* Returns what tells how many bytes the allocator has in use, at least, or null.  That
   locks the allocator.  */
uint64_t (*ccprof_hooks_allocators_in_use(void))(void);

/* Returns the address of the [heap] behind all that the allocator has given there so far.
   Constructor, if the function above returns one.  */
uint64_t ccprof_hooks_allocators_first(void);

#endif
