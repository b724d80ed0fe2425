/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leb: writes DWARF's LEB128 numbers, a byte at a time, for the writers of tables.
   Knows nothing of GCC.  */

#ifndef CCPROF_LEB_H
#define CCPROF_LEB_H

#include <stdint.h>

typedef void leb_sink(void *data, unsigned char byte);

static inline void leb_unsigned(leb_sink *sink, void *data, uint64_t value)
{
    do {
        unsigned char byte = value & 0x7f;
        value >>= 7;
        sink(data, value ? byte | 0x80 : byte);
    } while (value);
}

static inline void leb_signed(leb_sink *sink, void *data, int64_t value)
{
    for (;;) {
        unsigned char byte = value & 0x7f;
        value >>= 7;
        if (value == (byte & 0x40 ? -1 : 0)) {
            sink(data, byte);
            return;
        }
        sink(data, byte | 0x80);
    }
}

#endif
