/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generator's random numbers and its constants.  One sequence for each seed,
   the same on every machine.  */

#ifndef CCPROF_TRUTH_CONSTANT_H
#define CCPROF_TRUTH_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>

void random_seed(uint64_t seed);
uint64_t random_bits(void);
/* From 0 to LIMIT - 1.  */
unsigned random_below(unsigned limit);
/* True in PERCENT of the cases.  */
bool random_chance(unsigned percent);

/* A constant below 2^31, or (WIDE) below 2^63, that no other one can be taken for:
   it and its negation and complement, also cut to 32 bits, are far from theirs, and no
   compiler would multiply by it with shifts and additions.  COPIES of them, each STEP
   above the one before, are returned by their first.  */
#define CONSTANT_STEP 0x10003u
uint64_t constant_new(bool wide, unsigned copies);

#endif
