/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and functions for several formats (content.h). */

#include "mlprof/export/content.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"

#include <stdlib.h>
#include <string.h>

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
    bool wall = profile->sampling.clock == PROFILE_WALL;
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

void values_tree(struct tree *tree, const struct values_value *value,
                 const struct rows *rows, const struct profile *profile)
{
    if (values_has_stacks(value, profile))
        tree_of_stacks(tree, rows);
    else
        tree_of_functions(tree, rows, value->measure, value->blocks);
}

void functions_free(struct functions *functions)
{
    free(functions->list);
    index_free(&functions->index);
    intern_free(&functions->texts);
}

/* Returns a copy of TEXT in UTF-8 that lives as long as FUNCTIONS. Frees TEXT, which
   may be NULL. */
static const char *keep_text(struct functions *functions, char *text)
{
    char *valid = utf8_valid(text ? text : "");
    const char *kept = intern_keep(&functions->texts, valid);
    free(text);
    return kept;
}

uint32_t functions_of_file(struct functions *functions, uint32_t row, const char *file)
{
    const struct rows_row *entry = &functions->view->rows->rows[row];
    const struct identity_source *source = &entry->source;
    bool fresh;
    uint32_t text = file ? intern_put(&functions->texts, file) : UINT32_MAX;
    uint32_t number = index_put(&functions->index, row, text, 0, &fresh);
    if (!fresh)
        return number;
    bool at_home = file && source->file && strcmp(file, source->file) == 0;
    BUF_NEXT(functions->list, functions->count,
             functions->capacity) = (struct functions_function){
        .row = row,
        .name = keep_text(functions, view_name(functions->view, entry)),
        .symbol = keep_text(functions, source->symbol ? buf_copy(source->symbol) : NULL),
        .file = keep_text(functions, file ? buf_copy(file) : NULL),
        .path = file,
        .line = at_home ? source->line : 0,
        .column = at_home ? source->column : 0};
    return number;
}

uint32_t functions_of_row(struct functions *functions, uint32_t row)
{
    return functions_of_file(functions, row,
                             functions->view->rows->rows[row].source.file);
}

uint32_t functions_of_node(struct functions *functions, uint32_t node)
{
    const struct view *view = functions->view;
    const struct stacks *stacks = &view->rows->stacks;
    const struct stacks_copy *copy = &stacks->copies.list[stacks->nodes.list[node].copy];
    const char *file = stacks->positions.list[stacks->nodes.list[node].position].file;
    uint32_t row = rows_of_node(view->rows, node);
    if (!file || copy->module == STACKS_NONE)
        return functions_of_row(functions, row);
    return functions_of_file(functions, row, file);
}
