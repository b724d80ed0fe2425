/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit: the only writer of the tables (doc/tables.md), as text behind each function
   and at the end of the compilation.  GCC's own section objects are not used: they
   cannot say what the tables need (GCC: varasm.cc, default_elf_asm_named_section).  */

#ifndef CCPROF_EMIT_H
#define CCPROF_EMIT_H

#include "plugin/tables/part.h"

/* Behind the current function: its sites, a byte for each entry of PART, whose labels
   are distances from the first of them, and the stream that says what they are.  The text
   of the label of the first one is LABEL and the number.  */
void emit_sites(const struct part *part, const char *label, unsigned number);

/* At the end of the compilation: the unit and the strings, if any function or
   site was written.  Gives whether one was.  */
bool emit_unit(void);

#endif
