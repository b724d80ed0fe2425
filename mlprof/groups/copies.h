/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a copy of a source function: how much machine code it has, and how the
   compiler created it. For groups/ and regions/regionrows.c. */

#ifndef MLPROF_COPIES_H
#define MLPROF_COPIES_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

struct copies;

/* PROGRAM (which must have its machine code), ROWS and NAMES must live as long as the
   result. NAMES is the style of the names of functions. */
struct copies *copies_new(const struct program *program, struct rows *rows,
                          const struct names_style *names);

/* COPIES may be NULL. */
void copies_free(struct copies *copies);

/* Returns the code of a copy, without the copies inlined into it. The copy must be in
   the tables. */
struct rows_code copies_code(struct copies *copies, const struct stacks_copy *copy);

/* Returns a description of a copy: `own body', `clone .constprop.0', `inlined in f at
   file.c: 12', and the number of pieces if there are several. The caller frees it. */
char *copies_describe(struct copies *copies, const struct stacks_copy *copy);

#endif
