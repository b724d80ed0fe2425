/* SPDX-License-Identifier: MIT */
/* Data units: numbers to which samples belong.  They hold nothing, the samples are in the
   table.  The first unit is number 0, which is always there.  All functions are
   async-signal-safe, in any thread.  */

#ifndef CCPROF_UNITS_H
#define CCPROF_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* At the same time.  */
#define CCPROF_UNITS_MAX 1024

/* Of a unit other than the first: its place among those that are there at the same time,
   from 0 on.  */
static inline unsigned ccprof_units_place(uint64_t unit)
{
    return (unsigned)(unit & 0xffff) - 1;
}

/* A new unit; 0 if there are too many.  No number, of 48 bits, comes twice.  */
uint64_t ccprof_units_new(void);

/* Frees it; returns false if it is not there or in use.  */
bool ccprof_units_free(uint64_t unit);

bool ccprof_units_is_there(uint64_t unit);

/* A thread's samples belong to it from now on, or did; use returns false if it is not
   there.  */
bool ccprof_units_use(uint64_t unit);
void ccprof_units_leave(uint64_t unit);

#endif
