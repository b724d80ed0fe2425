/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict: makes branches predict themselves, for the argument mispredictions.  Each
   condition and each switch keeps what it came to before, per thread and for each inlined
   copy, and counts how often its next outcome is not what follows from this.

   edges.cc has a mark (artificial.h) put where the outcome is known, before anything is
   inlined.  Behind the last inlining a pass makes code of the marks.

   A condition has a predictor of two levels (Yeh and Patt 1991): its own last two
   outcomes, and the last two of all conditions, choose one of sixteen counters of two
   bits.  A switch is predicted to come to what it came to the last time behind the same
   outcome.  */

#ifndef CCPROF_PREDICT_H
#define CCPROF_PREDICT_H

/* In plugin_init.  */
void predict_register(const char *plugin);

/* Whether BB ends with a condition or a switch.  */
bool predict_wants(basic_block bb);

/* Marks the condition or switch that ends BB.  The counter NUMBER of the flow graph FLOW
   is that of its mispredictions.  Marks on edges are committed by the caller.  */
void predict_mark(basic_block bb, uint64_t flow, unsigned number);

#endif
