/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes what a call costs, time that was sampled by calls that were counted, and
   prints it with its uncertainty, for view.c.  */

#ifndef MLPROF_COST_H
#define MLPROF_COST_H

#include <stdint.h>

/* The time of one call and how far chance may have moved it, in 95 of 100 runs; of
   SAMPLES, of which there are RATE in a second, by CALLS.  Without a sample, what the
   time is less than; `-' without a call.  To be freed.  */
char *cost_of_call(uint64_t samples, uint64_t rate, uint64_t calls);

/* The same if LESS of the samples may be another's, and MORE than these may be its.  */
char *cost_uncertain(uint64_t samples, uint64_t less, uint64_t more, uint64_t rate,
                     uint64_t calls);

#endif
