/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the views that are files: the call graph, the flame graph and the formats
   of other programs.  For
   show.c.  */

#ifndef MLPROF_VIEWFILES_H
#define MLPROF_VIEWFILES_H

#include "mlprof/options/options.h"
#include "mlprof/view/view.h"

/* One of the files is standard output: nothing else is printed there.  */
bool viewfiles_take_output(const struct options *options);

/* False and FAULT if a file that is asked for has the name of a format that is not
   written here, or several are standard output.  */
bool viewfiles_check(const struct options *options, struct fault *fault);

/* Writes those that are asked for.  False and FAULT if one cannot be written.  */
bool viewfiles_write(const struct options *options, const struct view *view,
                     struct fault *fault);

#endif
