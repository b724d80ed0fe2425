/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "testsuite/unit/encoded.h"
#include "plugin/tables/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void encoded_byte(struct encoded *encoded, unsigned char byte)
{
    encoded->text = memory_reserve(encoded->text, &encoded->room, encoded->size + 4, 1);
    encoded->size += (size_t)sprintf(encoded->text + encoded->size,
                                     encoded->size ? " %02x" : "%02x", byte);
}

size_t encoded_length(const struct encoded *encoded)
{
    return (encoded->size + 1) / 3;
}

void encoded_u32(struct encoded *encoded, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        encoded_byte(encoded, (unsigned char)(value >> 8 * i));
}

void encoded_head(struct encoded *encoded, uint32_t unit, uint64_t base)
{
    encoded_byte(encoded, 0);
    encoded_byte(encoded, CCPROF_TABLES_VERSION);
    encoded_u32(encoded, unit);
    encoded_u32(encoded, (uint32_t)base);
    encoded_u32(encoded, (uint32_t)(base >> 32));
}

static void sink_byte(void *data, unsigned char byte)
{
    encoded_byte(data, byte);
}

static void sink_distance(void *data, unsigned from, unsigned to, unsigned plus)
{
    uint64_t value = (uint64_t)to - from + plus;
    while (value > 127) {
        encoded_byte(data, (unsigned char)(value % 128 + 128));
        value /= 128;
    }
    encoded_byte(data, (unsigned char)value);
}

static uint32_t offset_of_string(const struct unit *unit, unsigned string)
{
    size_t offset = 0;
    for (unsigned i = 1; i < string; i++)
        offset += strlen(unit_get_string(unit, i)) + 1;
    return (uint32_t)offset;
}

static void sink_string(void *data, unsigned string)
{
    struct encoded *encoded = data;
    encoded_u32(encoded, offset_of_string(encoded->unit, string));
}

struct encode_sink encoded_sink(struct encoded *encoded)
{
    return (struct encode_sink){encoded, sink_byte, sink_distance, sink_string};
}

void encoded_strings(struct encoded *encoded, const struct unit *unit)
{
    for (unsigned i = 1; i <= unit->strings.count; i++) {
        const char *string = unit_get_string(unit, i);
        for (size_t at = 0; at <= strlen(string); at++)
            encoded_byte(encoded, (unsigned char)string[at]);
    }
}

void encoded_free(struct encoded *encoded)
{
    memory_free(encoded->text);
    memset(encoded, 0, sizeof *encoded);
}
