/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from bytes that may be hostile, for the modules of tables/.  The first
   error is kept with its offset.  From then on every number read is 0, so that a caller
   may check once at the end of what it reads, and must check in every loop whose length
   was read.  */

#ifndef MLPROF_READER_H
#define MLPROF_READER_H

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

#endif
