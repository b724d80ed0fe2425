/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random tables from the plugin's encoder, and the expected frames of each address, found
   by a simple search of the parts. This header names no types of plugin/ or mlprof/,
   because some names exist in both. */

#ifndef TESTSUITE_MADE_TABLES_H
#define TESTSUITE_MADE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MADE_TABLES_FRAMES 20

/* file NULL: unknown, and then all other members are unknown. start_column 0: no
   range. */
struct made_position {
    const char *file;
    unsigned line, column, start_line, start_column, end_line, end_column;
};

struct made_frame {
    const char *name, *file; /* of the source; file NULL: unknown */
    const char *symbol;      /* "": none */
    unsigned line, column, flags;
    unsigned char hash[16]; /* of the file; all 0: unknown */
    struct made_position position;
};

/* Sections as make_elf takes them. */
struct made_tables {
    char *strings, *units, *streams;
    uint64_t end; /* an address: no function ends after it; the first starts after 0 */
    struct made_function *functions;
    size_t count;
};

/* DETAIL is the unit's detail of positions. Everything else depends only on SEED. */
struct made_tables *made_tables_make(uint32_t seed, unsigned detail);
void made_tables_free(struct made_tables *tables);

/* Stores the frames at ADDRESS, innermost first. Returns the number of FRAMES, or -1 if
   there is no function. */
int made_tables_frames(const struct made_tables *tables, uint64_t address,
                       struct made_frame frames[MADE_TABLES_FRAMES]);

#endif
