/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random tables from the plugin's encoder, and what they say of each address by a
   plain reading of the parts that went in. Names no type of plugin/ or mlprof/, whose
   names meet. */

#ifndef TESTSUITE_MADE_TABLES_H
#define TESTSUITE_MADE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MADE_TABLES_FRAMES 20

/* file NULL: unknown, as all else is then. start_column 0: no range. */
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
    uint64_t end; /* the first function starts behind 0, no other ends behind it */
    struct made_function *functions;
    size_t count;
};

/* DETAIL is a unit's position. Everything else follows from SEED. */
struct made_tables *made_tables_make(uint32_t seed, unsigned detail);
void made_tables_free(struct made_tables *tables);

/* The local stack at ADDRESS, innermost first; how many FRAMES, or -1 where no function
   is. */
int made_tables_frames(const struct made_tables *tables, uint64_t address,
                       struct made_frame frames[MADE_TABLES_FRAMES]);

#endif
