/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the functions of a view for the formats.  If a function has code of several
   files, for example of macros or included files, each file counts as a function of its
   own.  */

#ifndef MLPROF_FUNCTIONS_H
#define MLPROF_FUNCTIONS_H

#include "mlprof/view/view.h"

struct functions_function {
    uint32_t row;
    const char *name; /* as in the table, in UTF-8 */
    /* The symbol; "": unknown, or the function was not compiled with ccprof.  */
    const char *symbol;
    const char *file; /* path of the file; "": unknown */
    /* The same as it was compiled, for source-files.h; NAMED is relative to DIRECTORY. */
    const char *directory, *named;
    uint32_t line, column; /* where the function begins; 0: unknown, or in another file */
};

/* All zero but for the view.  */
struct functions {
    const struct view *view;
    struct functions_function *list;
    size_t count, capacity;
    struct index index; /* key: row, file */
    struct intern texts;
};

void functions_free(struct functions *functions);

/* The number of the function of a node of the stacks that has a weight.  */
uint32_t functions_of_node(struct functions *functions, uint32_t node);

/* The number of the function of a row, in the row's own file.  */
uint32_t functions_of_row(struct functions *functions, uint32_t row);

/* The number of the function of a row, in FILE, which is relative to the row's directory;
   NULL: unknown.  */
uint32_t functions_of_file(struct functions *functions, uint32_t row, const char *file);

#endif
