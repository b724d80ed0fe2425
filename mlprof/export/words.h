/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the words that binary formats are made of, the low byte first: those of gcov and
   AutoFDO (GCC: gcov-io.h) and that of gperftools.  */

#ifndef MLPROF_WORDS_H
#define MLPROF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static inline void words_put(FILE *out, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        putc((int)(word >> 8 * i & 0xff), out);
}

/* Writes two words, the low one first.  */
static inline void words_put_two(FILE *out, uint64_t count)
{
    words_put(out, (uint32_t)count);
    words_put(out, (uint32_t)(count >> 32));
}

/* Writes the head of a record of counters, fewer than 2^28.  If all are ZEROS, which are
   not written, it has their negative length.  */
static inline void words_put_head(FILE *out, uint32_t tag, size_t counters, bool zeros)
{
    int32_t length = (int32_t)(8 * counters);
    words_put(out, tag);
    words_put(out, (uint32_t)(zeros ? -length : length));
}

#endif
