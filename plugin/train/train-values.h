/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train-values: marks what GCC's own profile has beside arcs, for train.cc: whom the
   indirect calls of a function call, and in which order the functions of an executable or
   shared object are first executed.  Each is told to the runtime as the target of a call
   is (targets.h), of a variable that stands for the call or for the function's start.

   Source: GCC's value-prof.cc (gimple_find_values_to_profile) and tree-profile.cc
   (gimple_gen_time_profiler).  */

#ifndef CCPROF_TRAIN_VALUES_H
#define CCPROF_TRAIN_VALUES_H

/* Appends the calls of the current function whose targets a .gcda file has, in its order.
   Gives how many other values it has that GCC reads as lists of the most frequent ones:
   if it finds no list it takes what is behind the end of another for one (GCC:
   profile.cc, compute_value_histograms).  */
unsigned train_values_find(vec<gimple *> *indirect);

/* Marks these calls of the current function, and its start.  FLOW is its number
   (train_keep).  */
void train_values_mark(uint64_t flow, const vec<gimple *> &indirect);

/* The tables, at the end of the unit, as in emit.h: of the variables, and of the
   functions that may be called by a pointer.  */
bool train_values_any(void);
void train_values_emit(const char *unit);

#endif
