/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads sections that the linker has put together from contributions, of which a unit has
   one or more, each beginning with its version.  For the modules of tables/.  */

#ifndef MLPROF_CONTRIBUTIONS_H
#define MLPROF_CONTRIBUTIONS_H

#include "mlprof/base/reader.h"
#include "mlprof/elf/elffile.h"

/* Reads a contribution behind its version.  If something is wrong, READER says what.  */
typedef void contributions_read_one(void *context, unsigned version,
                                    struct reader *reader);

/* Calls READ for each contribution to the sections of FILE called NAME.  False and FAULT
   if a contribution is damaged, or of a version later than NEWEST.  */
bool contributions_read(const struct elffile *file, const char *name, unsigned newest,
                        contributions_read_one *read, void *context, struct fault *fault);

/* Set FAULT, and return false, for the contribution at OFFSET of SECTION: it is damaged
   as WHY says, or it has another VERSION than the newest KNOWN.  */
bool contributions_garbled(const struct elffile *file, const char *section, size_t offset,
                           const char *why, struct fault *fault);
bool contributions_other_version(const struct elffile *file, const char *section,
                                 size_t offset, unsigned version, unsigned known,
                                 struct fault *fault);

/* Read how far an expression extends on both sides of its position, in the tables of
   functions and of flow graphs (doc/tables.md).  A number out of range is an error of
   READER, and the result is then 0.  */

/* Reads a signed number, and returns FROM less the number: a line.  WHY is the error
   message.  */
uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why);

/* Sets *START and the end to the columns where the expression at COLUMN starts and ends.
   HALVES has the number of columns before COLUMN and behind it, four bits each.  If a
   half is MOST, the rest of the number follows; a greater half is an error.  */
void extent_read_halves(struct reader *reader, uint32_t column, uint8_t halves,
                        unsigned most, uint32_t *start, uint32_t *end);

#endif
