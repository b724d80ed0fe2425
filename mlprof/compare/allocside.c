/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/allocside.h"
#include "mlprof/base/buf.h"
#include "mlprof/view/allocview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where the call of a row is in its function: its path, and the lines from the function's
   beginning or, in another file, from that file's; to be freed.  */
static char *within(const struct allocs_table_row *row,
                    const struct identity_source *source)
{
    if (!source || !source->file)
        return buf_copy("");
    const char *file = row->file ? row->file : source->file;
    bool own = row->line >= source->line && strcmp(file, source->file) == 0;
    char *path = path_straight(source->directory, file);
    char *where = buf_format("%s:%" PRIu32, path, row->line - (own ? source->line : 0));
    free(path);
    return where;
}

/* The text by which a row is found again, but for where its call is; to be freed.  */
static char *key_of(const struct allocs_table_row *row,
                    const struct identity_source *source)
{
    const char *symbol = source && source->symbol ? source->symbol : "";
    return buf_format("%s\n%s\n%s", *symbol ? symbol : row->name, row->type,
                      row->allocator);
}

/* The number of a row, which is added if it is missing.  */
static uint32_t put(struct side *side, const struct allocs_table_row *row,
                    const struct identity_source *source)
{
    char *where = within(row, source), *key = key_of(row, source);
    char *name = buf_format("%s\n%s", key, where);
    const struct identity_source identity = {
        .name = name,
        .file = row->file || !source ? row->file : source->file,
        .directory = source ? source->directory : NULL};
    size_t count = side->function_count;
    uint32_t number = side_put(side, &identity, row->name[0] ? row->name : row->type);
    struct side_function *function = &side->functions[number];
    if (side->function_count > count) {
        free(function->key);
        function->key = key;
        function->line = row->line;
        function->column = row->column;
        function->allocation = buf_alloc(sizeof *function->allocation);
        *function->allocation =
            (struct side_allocation){buf_copy(row->position), buf_copy(row->type),
                                     buf_copy(row->allocator), where};
    } else {
        free(key);
        free(where);
    }
    free(name);
    return number;
}

void allocside_add(struct side *side, const struct evaluate_result *result,
                   const struct view *view, enum allocview_by by)
{
    const struct identity_source *sources = result->rows.stacks.sources;
    size_t count;
    struct allocs_table_row *rows = allocs_table_rows(view, by, &count);
    uint32_t *numbers = buf_alloc((count + 1) * sizeof *numbers);
    uint64_t bytes = 0, blocks = 0;
    side->allocs = by;
    for (size_t i = 0; i < count; i++)
        numbers[i] = put(side, &rows[i],
                         rows[i].source == STACKS_NONE ? NULL : &sources[rows[i].source]);
    struct side_values *values = buf_alloc((side->function_count + 1) * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[numbers[i]].of[SIDE_BYTES] += rows[i].bytes;
        values[numbers[i]].of[SIDE_BLOCKS] += rows[i].blocks;
        bytes += rows[i].bytes;
        blocks += rows[i].blocks;
        allocs_table_free_texts(&rows[i]);
    }
    side_add_values(side, result, values, side->function_count);
    side->runs[side->run_count - 1].totals[SIDE_BYTES] = bytes;
    side->runs[side->run_count - 1].totals[SIDE_BLOCKS] = blocks;
    free(numbers);
    free(rows);
}
