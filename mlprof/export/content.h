/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several formats write: the values of a profile, of which a format may show several
   beside each other, and the functions of a view, numbered.  */

#ifndef MLPROF_CONTENT_H
#define MLPROF_CONTENT_H

#include "mlprof/rows/tree.h"
#include "mlprof/view/view.h"

/* The amounts of a measure or, of memory, its blocks.  */
struct values_value {
    const struct measure *measure;
    bool blocks;
};

/* Moves VALUE, all zero at first, to the next value of PROFILE.  False: there is none. */
bool values_next(struct values_value *value, const struct profile *profile);

enum measure_unit values_unit(const struct values_value *value);

/* Its name, to be freed.  */
char *values_name(const struct values_value *value, const struct profile *profile);

/* BYTES, a word for bytes or blocks, with what they are: `bytes allocated'; to be
   freed.  */
char *values_of_memory(const struct profile *profile, const char *bytes);

/* Whether the stacks of PROFILE have the value.  */
bool values_has_stacks(const struct values_value *value, const struct profile *profile);

/* The value of a function, with its branches.  */
typedef uint64_t values_of_function(const struct rows_row *row);
values_of_function *values_of_functions(const struct values_value *value);

/* Fills TREE, which tree_free frees, with the stacks or else the functions that have the
   value.  */
void values_tree(struct tree *tree, const struct values_value *value,
                 const struct rows *rows, const struct profile *profile);

/* A function.  If a function has code of several files, for example of macros or included
   files, each file counts as a function of its own.  */
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
