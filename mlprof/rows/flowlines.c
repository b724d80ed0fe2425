/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/flowlines.h"
#include "mlprof/base/buf.h"
#include "mlprof/flow/gcov.h"

#include <stdlib.h>
#include <string.h>

/* The entry of a line, made if it is missing.  */
static struct lines_line *put(struct lines *lines, struct index *index, uint32_t row,
                              uint32_t line, uint32_t module)
{
    bool fresh;
    uint32_t number = index_put(index, row, line, 0, &fresh);
    if (fresh) {
        lines->lines = buf_grow(lines->lines, &lines->capacity, lines->count + 1,
                                sizeof *lines->lines);
        lines->lines[lines->count++] =
            (struct lines_line){.row = row, .line = line, .module = module};
    }
    return &lines->lines[number];
}

/* Lines of other files, of macros for example, have no place in the function's text.  */
static void add_flow(struct lines *lines, struct index *index,
                     const struct flowcounts_flow *flow, const char *file)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, &flow, 1, GCOV_OF_FUNCTIONS);
    for (size_t i = 0; i < gcov.line_count; i++) {
        const struct gcov_line *line = &gcov.lines[i];
        if (strcmp(intern_text(&gcov.files, line->file), file) != 0)
            continue;
        struct lines_line *entry = put(lines, index, flow->row, line->line, flow->module);
        entry->counted = true;
        entry->count += flowcounts_shown(line->count);
    }
    gcov_free(&gcov);
}

void flowlines_add(struct lines *lines, const struct flowcounts *counts,
                   const struct rows *rows, const bool *wanted)
{
    struct index index = {0};
    for (size_t i = 0; i < lines->count; i++) {
        bool fresh;
        index_put(&index, lines->lines[i].row, lines->lines[i].line, 0, &fresh);
    }
    for (size_t i = 0; i < counts->count; i++) {
        const struct flowcounts_flow *flow = &counts->flows[i];
        if (flow->row != STACKS_NONE && wanted[flow->row] &&
            rows->rows[flow->row].source.file)
            add_flow(lines, &index, flow, rows->rows[flow->row].source.file);
    }
    index_free(&index);
    lines_sort(lines);
}
