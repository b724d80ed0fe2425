/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads how far an expression extends on both sides of its position, in the tables of
   functions and of flow graphs (doc/tables.md).  A number out of range is an error of
   READER, and the result is then 0.  */

#ifndef MLPROF_EXTENT_H
#define MLPROF_EXTENT_H

#include "mlprof/base/reader.h"

/* Reads a signed number, and returns FROM less the number: a line.  WHY is the error
   message.  */
uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why);

/* Sets *START and the end to the columns where the expression at COLUMN starts and ends.
   HALVES has the number of columns before COLUMN and behind it, four bits each.  If a
   half is MOST, the rest of the number follows; a greater half is an error.  */
void extent_read_halves(struct reader *reader, uint32_t column, uint8_t halves,
                        unsigned most, uint32_t *start, uint32_t *end);

#endif
