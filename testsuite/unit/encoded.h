/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the plugin's encoder says, assembled: a sink in place of GCC's assembly file.
   A label's number is its address; a string's offset is where it stands when all
   strings of the unit stand one behind the other. */

#ifndef TESTSUITE_ENCODED_H
#define TESTSUITE_ENCODED_H

#include "plugin/tables/encode.h"

#include <stdint.h>

/* Bytes spelt as make_elf takes them; starts as all zero. */
struct encoded {
    char *text;
    size_t size, room;
    const struct unit *unit; /* whose strings are meant */
};

/* A sink that appends to ENCODED. */
struct encode_sink encoded_sink(struct encoded *encoded);

void encoded_byte(struct encoded *encoded, unsigned char byte);
void encoded_u32(struct encoded *encoded, uint32_t value);

/* The head of a stream (doc/tables.md). */
void encoded_head(struct encoded *encoded, uint32_t unit, uint64_t base);

/* The content of .ccprof.str. */
void encoded_strings(struct encoded *encoded, const struct unit *unit);

/* How many bytes have been appended. */
size_t encoded_length(const struct encoded *encoded);

void encoded_free(struct encoded *encoded);

#endif
