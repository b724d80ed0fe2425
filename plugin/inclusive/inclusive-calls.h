/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-calls: tells around which calls sources are entered and left, for
   inclusive-plan.cc.  inclusive_note_reach (inclusive.h) is of this module, too: it has
   looked at all functions of the unit, or at none, before the first question.  */

#ifndef CCPROF_INCLUSIVE_CALLS_H
#define CCPROF_INCLUSIVE_CALLS_H

/* Whether the call is a tail call.  */
bool inclusive_is_tail(const gcall *call);

/* Whether the call is no tail call and may come to what adds to inclusive counts.  */
bool inclusive_wants_call(const gcall *call);

#endif
