/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random tables from the plugin's encoder, and what they say of each address by a plain
   reading of the parts that went in.  Names no type of plugin/ or mlprof/, whose names
   meet.  */

#ifndef TESTSUITE_MADE_TABLES_H
#define TESTSUITE_MADE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Sections as make_elf takes them.  */
struct made_tables {
    char *strings, *units, *streams;
    uint64_t end; /* the first function starts behind 0, no other ends behind it */
    struct made_function *functions;
    size_t count;
};

/* DETAIL is a unit's position.  Everything else follows from SEED.  */
struct made_tables *made_tables_make(uint32_t seed, unsigned detail);
void made_tables_free(struct made_tables *tables);

/* Prints the local stack at ADDRESS, innermost first.  A line of each frame:
   NAME SYMBOL FLAGS FILE:LINE:COLUMN HASH, the source, then the position
   FILE:LINE:COLUMN LINE:COLUMN-LINE:COLUMN; what is not known is (null) or 0.  Returns
   whether a function is there.  */
bool made_tables_print(FILE *out, const struct made_tables *tables, uint64_t address);

/* Prints the bytes of a file's hash; nothing if all are 0.  */
void made_tables_print_hash(FILE *out, const unsigned char *hash);

#endif
