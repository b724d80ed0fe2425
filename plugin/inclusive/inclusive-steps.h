/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-steps: makes the calls that do steps, and the lists that say what these do,
   for inclusive-insert.cc.  How a list is laid out, and what a call of a step is in the
   processor's instructions, says inclusive_step.h.  */

#ifndef CCPROF_INCLUSIVE_STEPS_H
#define CCPROF_INCLUSIVE_STEPS_H

#include "plugin/inclusive/inclusive-actions.h"
#include "plugin/inclusive/inclusive-code.h"

/* Appends the code of ACTION, an INCLUSIVE_STEP.  SUM is the sum of its additions, and
   ROW the number of the row that storage_make_row gave.  */
void inclusive_append_step(gimple_seq *to, const struct inclusive_action *action,
                           const struct inclusive_sum *sum,
                           const struct inclusive_frame *frame, unsigned row);

#endif
