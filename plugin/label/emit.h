/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit: writes the tables (doc/tables.md) of functions and their names, as text, into the
   assembly file: behind each function, by a pass of its own and for sites.cc, and at the
   end of the compilation, where the tables of the kinds follow.  */

#ifndef CCPROF_EMIT_H
#define CCPROF_EMIT_H

#include "plugin/gcc/assembly.h"
#include "plugin/tables/unit.h"

/* Behind the current function: writes its sites, a byte for each entry of PART, and the
   stream that describes them.  The labels of PART are distances from the first site.  The
   label of the first site is LABEL and the number.  */
void emit_sites(const struct part *part, const char *label, unsigned number);

/* For the tables of the kinds: writes the head of a stream about what stands at BASE, in
   the current section; and a word that is the number of a string of the unit.  */
void emit_stream_head(struct assembly_address base);
void emit_string_word(unsigned string);

/* The same for encoders (encode.h), which pass their own data first.  */
void emit_put_string(void *, unsigned string);

/* A table of a kind, at the end of the compilation.  */
struct emit_table {
    /* Whether the table has content, so that the unit must be written; NULL: never by
       itself. Called once.  */
    bool (*any)(void);
    /* Writes the table, if it has content.  UNIT is the label of the unit's table.  */
    void (*emit)(const char *unit);
};

/* At the end of the compilation: if a function or site was written, or one of TABLES has
   content, writes the unit, the strings and then the TABLES in their order, and returns
   true.  */
bool emit_unit(const struct emit_table *tables, size_t count);

#endif
