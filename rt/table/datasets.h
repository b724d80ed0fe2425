/* SPDX-License-Identifier: MIT */
/* Numbers the data sets of ccprof.h, for the program's calls.  A data set holds nothing
   by itself: its samples are in the table.  The first data set is number 0, which always
   exists.  All functions are async-signal-safe, in any thread.  */

#ifndef CCPROF_DATASETS_H
#define CCPROF_DATASETS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/sys.h"

/* Stands for all data sets together.  */
#define CCPROF_DATASETS_ALL UINT64_MAX

/* The most data sets that exist at the same time.  */
#define CCPROF_DATASETS_MAX 1024

/* Returns the slot of a data set other than the first, from 0 on.  No two data sets that
   exist at the same time have the same slot.  */
static inline unsigned ccprof_datasets_slot(uint64_t dataset)
{
    ccprof_assert((dataset & 0xffff) != 0 && (dataset & 0xffff) <= CCPROF_DATASETS_MAX);
    return (unsigned)(dataset & 0xffff) - 1;
}

/* Makes a data set and returns its number; 0 if too many exist.  Numbers have 48 bits,
   and none is given twice.  */
uint64_t ccprof_datasets_new(void);

/* Frees the data set; returns false if it does not exist or is in use.  */
bool ccprof_datasets_free(uint64_t dataset);

bool ccprof_datasets_is_there(uint64_t dataset);

/* The calling thread's samples belong to the data set from now on (use), or no longer
   (leave).  Use returns false if the data set does not exist.  */
bool ccprof_datasets_use(uint64_t dataset);
void ccprof_datasets_leave(uint64_t dataset);

#endif
