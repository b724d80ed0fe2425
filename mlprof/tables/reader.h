/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from sections of a file, whose content may be malicious, for the
   modules of tables/. A reader stores its first error and the offset of this error.
   After an error, every number is read as 0. Therefore a caller may check for errors
   after reading everything. But if the length of a loop was read from the file, the
   caller must check inside the loop. */

#ifndef MLPROF_READER_H
#define MLPROF_READER_H

#include "mlprof/elf/elffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
    const unsigned char *begin, *cursor, *end;
    const unsigned char *item; /* start of the last number */
    bool big_endian;
    const char *wrong; /* first error; NULL: none */
    size_t wrong_at;   /* offset of the error from BEGIN */
};

void reader_init(struct reader *reader, const void *data, size_t size, bool big_endian);

/* Returns whether everything has been read, or an error has occurred. */
bool reader_done(const struct reader *reader);

/* Returns a reader of the next LENGTH bytes, with the same BEGIN. READER continues
   after them. */
struct reader reader_slice(struct reader *reader, uint64_t length);

/* Copies the error of SLICE to READER, unless READER already has an error. */
void reader_take_error(struct reader *reader, const struct reader *slice);

/* Records the error WHY for the last number. WHY is not copied. Returns false. */
bool reader_fail(struct reader *reader, const char *why);

/* Returns the next SIZE bytes. If there are fewer, returns NULL and records an error. */
const unsigned char *reader_bytes(struct reader *reader, size_t size);

uint8_t reader_u8(struct reader *reader);
uint32_t reader_u32(struct reader *reader);
uint64_t reader_u64(struct reader *reader);

/* Read LEB128 numbers of DWARF, at most 10 bytes long (DWARF 5, section 7.6). */
uint64_t reader_uleb(struct reader *reader);
int64_t reader_sleb(struct reader *reader);

/* Reads an unsigned number. If it is greater than MOST, records the error WHY and
   returns 0. */
uint64_t reader_uleb_to(struct reader *reader, uint64_t most, const char *why);

/* Return FROM + DISTANCE, where reader_sleb_from reads the signed number DISTANCE. If the
   sum does not fit into uint32_t, record the error WHY and return 0. */
uint32_t reader_sleb_from(struct reader *reader, uint32_t from, const char *why);
uint32_t reader_moved(struct reader *reader, uint32_t from, int64_t distance,
                      const char *why);

/* contributions_: the linker joins contributions of all units into sections. A unit
   has one or more contributions to a section. Each contribution begins with its
   version. */

/* Reads a contribution after its version. On an error, READER has the reason. */
typedef void contributions_read_one(void *context, unsigned version,
                                    struct reader *reader);

/* Calls READ for each contribution to the sections NAME of FILE. If a contribution is
   damaged, or its version is later than NEWEST, returns false and sets FAULT. */
bool contributions_read(const struct elffile *file, const char *name, unsigned newest,
                        contributions_read_one *read, void *context, struct fault *fault);

/* Both functions set FAULT for the contribution at OFFSET of SECTION, and return
   false. The first function reports damage, with the reason WHY. The second function
   reports a VERSION later than KNOWN, the newest known version. */
bool contributions_garbled(const struct elffile *file, const char *section, size_t offset,
                           const char *why, struct fault *fault);
bool contributions_other_version(const struct elffile *file, const char *section,
                                 size_t offset, unsigned version, unsigned known,
                                 struct fault *fault);

/* extent_: read how far an expression extends before and after its position, in the
   tables of functions and of flow graphs (doc/tables.md). If a number is out of range,
   record an error and return 0. */

/* Reads a signed number and returns a line: FROM minus this number. WHY is the error
   message. */
uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why);

/* Sets *START and *END to the first and last columns of the expression at COLUMN.
   HALVES has two numbers of four bits each: the number of columns before COLUMN and
   the number of columns after COLUMN. If one of them equals MOST, the excess over MOST
   is read from READER. A number greater than MOST is an error. */
void extent_read_halves(struct reader *reader, uint32_t column, uint8_t halves,
                        unsigned most, uint32_t *start, uint32_t *end);

#endif
