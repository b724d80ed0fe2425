/* SPDX-License-Identifier: MIT */
/* Reads numbers from tables byte by byte, for the unwinder and the symbolizer. Never
   reads beyond the end: such a read returns 0 and sets `bad'. Async-signal-safe. */

#ifndef CCPROF_UNWIND_BYTES_H
#define CCPROF_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rt/os/sys.h"

struct ccprof_bytes {
    const uint8_t *next;
    const uint8_t *end;
    bool bad;
};

/* Bits of a pointer's encoding (LSB, "DWARF Exception Header Encoding"). */
enum {
    CCPROF_ENCODING_FORM = 0x0f,
    CCPROF_ENCODING_RELATIVE = 0x70,
    CCPROF_ENCODING_PC = 0x10,   /* relative to the pointer's own address */
    CCPROF_ENCODING_DATA = 0x30, /* relative to the table's start */
    CCPROF_ENCODING_INDIRECT = 0x80,
    CCPROF_ENCODING_OMIT = 0xff
};

static inline void ccprof_bytes_skip(struct ccprof_bytes *bytes, uint64_t count)
{
    if (count > (uint64_t)(bytes->end - bytes->next)) {
        bytes->bad = true;
        bytes->next = bytes->end;
    } else {
        bytes->next += count;
    }
}

/* Reads an unsigned little-endian number of SIZE bytes, at most 8. */
static inline uint64_t ccprof_bytes_fixed(struct ccprof_bytes *bytes, size_t size)
{
    const uint8_t *from = bytes->next;
    uint64_t value = 0;
    ccprof_assert(size <= sizeof value);
    ccprof_bytes_skip(bytes, size);
    if (!bytes->bad)
        memcpy(&value, from, size);
    return value;
}

static inline int64_t ccprof_bytes_signed(struct ccprof_bytes *bytes, size_t size)
{
    unsigned unused = 64 - 8 * (unsigned)size;
    ccprof_assert(size != 0);
    return (int64_t)(ccprof_bytes_fixed(bytes, size) << unused) >> unused;
}

static inline uint64_t ccprof_bytes_leb(struct ccprof_bytes *bytes, bool is_signed)
{
    uint64_t value = 0, byte = 0x80;
    unsigned shift = 0;

    for (; byte & 0x80; shift += 7) {
        byte = ccprof_bytes_fixed(bytes, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
    }
    if (is_signed && byte & 0x40 && shift < 64)
        value |= -(UINT64_C(1) << shift);
    return value;
}

static inline uint64_t ccprof_bytes_unsigned_leb(struct ccprof_bytes *bytes)
{
    return ccprof_bytes_leb(bytes, false);
}

static inline int64_t ccprof_bytes_signed_leb(struct ccprof_bytes *bytes)
{
    return (int64_t)ccprof_bytes_leb(bytes, true);
}

/* Reads a pointer. TABLE is the start of the table, for pointers relative to it. */
static inline uint64_t ccprof_bytes_pointer(struct ccprof_bytes *bytes, unsigned encoding,
                                            uint64_t table)
{
    uint64_t base = 0, value;

    switch (encoding & CCPROF_ENCODING_RELATIVE) {
    case CCPROF_ENCODING_PC:
        base = (uintptr_t)bytes->next;
        break;
    case CCPROF_ENCODING_DATA:
        base = table;
        break;
    }
    switch (encoding & CCPROF_ENCODING_FORM) {
    case 0x0:
    case 0x4:
    case 0xc:
        value = ccprof_bytes_fixed(bytes, 8);
        break;
    case 0x1:
        value = ccprof_bytes_unsigned_leb(bytes);
        break;
    case 0x2:
        value = ccprof_bytes_fixed(bytes, 2);
        break;
    case 0x3:
        value = ccprof_bytes_fixed(bytes, 4);
        break;
    case 0x9:
        value = (uint64_t)ccprof_bytes_signed_leb(bytes);
        break;
    case 0xa:
        value = (uint64_t)ccprof_bytes_signed(bytes, 2);
        break;
    case 0xb:
        value = (uint64_t)ccprof_bytes_signed(bytes, 4);
        break;
    default:
        bytes->bad = true;
        return 0;
    }
    return base + value;
}

#endif
