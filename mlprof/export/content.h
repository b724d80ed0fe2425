/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data that several formats write: the values of a profile, several of which can be in
   one file, and a view's functions with their numbers. Used by the formats in this
   room. */

#ifndef MLPROF_CONTENT_H
#define MLPROF_CONTENT_H

#include "mlprof/rows/tree.h"
#include "mlprof/view/view.h"

/* The amounts of a measure, or the blocks of a measure of memory (if BLOCKS). */
struct values_value {
    const struct measure *measure;
    bool blocks;
};

/* Sets VALUE, which is all zero at first, to the next value of PROFILE. Returns false
   if there is none. */
bool values_next(struct values_value *value, const struct profile *profile);

enum measure_unit values_unit(const struct values_value *value);

/* Returns the name of VALUE. The caller frees it. */
char *values_name(const struct values_value *value, const struct profile *profile);

/* Returns BYTES, a word for bytes or blocks, followed by their meaning, such as `bytes
   allocated'. The caller frees it. */
char *values_of_memory(const struct profile *profile, const char *bytes);

/* Returns whether the stacks of PROFILE have VALUE. */
bool values_has_stacks(const struct values_value *value, const struct profile *profile);

/* Fills TREE with the stacks that have VALUE. If stacks do not have it, uses
   functions as stacks of one frame. tree_free frees TREE. */
void values_tree(struct tree *tree, const struct values_value *value,
                 const struct rows *rows, const struct profile *profile);

/* A function. If a function has code from several files, for example macros or
   included files, each file counts as a separate function. */
struct functions_function {
    uint32_t row;
    const char *name; /* name as in the table, in UTF-8 */
    /* The symbol; "": not known, or the function was not compiled with ccprof. */
    const char *symbol;
    const char *file;      /* path of the file, in UTF-8; "": not known */
    const char *path;      /* the same for source-files.h */
    uint32_t line, column; /* start of the function; 0: not known, or in another file */
};

/* All zero except for VIEW at first. */
struct functions {
    const struct view *view;
    struct functions_function *list;
    size_t count, capacity;
    struct index index; /* key: row, file */
    struct intern texts;
};

void functions_free(struct functions *functions);

/* Returns the number of the function of a node of the stacks. The node must have a
   weight. */
uint32_t functions_of_node(struct functions *functions, uint32_t node);

/* Returns the number of the function of a row, in the row's own file. */
uint32_t functions_of_row(struct functions *functions, uint32_t row);

/* Returns the number of the function of a row, in the file with the path FILE; NULL: not
   known. */
uint32_t functions_of_file(struct functions *functions, uint32_t row, const char *file);

#endif
