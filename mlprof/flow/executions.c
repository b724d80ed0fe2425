/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often control enters the blocks of an expression, so that an expression
   with several blocks is counted once. */

#include "mlprof/flow/executions.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/flow/gcov.h"
#include "mlprof/flow/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct expression_entries {
    const struct flowcounts_flow *flow;
    struct loops loops;
    struct groups into; /* edges grouped by target block */
    /* An order of the blocks. The walk starts at an artificial root with edges to all
       blocks. In this order, each block comes before its successors, except those to
       which a back edge leads. */
    struct dominators walk;
    uint32_t *round; /* by back edge: the innermost loop that contains both ends */
    /* Number of the current query. */
    uint32_t stamp;
    /* By block and by loop: equal to STAMP if the block or loop contains a part of the
       expression. */
    uint32_t *has_block, *has_loop;
    /* By place in the order: the fraction of the executions leaving the block that
       have already entered the expression. */
    double *share;
};

static void find_order(struct expression_entries *entries)
{
    const struct flowgraph *graph = &entries->flow->flow->graph;
    uint32_t root = (uint32_t)graph->blocks.count;
    size_t count = 0;
    BUF_OWN struct dominators_edge *edges =
        buf_alloc((graph->edges.count + graph->blocks.count) * sizeof *edges);
    for (size_t i = 0; i < graph->edges.count; i++)
        edges[count++] =
            (struct dominators_edge){graph->edges.list[i].from, graph->edges.list[i].to};
    for (uint32_t i = 0; i < root; i++)
        edges[count++] = (struct dominators_edge){root, i};
    dominators_find(&entries->walk, graph->blocks.count + 1, edges, count, root);
}

static bool leads_back(const struct expression_entries *entries, uint32_t edge)
{
    const struct flowgraph_edge *entry = &entries->flow->flow->graph.edges.list[edge];
    return entries->walk.place[entry->to] <= entries->walk.place[entry->from];
}

static void find_rounds(struct expression_entries *entries)
{
    const struct flowgraph *graph = &entries->flow->flow->graph;
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[i];
        uint32_t loop =
            leads_back(entries, i) ? entries->loops.of_block[edge->to] : LOOPS_NONE;
        while (loop != LOOPS_NONE && !loops_is_in(&entries->loops, edge->from, loop))
            loop = entries->loops.loops[loop].outer;
        entries->round[i] = loop;
    }
}

struct expression_entries *expression_entries_new(const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    struct expression_entries *entries = buf_alloc(sizeof *entries);
    entries->flow = flow;
    loops_find(&entries->loops, flow);
    GROUPS_BY(&entries->into, graph->blocks.count, graph->edges.list, to,
              graph->edges.count);
    entries->has_block = buf_alloc(graph->blocks.count * sizeof *entries->has_block);
    entries->share = buf_alloc((graph->blocks.count + 1) * sizeof *entries->share);
    entries->round = buf_alloc((graph->edges.count + 1) * sizeof *entries->round);
    entries->has_loop = buf_alloc((entries->loops.count + 1) * sizeof *entries->has_loop);
    find_order(entries);
    find_rounds(entries);
    return entries;
}

void expression_entries_free(struct expression_entries *entries)
{
    if (!entries)
        return;
    loops_free(&entries->loops);
    groups_free(&entries->into);
    dominators_free(&entries->walk);
    free(entries->has_block);
    free(entries->share);
    free(entries->round);
    free(entries->has_loop);
    free(entries);
}

/* Sets *ALL to the number of executions that reach BLOCK, and *HAVE to how many of
   them have already entered the expression. Back edges of loops that contain no block
   of the expression are ignored, because they do not change this fraction. */
static void add_up(const struct expression_entries *entries, uint32_t block,
                   uint32_t first, double *all, double *have)
{
    *all = *have = 0;
    for (size_t i = entries->into.first[block]; i < entries->into.first[block + 1]; i++) {
        uint32_t edge = (uint32_t)entries->into.members[i];
        uint32_t from =
            entries->walk.place[entries->flow->flow->graph.edges.list[edge].from];
        double count = (double)flowcounts_shown(entries->flow->edges[edge]);
        bool back = leads_back(entries, edge);
        uint32_t round = entries->round[edge];
        if (back && round != LOOPS_NONE && entries->has_loop[round] != entries->stamp)
            continue;
        *all += count;
        if (!back && from >= first)
            *have += count * entries->share[from];
    }
}

uint64_t expression_entries_count(struct expression_entries *entries,
                                  const uint32_t *blocks, size_t count)
{
    uint32_t first = UINT32_MAX, last = 0;
    double sum = 0;
    entries->stamp++;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = entries->walk.place[blocks[i]];
        first = place < first ? place : first;
        last = place > last ? place : last;
        entries->has_block[blocks[i]] = entries->stamp;
        for (uint32_t loop = entries->loops.of_block[blocks[i]]; loop != LOOPS_NONE;
             loop = entries->loops.loops[loop].outer)
            entries->has_loop[loop] = entries->stamp;
    }
    for (uint32_t place = first; place <= last; place++) {
        uint32_t block = entries->walk.order[place];
        double all, have;
        add_up(entries, block, first, &all, &have);
        entries->share[place] = all > 0 ? have / all : 0;
        if (entries->has_block[block] != entries->stamp)
            continue;
        sum += fmax(0, (double)flowcounts_shown(entries->flow->blocks[block]) - have);
        entries->share[place] = 1;
    }
    return (uint64_t)llround(sum);
}

static void add_point(struct executions *executions, const struct executions_point *point)
{
    BUF_NEXT(executions->points, executions->count, executions->capacity) = *point;
}

static void add_lines(struct executions *executions, const struct flowcounts_flow *flow)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, &flow, 1, GCOV_OF_FUNCTIONS);
    for (size_t i = 0; i < gcov.lines.count; i++) {
        const struct gcov_line *line = &gcov.lines.list[i];
        const char *file = sourcefile_find(intern_text(&gcov.files, line->file));
        if (file)
            add_point(executions,
                      &(struct executions_point){.flow = flow,
                                                 .file = file,
                                                 .line = line->line,
                                                 .count = flowcounts_shown(line->count)});
    }
    gcov_free(&gcov);
}

/* A block with a line, or with a position and range. */
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
            return BUF_ORDER(a[i], b[i]);
    return 0;
}

static size_t find_members(struct member *members, struct intern *files,
                           const struct flowgraph *graph, bool ranges)
{
    size_t count = 0;
    for (uint32_t i = 0; i < graph->blocks.count; i++) {
        const struct flowgraph_span *span = &graph->blocks.list[i].positions;
        for (uint32_t k = span->first; k < span->first + span->count; k++) {
            const struct flowgraph_position *position = &graph->positions.list[k];
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
    BUF_OWN struct member *members =
        buf_alloc((graph->positions.count + 1) * sizeof *members);
    BUF_OWN uint32_t *blocks = buf_alloc((graph->positions.count + 1) * sizeof *blocks);
    struct expression_entries *entries =
        NULL; /* Created only if needed, because few points have several blocks. */
    size_t count = find_members(members, &files, graph, ranges);
    for (size_t first = 0, next; first < count; first = next) {
        size_t block_count = 0;
        for (next = first; next < count && is_same_range(&members[first], &members[next]);
             next++)
            if (!block_count || blocks[block_count - 1] != members[next].block)
                blocks[block_count++] = members[next].block;
        if (block_count > 1 && !entries)
            entries = expression_entries_new(flow);
        uint64_t executed = block_count == 1
                                ? flowcounts_shown(flow->blocks[blocks[0]])
                                : expression_entries_count(entries, blocks, block_count);
        add_point(executions,
                  &(struct executions_point){
                      .flow = flow,
                      .file = sourcefile_find(intern_text(&files, members[first].file)),
                      .line = members[first].line,
                      .column = members[first].column,
                      .range = members[first].range,
                      .count = executed});
    }
    expression_entries_free(entries);
    intern_free(&files);
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
