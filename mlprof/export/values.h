/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which values a profile has, for the formats that show several beside each
   other.  */

#ifndef MLPROF_VALUES_H
#define MLPROF_VALUES_H

#include "mlprof/rows/tree.h"

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

/* What functions have of it, with their branches.  */
typedef uint64_t values_of_function(const struct rows_row *row);
values_of_function *values_of_functions(const struct values_value *value);

/* Fills TREE, which tree_free frees, with the stacks or else the functions that have the
   value.  */
void values_tree(struct tree *tree, const struct values_value *value,
                 const struct rows *rows, const struct profile *profile);

#endif
