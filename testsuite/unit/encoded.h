/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of the plugin's encoder as bytes: a sink that replaces GCC's assembly file.
   The number of a label is its address. The offset of a string is its offset in the
   unit's strings, written one after the other. */

#ifndef TESTSUITE_ENCODED_H
#define TESTSUITE_ENCODED_H

#include "plugin/tables/encode.h"

#include <stdint.h>

/* Bytes in the syntax of make_elf. Must be all zero at first. */
struct encoded {
    char *text;
    size_t size, room;
    const struct unit *unit; /* the unit whose strings are used */
};

/* A sink that appends to ENCODED. */
struct encode_sink encoded_sink(struct encoded *encoded);

void encoded_byte(struct encoded *encoded, unsigned char byte);
void encoded_u32(struct encoded *encoded, uint32_t value);

/* The head of a stream (doc/tables.md). */
void encoded_head(struct encoded *encoded, uint32_t unit, uint64_t base);

/* The content of .ccprof.str. */
void encoded_strings(struct encoded *encoded, const struct unit *unit);

/* Returns the number of appended bytes. */
size_t encoded_length(const struct encoded *encoded);

void encoded_free(struct encoded *encoded);

#endif
