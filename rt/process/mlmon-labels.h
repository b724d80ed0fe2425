/* SPDX-License-Identifier: MIT */
/* Numbers labels as mlmon.out(5) has them: those of phases, and behind them those of
   regions in which something of the file was sampled.  For mlmon.c, one thread at a
   time.  */

#ifndef CCPROF_MLMON_LABELS_H
#define CCPROF_MLMON_LABELS_H

#include <stdint.h>

#include "rt/os/text.h"

/* A file begins; a point of it is this label (scope.h).  */
void ccprof_mlmon_labels_begin(void);
void ccprof_mlmon_labels_note(uint64_t address);

/* Writes the lines, when all have been noted.  */
void ccprof_mlmon_labels_write(struct ccprof_text *text);

/* The number of a label that was noted.  */
unsigned ccprof_mlmon_labels_number(uint64_t address);

#endif
