/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes what a call costs, the sampled time divided by the counted calls, and prints
   it with its uncertainty, for view.c.  */

#ifndef MLPROF_COST_H
#define MLPROF_COST_H

#include <stdint.h>

/* The time of one call, and how far chance may have moved it in 95 of 100 runs, as text
   to be freed.  SAMPLES are divided by CALLS; RATE samples are one second.  Without a
   sample the text is an upper bound; without a call it is `-'.  */
char *cost_of_call(uint64_t samples, uint64_t rate, uint64_t calls);

/* The same, where LESS of the SAMPLES may belong to another function, and MORE samples
   besides may belong to this one.  */
char *cost_uncertain(uint64_t samples, uint64_t less, uint64_t more, uint64_t rate,
                     uint64_t calls);

#endif
