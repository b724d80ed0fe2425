/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes functions out of the tables, as if the compiler had excluded them: whatever reads
   the tables afterwards charges what they cost to their callers.  */

#ifndef MLPROF_UNPROFILE_H
#define MLPROF_UNPROFILE_H

#include "mlprof/base/pattern.h"
#include "mlprof/program/program.h"

/* Takes the functions that match PATTERN, with names as LONG_NAME says, out of the COUNT
   tables, some of which may be NULL; before a function of them is spelt out.  A FAULT if
   none matches; nothing is done if PATTERN is none.  */
bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               bool long_name, struct fault *fault);

/* A sample of the kind time-field tells the local stack that was executed, and not who
   called: where -unprofile has taken out all of that, its caller is not known, which
   would have the time if the function had been excluded when it was compiled.  A FAULT if
   PROFILE has such samples, but in main, which nobody calls.  */
bool unprofile_has_callers(const struct program *program, const struct profile *profile,
                           const struct pattern *pattern, struct fault *fault);

/* Folds functions that are declared artificial into those that they are inlined in.
   Before a function of the tables is spelt out.  */
void unprofile_artificial(struct tables *const *tables, size_t count);

#endif
