/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes functions out of the tables, as if the compiler had excluded them, for
   evaluate.c: all readers of the tables then charge their cost to their callers.  */

#ifndef MLPROF_UNPROFILE_H
#define MLPROF_UNPROFILE_H

#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

/* Takes out of the COUNT tables, some of which may be NULL, the functions that match
   PATTERN (names_match).  To be called before the tables are asked for functions.  False
   and FAULT if no function matches; nothing is done if PATTERN is empty.  */
bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               const struct names_style *style, struct fault *fault);

/* Checks that the time of functions that were taken out can be charged to callers.  A
   sample of the kind time-field has the local stack that was executed and not its caller;
   if -unprofile has taken out all of the local stack, the caller is not known, which
   would have the time had the function been excluded on compilation.  False and FAULT if
   PROFILE has such samples, except in main, which nobody calls.  */
bool unprofile_has_callers(const struct program *program, const struct profile *profile,
                           const struct pattern *pattern, struct fault *fault);

/* Folds artificial functions into the functions that they are inlined in.  To be called
   before the tables are asked for functions.  */
void unprofile_artificial(struct tables *const *tables, size_t count);

#endif
