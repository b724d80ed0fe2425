/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train-values: marks what GCC's own profile has beside arcs, for train.cc: whom the
   indirect calls of a function call, and if it is asked for which divisors and sizes are
   frequent, and in which order the functions of an executable or shared object are first
   executed.  A variable stands for each.  The runtime is told of a call as of others
   (targets.h), and of an operand as if its value were called; the variable of a first
   execution is written as if it had counted.

   Source: GCC's value-prof.cc (gimple_find_values_to_profile) and tree-profile.cc
   (gimple_gen_time_profiler).  */

#ifndef CCPROF_TRAIN_VALUES_H
#define CCPROF_TRAIN_VALUES_H

#include "plugin/train/train.h"

/* Finds what values a .gcda file has of the current function, in its order, and puts them
   into FUNCTION.  If GCC finds some values and not all kinds that it looks for, it takes
   what is behind the end of one list for another (profile.cc, compute_value_histograms),
   or says that the profile is corrupted (value-prof.cc, check_counter): mlprof writes
   them all.  */
void train_values_find(struct train_function *function);

/* Marks those that are told.  FLOW is the function's number (train_keep).  */
void train_values_mark(uint64_t flow, const struct train_function *function);

/* Write two tables at the end of the unit, as those of emit.h do: of the variables, and
   of the functions that may be called through a pointer.  */
bool train_values_any(void);
void train_values_emit(const char *unit);

#endif
