/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which views a command line asks for, and where they go.  */

#ifndef MLPROF_SHOW_H
#define MLPROF_SHOW_H

#include "mlprof/options.h"

/* Prints the views on stdout and writes those that are files.  False and FAULT if a
   file cannot be written or no function matches a pattern.  */
bool show_views(const struct options *options, const struct view *view,
                struct fault *fault);

#endif
