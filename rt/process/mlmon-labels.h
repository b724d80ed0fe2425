/* SPDX-License-Identifier: MIT */
/* Numbers labels for mlmon.c, as mlmon.out(5) wants them: first the labels of phases,
   then those of regions that have samples in the file.  One thread at a time.  */

#ifndef CCPROF_MLMON_LABELS_H
#define CCPROF_MLMON_LABELS_H

#include <stdint.h>

#include "rt/os/text.h"

/* Begin starts a file; note adds the label that a point of the file is (scope.h).  */
void ccprof_mlmon_labels_begin(void);
void ccprof_mlmon_labels_note(uint64_t address);

/* Writes the lines of labels, after all labels have been noted.  */
void ccprof_mlmon_labels_write(struct ccprof_text *text);

/* Returns the number of a label that was noted.  */
unsigned ccprof_mlmon_labels_number(uint64_t address);

#endif
