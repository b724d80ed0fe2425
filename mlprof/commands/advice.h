/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells what the data lack for the views that are asked for, and what to do about it.
   For show.c.  */

#ifndef MLPROF_ADVICE_H
#define MLPROF_ADVICE_H

#include "mlprof/options/options.h"
#include "mlprof/view/view.h"

/* Prints lines on stderr.  False and FAULT if a view would have nothing to show.  */
bool advice_give(const struct options *options, const struct view *view,
                 struct fault *fault);

#endif
