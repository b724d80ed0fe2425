/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the views that are files: the call graph, the flame graph and the formats of
   other programs.  For show.c.  */

#ifndef MLPROF_VIEWFILES_H
#define MLPROF_VIEWFILES_H

#include "mlprof/options/options.h"
#include "mlprof/view/view.h"

/* Whether one of the files is standard output, so that nothing else may be printed.  */
bool viewfiles_take_output(const struct options *options);

/* Checks the files that are asked for.  False and FAULT if a name is of a format that
   mlprof does not write, or if several files are standard output.  */
bool viewfiles_check(const struct options *options, struct fault *fault);

/* Writes the files that are asked for.  False and FAULT if a file cannot be written.  */
bool viewfiles_write(const struct options *options, const struct view *view,
                     struct fault *fault);

/* Whether nothing is printed beside the files.  If none of them is standard output, a
   line that names them is.  */
bool viewfiles_alone(const struct options *options);

#endif
