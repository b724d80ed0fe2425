/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a copy of a source function, for grouping.c: how much machine code it has,
   and what the compiler made of it.  */

#ifndef MLPROF_COPIES_H
#define MLPROF_COPIES_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

struct copies;

/* PROGRAM with its machine code, ROWS and NAMES must live as long as the result.  NAMES
   is the style of functions' names.  */
struct copies *copies_new(const struct program *program, struct rows *rows,
                          const struct names_style *names);

/* COPIES may be NULL.  */
void copies_free(struct copies *copies);

/* The code of a copy that is in the tables, without what is inlined into it.  */
struct rows_code copies_code(struct copies *copies, const struct stacks_copy *copy);

/* A description of a copy, to be freed: `own body', `clone .constprop.0', `inlined in f
   at file.c: 12', and the number of pieces if there are several.  */
char *copies_made(struct copies *copies, const struct stacks_copy *copy);

#endif
