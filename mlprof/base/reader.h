/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from bytes that may be hostile, for the modules of tables/.  Keeps the
   first thing that is wrong with its offset; from then on every number is 0, so that a
   caller may look once at the end of what it reads (and must, in every loop whose length
   it has read).  */

#ifndef MLPROF_READER_H
#define MLPROF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
    const unsigned char *begin, *at, *end;
    const unsigned char *item; /* the number read last */
    bool big_endian;
    const char *wrong; /* what is wrong, NULL if nothing is */
    size_t wrong_at;   /* offset from begin */
};

void reader_init(struct reader *reader, const void *data, size_t size, bool big_endian);

/* Nothing is left, or something was wrong.  */
bool reader_done(const struct reader *reader);

/* The next LENGTH bytes as a reader of their own with the same begin; READER goes on
   behind them.  */
struct reader reader_slice(struct reader *reader, uint64_t length);

/* Notes that the number read last is wrong; WHY is not copied.  Returns false.  */
bool reader_fail(struct reader *reader, const char *why);

/* The next SIZE bytes; NULL if they are not there.  */
const unsigned char *reader_bytes(struct reader *reader, size_t size);

uint8_t reader_u8(struct reader *reader);
uint32_t reader_u32(struct reader *reader);
uint64_t reader_u64(struct reader *reader);

/* DWARF's LEB128 numbers, at most 10 bytes long (DWARF 5, section 7.6).  */
uint64_t reader_uleb(struct reader *reader);
int64_t reader_sleb(struct reader *reader);

/* An unsigned number that must be at most MOST.  */
uint64_t reader_uleb_to(struct reader *reader, uint64_t most, const char *why);

/* FROM and BY added up; 0, and WHY is wrong, if that is no number of 32 bits.  BY is the
   signed number that is next, or given.  */
uint32_t reader_sleb_from(struct reader *reader, uint32_t from, const char *why);
uint32_t reader_moved(struct reader *reader, uint32_t from, int64_t by, const char *why);

#endif
