/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes of each run, before it is added to others, what the sum no longer tells and a
   .gcda file has: how often the arc was executed that was executed most in that run, when
   functions were executed for the first time, and how often calls by a pointer called
   their first target, which another run may have called at no time.  For
   input/datafiles.c, which reads the runs; the sums are for arccounts.c.  */

#ifndef MLPROF_ARCRUNS_H
#define MLPROF_ARCRUNS_H

#include "mlprof/base/intern.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

/* The tables of all modules that runs had so far.  Starts as all zero.  */
struct arcruns {
    struct intern keys; /* paths and build-ids */
    struct arcruns_module *modules;
    size_t count, capacity;
};

/* Notes what RUN, one data file, has in each of its modules, makes the counters of
   first executions such of which the largest is kept, and makes targets of its rests.
   EXECUTABLE is module 0; NULL: that is another build, to be opened.  Modules without
   tables, or whose tables are wrong, have no peak: whoever reads them later says so.  */
void arcruns_note(struct arcruns *runs, struct profile *run,
                  const struct tables *executable);

void arcruns_free(struct arcruns *runs);

#endif
