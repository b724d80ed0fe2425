/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-insert: puts the code of a list of actions into the current function, for the
   pass: MLton's enter, add and leave.  What is done in line is code of one source, or a
   call of the stub; what is done in steps is a call for all that stands between two
   points at which somebody can look.  All actions are done before a block is split: their
   statements and blocks are those of the list until then.  */

#ifndef CCPROF_INCLUSIVE_INSERT_H
#define CCPROF_INCLUSIVE_INSERT_H

#include "plugin/inclusive/inclusive-actions.h"

/* IN_STEPS makes steps of the ACTIONS first.  */
void inclusive_insert(struct inclusive_actions *actions, bool in_steps);

#endif
