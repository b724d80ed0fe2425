/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by evaluate.c and evaluate-choose.c.  */

#ifndef MLPROF_EVALUATE_INSIDE_H
#define MLPROF_EVALUATE_INSIDE_H

#include "mlprof/evaluate/evaluate.h"

/* Sets `chosen' of RESULT to the part of its profile that is shown, and lets `profile'
   point to it.  Sets `left_out'.  Returns false and sets FAULT if the measure of
   REQUEST was not measured, or if stacks must be filtered and there are none.  */
bool evaluate_choose(struct evaluate_result *result,
                     const struct evaluate_request *request, struct fault *fault);

#endif
