/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the user what the data lack for the views that were asked for, and what to do
   about it, for show.c, comparison-read.c and gates.c.  */

#ifndef MLPROF_ADVICE_H
#define MLPROF_ADVICE_H

#include "mlprof/options/options.h"
#include "mlprof/view/view.h"

/* Prints lines on stderr.  False and FAULT if a view would have nothing to show.  */
bool advice_give(const struct options *options, const struct view *view,
                 struct fault *fault);

/* Prints a line if code of the executable at PATH was compiled for LTO with the plugin
   and linked without it.  */
void advice_link(const struct tables *executable, const char *path);

/* Warns, of the FIRST run of a comparison of calls, that the data of VIEW have no stacks.
   False and FAULT if they have calls without who called.  */
bool advice_calls(const struct options *options, const struct view *view,
                  const char *program, bool first, struct fault *fault);

#endif
