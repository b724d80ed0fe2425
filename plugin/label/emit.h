/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit: writes the tables (doc/tables.md) of functions and their names, as text, into
   the assembly file: behind each function, as its own pass and for sites.cc, and at
   the end of the compilation, for the schedule, where the kinds' own tables follow.  */

#ifndef CCPROF_EMIT_H
#define CCPROF_EMIT_H

#include "plugin/gcc/assembly.h"
#include "plugin/tables/unit.h"

/* Behind the current function: its sites, a byte for each entry of PART, whose labels
   are distances from the first of them, and the stream that says what they are.  The text
   of the label of the first one is LABEL and the number.  */
void emit_sites(const struct part *part, const char *label, unsigned number);

/* For tables of the kinds' own: the head of a stream about what stands at BASE, in a
   section that has been begun; and a word that says which string of the unit.  */
void emit_stream_head(struct assembly_address base);
void emit_string_word(unsigned string);

/* The same for encoders (encode.h), which give what they are told to.  */
void emit_put_string(void *, unsigned string);

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
