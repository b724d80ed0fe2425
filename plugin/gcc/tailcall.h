/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tailcall: finds the calls of the current function that the optimiser may turn into
   jumps, since nothing is left to do behind them, for passes that would put a counter
   or a store there and so prevent the jump.  */

#ifndef CCPROF_TAILCALL_H
#define CCPROF_TAILCALL_H

/* Looks at the current function; the answers below hold until tailcall_forget.  */
void tailcall_find(void);
void tailcall_forget(void);

/* Whether the statement is a call that may become a jump.  */
bool tailcall_is(gimple *statement);

/* Whether the statement is a recursive call that may become part of a loop, since only a
   sum or product is made of its value and returned.  */
bool tailcall_is_recursion(gimple *statement);

/* Whether the edge is on the way from either call to the return.  */
bool tailcall_passes(edge e);

#endif
