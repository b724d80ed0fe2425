/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit: writes the tables (doc/tables.md) of functions and their names into the
   assembly file as text. It writes after each function, in a pass of its own and when
   sites.cc calls it, and at the end of the compilation. The modules of the kinds write
   their own tables with the helpers below, and ccprof.cc passes their list to
   emit_unit. */

#ifndef CCPROF_EMIT_H
#define CCPROF_EMIT_H

#include "plugin/gcc/assembly.h"
#include "plugin/tables/unit.h"

/* Called after the current function is written. Writes the sites of the function, one
   byte for each entry of PART, and the stream that describes them. The labels of PART
   are distances from the first site. The label of the first site is LABEL followed by
   NUMBER. */
void emit_sites(const struct part *part, const char *label, unsigned number);

/* For the tables of the kinds. emit_stream_head writes the head of a stream about code
   or data at BASE, in the current section. emit_string_word writes a word that refers
   to a string of the unit by its number. */
void emit_stream_head(struct assembly_address base);
void emit_string_word(unsigned string);

/* Begins a section of tables about part PART (label.h) of the current function, which
   starts at LABEL. The linker drops it together with the code. Called after the
   function is written; assembly_pop_section ends the section. */
void emit_push_beside_part(const char *section, int part, unsigned label);

/* For encoders (encode.h): writes the ULEB128 number TO - FROM + PLUS. FROM and TO are
   numbers of labels in the code. */
void emit_put_distance(void *, unsigned from, unsigned to, unsigned plus);

/* Writes the address of label number LABEL as a word of 8 bytes. */
void emit_label_word(unsigned label);

/* The same as emit_string_word, for encoders (encode.h), which pass their own data
   first. */
void emit_put_string(void *, unsigned string);

/* Begins a piece of SECTION about the current function, which has been written: prints
   the version, the unit and the function's address. The caller prints the rest and ends
   the section. When the linker drops the function, it drops the piece too. The unit is
   then written at the end. */
void emit_begin_for_function(const char *section, unsigned version);

/* A table of a kind, written at the end of the compilation. */
struct emit_table {
    /* Returns true if the table has content. In this case the unit must be written.
       Called once. NULL: the table alone is no reason to write the unit. */
    bool (*any)(void);
    /* Writes the table, if it has content. UNIT is the label of the unit's table. */
    void (*emit)(const char *unit);
};

/* Called at the end of the compilation. If a function or site was written, or one of
   TABLES has content, writes the unit, the strings and then the TABLES in their order;
   otherwise writes nothing. Returns false if there is nothing but excluded functions,
   for which no runtime is needed. */
bool emit_unit(const struct emit_table *tables, size_t count);

#endif
