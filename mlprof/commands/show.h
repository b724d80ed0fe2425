/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the views that the command line asks for, for main.c: prints them, or has them
   written to files.  */

#ifndef MLPROF_SHOW_H
#define MLPROF_SHOW_H

#include "mlprof/evaluate/evaluate.h"
#include "mlprof/options/options.h"

/* A view of the result, with the style that the options ask for.  Lives as long as both
   arguments.  */
struct view show_view(const struct options *options,
                      const struct evaluate_result *result);

/* Checks, before anything is read, that beside -heap all views can tell of the heap,
   which takes the place of what else was measured, or of regions.  */
bool show_check(const struct options *options, struct fault *fault);

/* OF_HEAP, unless it is NULL, is the result with the heap in the place of what else was
   measured.  False and FAULT if there is nothing to show in a view, a file cannot be
   written, or no function matches a pattern.  */
bool show_views(const struct options *options, const struct evaluate_result *result,
                const struct evaluate_result *of_heap, struct fault *fault);

#endif
