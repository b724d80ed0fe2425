/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/executions.h"
#include "mlprof/base/buf.h"
#include "mlprof/flow/begun.h"
#include "mlprof/flow/gcov.h"

#include <stdlib.h>
#include <string.h>

static void add(struct executions *executions, const struct executions_point *point)
{
    BUF_NEXT(executions->points, executions->count, executions->capacity) = *point;
}

/* The text that the flow has for FILE.  */
static const char *own_text(const struct flowcounts_flow *flow, const char *file)
{
    const struct flowgraph *graph = &flow->flow->graph;
    for (size_t i = 0; i < graph->string_count; i++)
        if (strcmp(graph->strings[i], file) == 0)
            return graph->strings[i];
    return NULL;
}

static void add_lines(struct executions *executions, const struct flowcounts_flow *flow)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, &flow, 1, GCOV_OF_FUNCTIONS);
    for (size_t i = 0; i < gcov.line_count; i++) {
        const struct gcov_line *line = &gcov.lines[i];
        const char *file = own_text(flow, intern_text(&gcov.files, line->file));
        if (file)
            add(executions,
                &(struct executions_point){.flow = flow,
                                           .file = file,
                                           .line = line->line,
                                           .count = flowcounts_shown(line->count)});
    }
    gcov_free(&gcov);
}

/* A block that has this line, or this position and range.  */
struct member {
    uint32_t file;
    struct flowgraph_range range;
    uint32_t block, line, column;
};

static int by_range(const void *one, const void *other)
{
    const uint32_t *a = one, *b = other;
    for (size_t i = 0; i < sizeof(struct member) / sizeof *a; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static size_t find_members(struct member *members, struct intern *files,
                           const struct flowgraph *graph, bool ranges)
{
    size_t count = 0;
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct flowgraph_span *span = &graph->blocks[i].positions;
        for (uint32_t k = span->first; k < span->first + span->count; k++) {
            const struct flowgraph_position *position = &graph->positions[k];
            struct flowgraph_range range = {position->line, position->column,
                                            position->line, position->column};
            if (!position->file || !position->line || !position->column)
                continue;
            members[count++] = (struct member){intern_put(files, position->file),
                                               ranges ? graph->ranges[k] : range, i,
                                               position->line, position->column};
        }
    }
    BUF_SORT(members, count, by_range);
    return count;
}

static bool is_same_range(const struct member *one, const struct member *other)
{
    return one->file == other->file &&
           memcmp(&one->range, &other->range, sizeof one->range) == 0;
}

static void add_points(struct executions *executions, const struct flowcounts_flow *flow,
                       bool ranges)
{
    const struct flowgraph *graph = &flow->flow->graph;
    struct intern files = {0};
    struct member *members = buf_alloc((graph->position_count + 1) * sizeof *members);
    uint32_t *blocks = buf_alloc((graph->position_count + 1) * sizeof *blocks);
    struct begun *begun = NULL; /* few points have several blocks */
    size_t count = find_members(members, &files, graph, ranges);
    for (size_t first = 0, next; first < count; first = next) {
        size_t block_count = 0;
        for (next = first; next < count && is_same_range(&members[first], &members[next]);
             next++)
            if (!block_count || blocks[block_count - 1] != members[next].block)
                blocks[block_count++] = members[next].block;
        if (block_count > 1 && !begun)
            begun = begun_new(flow);
        uint64_t executed = block_count == 1 ? flowcounts_shown(flow->blocks[blocks[0]])
                                             : begun_count(begun, blocks, block_count);
        add(executions,
            &(struct executions_point){
                .flow = flow,
                .file = own_text(flow, intern_text(&files, members[first].file)),
                .line = members[first].line,
                .column = members[first].column,
                .range = members[first].range,
                .count = executed});
    }
    begun_free(begun);
    intern_free(&files);
    free(members);
    free(blocks);
}

void executions_find(struct executions *executions, const struct flowcounts *flows,
                     enum executions_of what)
{
    memset(executions, 0, sizeof *executions);
    for (size_t i = 0; i < flows->count; i++) {
        const struct flowcounts_flow *flow = &flows->flows[i];
        if (flow->row == FLOWCOUNTS_NO_ROW)
            continue;
        if (what == EXECUTIONS_OF_LINES)
            add_lines(executions, flow);
        else
            add_points(executions, flow, what == EXECUTIONS_OF_RANGES);
    }
}

void executions_free(struct executions *executions)
{
    free(executions->points);
    memset(executions, 0, sizeof *executions);
}
