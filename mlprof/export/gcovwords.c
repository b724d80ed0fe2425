/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/gcovwords.h"

void gcovwords_word(FILE *out, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        putc((int)(word >> 8 * i & 0xff), out);
}

void gcovwords_counter(FILE *out, uint64_t count)
{
    gcovwords_word(out, (uint32_t)count);
    gcovwords_word(out, (uint32_t)(count >> 32));
}

void gcovwords_tag(FILE *out, uint32_t tag, size_t counters, bool zeros)
{
    int32_t length = (int32_t)(8 * counters);
    gcovwords_word(out, tag);
    gcovwords_word(out, (uint32_t)(zeros ? -length : length));
}
