/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tails: calls that the optimiser may turn into jumps, since nothing is left to do behind
   them.  A counter there would be something.  Of the current function.  */

#ifndef CCPROF_TAILS_H
#define CCPROF_TAILS_H

/* What is asked below holds until tails_forget.  */
void tails_find(void);
void tails_forget(void);

/* Whether the statement is such a call.  */
bool tails_is(gimple *statement);

/* Whether it is a recursive call that may become part of a loop, since only a sum or
   product is made of its value and returned.  */
bool tails_is_recursion(gimple *statement);

/* Whether the edge is on the way from either call to the return.  */
bool tails_passes(edge e);

#endif
