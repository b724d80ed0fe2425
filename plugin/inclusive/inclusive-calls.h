/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-calls: tells around which calls sources are entered and left, for
   inclusive-plan.cc.  The module owns what inclusive_note_reach (inclusive.h) has found
   in the functions of the unit: all of them are looked at before the first question, or
   none is, and then every call may come to anything.  */

#ifndef CCPROF_INCLUSIVE_CALLS_H
#define CCPROF_INCLUSIVE_CALLS_H

/* Whether the call is a tail call.  */
bool inclusive_is_tail(const gcall *call);

/* Whether the call is no tail call and may come to what adds to inclusive counts.  */
bool inclusive_wants_call(const gcall *call);

#endif
