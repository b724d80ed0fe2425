/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the functions of a view for the formats: a function of the table that has code
   of several files, of a macro or an included file for example, is one for each.  */

#ifndef MLPROF_FUNCTIONS_H
#define MLPROF_FUNCTIONS_H

#include "mlprof/view/view.h"

struct functions_function {
    uint32_t row;
    const char *name;      /* as the table has it, in UTF-8 */
    const char *symbol;    /* its name for the assembler; "": not known, or not compiled
                              with ccprof */
    const char *file;      /* its path; "": unknown */
    uint32_t line, column; /* where it begins; 0: unknown, or in another file */
};

/* Starts with the view set, and all else zero.  */
struct functions {
    const struct view *view;
    struct functions_function *list;
    size_t count, capacity;
    struct index index; /* row, file */
    struct intern texts;
};

void functions_free(struct functions *functions);

/* The number of the function of a node of the stacks, which has a weight.  */
uint32_t functions_of_node(struct functions *functions, uint32_t node);

/* The same of a row in its own file.  */
uint32_t functions_of_row(struct functions *functions, uint32_t row);

/* And in FILE, relative to the row's directory; NULL: unknown.  */
uint32_t functions_of_file(struct functions *functions, uint32_t row, const char *file);

#endif
