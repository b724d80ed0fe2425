/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from sections of a file, whose bytes may be hostile, for the modules of
   tables/.  A reader keeps its first error and the offset of the error.  After an error
   it returns 0 for every number.  So a caller may check once, behind all that it reads;
   but it must check in each loop whose length was read.  */

#ifndef MLPROF_READER_H
#define MLPROF_READER_H

#include "mlprof/elf/elffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
    const unsigned char *begin, *at, *end;
    const unsigned char *item; /* the number read last */
    bool big_endian;
    const char *wrong; /* the error; NULL: none */
    size_t wrong_at;   /* offset of the error from BEGIN */
};

void reader_init(struct reader *reader, const void *data, size_t size, bool big_endian);

/* Whether nothing is left, or there was an error.  */
bool reader_done(const struct reader *reader);

/* A reader of the next LENGTH bytes, with the same begin; READER goes on behind them.  */
struct reader reader_slice(struct reader *reader, uint64_t length);

/* READER gets the error of SLICE, if there is one and READER has none.  */
void reader_take_error(struct reader *reader, const struct reader *slice);

/* Notes the error WHY for the number read last; WHY is not copied.  Returns false.  */
bool reader_fail(struct reader *reader, const char *why);

/* The next SIZE bytes; NULL and an error if there are fewer.  */
const unsigned char *reader_bytes(struct reader *reader, size_t size);

uint8_t reader_u8(struct reader *reader);
uint32_t reader_u32(struct reader *reader);
uint64_t reader_u64(struct reader *reader);

/* DWARF's LEB128 numbers, at most 10 bytes long (DWARF 5, section 7.6).  */
uint64_t reader_uleb(struct reader *reader);
int64_t reader_sleb(struct reader *reader);

/* Reads an unsigned number; WHY is the error if it is more than MOST.  */
uint64_t reader_uleb_to(struct reader *reader, uint64_t most, const char *why);

/* Reads a signed number BY, or is given it, and returns FROM + BY.  If the sum is no
   unsigned number of 32 bits, returns 0 with the error WHY.  */
uint32_t reader_sleb_from(struct reader *reader, uint32_t from, const char *why);
uint32_t reader_moved(struct reader *reader, uint32_t from, int64_t by, const char *why);

/* The linker puts the sections together from contributions.  Each unit has one or more,
   and each contribution begins with its version.  */

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
