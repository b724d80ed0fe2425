/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit: writes the tables (doc/tables.md) of functions and their names, as text behind
   each function and at the end of the compilation; there the kinds' own tables follow.
   GCC's own section objects are not used: they cannot say what the tables need (GCC:
   varasm.cc, default_elf_asm_named_section).  */

#ifndef CCPROF_EMIT_H
#define CCPROF_EMIT_H

#include "plugin/tables/part.h"

/* Behind the current function: its sites, a byte for each entry of PART, whose labels
   are distances from the first of them, and the stream that says what they are.  The text
   of the label of the first one is LABEL and the number.  */
void emit_sites(const struct part *part, const char *label, unsigned number);

/* A table of a kind's own, at the end of the compilation.  */
struct emit_table {
    /* Whether there is any, for the sake of which the unit is to be written; NULL: never
       by itself.  Called once.  */
    bool (*any)(void);
    /* Writes it, if there is any.  UNIT is the label of the unit's table.  */
    void (*emit)(const char *unit);
};

/* At the end of the compilation: the unit, the strings and then the TABLES in their
   order, if any function or site was written or one of TABLES asks for it.  Gives whether
   so.  */
bool emit_unit(const struct emit_table *tables, size_t count);

#endif
