/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads how far an expression reaches on both sides of the position where it stands, as
   the tables of functions and of flow graphs have it (doc/tables.md).  What is out of
   range is READER's error, and 0.  */

#ifndef MLPROF_EXTENT_H
#define MLPROF_EXTENT_H

#include "mlprof/base/reader.h"

/* A line that is FROM less the signed number that is next.  WHY: what is wrong, if it is
   no such number.  */
uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why);

/* The columns where what stands at COLUMN starts and ends, of HALVES, the columns before
   it and those behind it, four bits each.  For a half that is MOST more follows; there is
   none above MOST.  */
void extent_read_halves(struct reader *reader, uint32_t column, uint8_t halves,
                        unsigned most, uint32_t *start, uint32_t *end);

#endif
