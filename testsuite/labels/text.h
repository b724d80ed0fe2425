/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source file that is being written, and the table of what is true of it.

   The table has a line for each form in which a constant, the distance of a member, a
   variable or a function can stand in the disassembly; fields are separated by tabs:
     form      lower-case hexadecimal with 0x, or a symbol
     name      the source function as ccprof names it: C `f`; C++ with its scopes,
               without parameters: `ns::Class::f`, `ns::poly<3>`, and a lambda as
               its function with `.lambda` behind
     plain     the function's own name, all that can be asked of DWARF's readers:
               `f`, `poly<3>`, `operator()`
     file      without folder
     line, column  where the constant stands
     role      accessor, of a function that does nothing else; or -  */

#ifndef CCPROF_TRUTH_TEXT_H
#define CCPROF_TRUTH_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct text {
    FILE *stream;
    FILE *table;
    char file[64];
    unsigned line, column; /* of the next character, from 1 */
    unsigned depth;        /* of indentation */
};

/* The function that the next constants belong to.  A template has instances: their
   arguments end with NULL, and stand in its names for each @.  The constants of its
   instances differ: STEP is an expression that is 1 in the first one, and so on.  */
struct owner {
    char name[160];
    char plain[80];
    const char *const *instances; /* NULL: not a template */
    const char *step;
    bool accessor;
};

void text_open(struct text *t, const char *folder, const char *file, FILE *table);
void text_close(struct text *t);
void text_put(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Begins a new line, indented.  */
void text_line(struct text *t);
/* How many instances a template has; 0: OWNER is none.  */
unsigned text_instances(const struct owner *owner);
/* A row of the table: what stands here next stands in the disassembly as FORM, and is
   OWNER's, of its INSTANCE, from 0.  */
void text_row(const struct text *t, const struct owner *owner, unsigned instance,
              const char *form);
/* A new constant of OWNER's.  */
void text_constant(struct text *t, const struct owner *owner, bool wide);

#endif
