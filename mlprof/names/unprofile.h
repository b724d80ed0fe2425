/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes functions out of the tables, as if the compiler had excluded them: whatever reads
   the tables afterwards charges what they cost to their callers.  */

#ifndef MLPROF_UNPROFILE_H
#define MLPROF_UNPROFILE_H

#include "mlprof/base/pattern.h"
#include "mlprof/tables/tables.h"

/* Takes the functions that match PATTERN, with names as LONG_NAME says, out of the COUNT
   tables, some of which may be NULL; before a function of them is spelt out.  A FAULT if
   none matches; nothing is done if PATTERN is none.  */
bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               bool long_name, struct fault *fault);

/* Folds functions that are declared artificial into those that they are inlined in.
   Before a function of the tables is spelt out.  */
void unprofile_artificial(struct tables *const *tables, size_t count);

#endif
