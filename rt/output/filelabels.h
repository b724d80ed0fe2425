/* SPDX-License-Identifier: MIT */
/* The labels of a data file: numbers the labels of phases and regions, and writes their
   lines. Owns the label numbers of the file that is being written. Only mlmon.c uses
   this, for one file at a time: in any thread, also in handlers of fatal signals. */

#ifndef CCPROF_FILELABELS_H
#define CCPROF_FILELABELS_H

#include <stdint.h>

#include "rt/os/text.h"

/* Forgets the recorded labels. Called before each file. */
void ccprof_filelabels_clear(void);

/* Records a label (tags.h) that occurs as a point of the file. */
void ccprof_filelabels_record(uint64_t address);

/* Writes the lines of labels. All labels must have been recorded. */
void ccprof_filelabels_write(struct ccprof_text *text);

/* Returns the number of a recorded label in the file. The lines of labels must have been
   written. */
unsigned ccprof_filelabels_number(uint64_t address);

#endif
