/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/ways.h"
#include "mlprof/base/buf.h"

#include <inttypes.h>
#include <stdlib.h>

uint32_t ways_put(struct ways *ways, uint32_t inside, char *text)
{
    uint32_t frame = intern_put(&ways->frames, text);
    bool fresh;
    uint32_t number = index_put(&ways->index, inside, frame, 0, &fresh);
    if (fresh)
        BUF_NEXT(ways->list, ways->count, ways->capacity) =
            (struct ways_way){inside, frame};
    free(text);
    return number;
}

uint32_t ways_put_source(struct ways *ways, uint32_t inside, uint32_t source,
                         const char *file, uint32_t line, uint32_t column)
{
    const struct rows *rows = ways->view->rows;
    struct rows_row row = {.source = rows->stacks.sources[source]};
    if (source < rows->source_count && rows->of_source[source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[source]].shown;
    BUF_OWN char *name = view_name(ways->view, &row);
    char *text = !file || !line ? buf_format(WAYS_ADDRESS "%s (%s)", name,
                                             row.source.file ? row.source.file : "???")
                 : column
                     ? buf_format(WAYS_ADDRESS "%s (%s:%" PRIu32 ":%" PRIu32 ")", name,
                                  file, line, column)
                     : buf_format(WAYS_ADDRESS "%s (%s:%" PRIu32 ")", name, file, line);
    return ways_put(ways, inside, text);
}

uint32_t ways_put_node(struct ways *ways, uint32_t inside, uint32_t node, bool columns)
{
    const struct stacks *stacks = &ways->view->rows->stacks;
    const struct stacks_position *position =
        &stacks->positions[stacks->nodes[node].position];
    return ways_put_source(ways, inside, stacks_source_of(stacks, node), position->file,
                           position->line, columns ? position->column : 0);
}

void ways_free(struct ways *ways)
{
    intern_free(&ways->frames);
    index_free(&ways->index);
    free(ways->list);
}
