/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/values.h"
#include "mlprof/base/buf.h"

bool values_next(struct values_value *value, const struct profile *profile)
{
    const struct measure *m = value->measure;
    bool last = m && !value->blocks;
    if (!last && m) {
        value->blocks = false;
        return true;
    }
    m = m ? m + 1 : measure_all;
    while (m->word && !profile_has(profile, m))
        m++;
    *value = (struct values_value){m, m->memory};
    return m->word;
}

enum measure_unit values_unit(const struct values_value *value)
{
    return value->blocks ? MEASURE_COUNT : value->measure->unit;
}

char *values_of_memory(const struct profile *profile, const char *bytes)
{
    const struct measure *shown = profile_measure(profile);
    return buf_format("%s %s", bytes,
                      (shown->kinds ? measure_of_kinds(CCPROF_KIND_ALLOC) : shown)->what);
}

char *values_name(const struct values_value *value, const struct profile *profile)
{
    bool wall = profile->clock == PROFILE_WALL;
    if (value->measure->unit == MEASURE_NANOSECONDS)
        return buf_copy(wall ? "wall time" : "CPU time");
    return value->measure->memory
               ? values_of_memory(profile, value->blocks ? "blocks" : "bytes")
               : buf_copy(value->measure->plural);
}

bool values_has_stacks(const struct values_value *value, const struct profile *profile)
{
    return value->measure == profile_measure(profile) && value->measure->stacks &&
           !value->blocks;
}

static uint64_t calls_of(const struct rows_row *row)
{
    return row->calls;
}

static uint64_t blocks_of(const struct rows_row *row)
{
    return rows_with_branches(row).blocks;
}

static uint64_t bytes_of(const struct rows_row *row)
{
    return rows_with_branches(row).bytes;
}

values_of_function *values_of_functions(const struct values_value *value)
{
    return value->blocks ? blocks_of : value->measure->memory ? bytes_of : calls_of;
}

void values_tree(struct tree *tree, const struct values_value *value,
                 const struct rows *rows, const struct profile *profile)
{
    if (values_has_stacks(value, profile))
        tree_of_stacks(tree, rows);
    else
        tree_of_functions(tree, rows, values_of_functions(value));
}
