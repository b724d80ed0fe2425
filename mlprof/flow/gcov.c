/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns blocks to lines and functions by gcov's rules, and adds up the counts of
   lines and branches. Also copies a fault of gcov: see is_taken_for_exit. */

#include "mlprof/flow/gcov.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/index.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN "<unknown>"
#define NONE    UINT32_MAX

/* A block that ends on a line. */
struct member {
    uint32_t line; /* index of the line before sorting */
    uint32_t function, block;
};

/* Data that is needed while the result is built. */
struct builder {
    struct gcov *gcov;
    enum gcov_owners owners;
    struct index index; /* key: file, function and line */
    uint32_t *block_of; /* by line: the last block added to it, plus 1 */
    size_t block_capacity;
    BUF_VECTOR(struct member) members;
};

static bool is_fake(const struct flowgraph_edge *edge)
{
    return edge->flags & CCPROF_EDGE_FAKE;
}

static uint32_t file_number(struct gcov *gcov, const char *file)
{
    return intern_put(&gcov->files, file ? file : UNKNOWN);
}

/* Returns the function that a line of FILE belongs to, or NONE if the line belongs
   to the file. */
static uint32_t owner(const struct builder *builder, uint32_t function, uint32_t file,
                      uint32_t line)
{
    const struct gcov_function *f = &builder->gcov->functions[function];
    const struct flowgraph *graph = &f->flow->flow->graph;
    if (builder->owners == GCOV_OF_FUNCTIONS)
        return function;
    if (f->alone && f->file == file && line >= graph->start.line &&
        line <= graph->end_line)
        return function;
    return NONE;
}

static uint32_t put_line(struct builder *builder, uint32_t function, uint32_t file,
                         uint32_t line)
{
    struct gcov *gcov = builder->gcov;
    bool fresh;
    uint32_t number = index_put(&builder->index, file,
                                owner(builder, function, file, line), line, &fresh);
    if (fresh) {
        BUF_PUSH(gcov->lines) = (struct gcov_line){.file = file, .line = line};
        BUF_AT(builder->block_of, number, builder->block_capacity) = 0;
    }
    return number;
}

/* Returns whether gcov treats the block as the exit. gcov uses the last block as the
   exit when it decides on which line a block ends. In older GCCs, the last block was the
   exit. Today the last block is usually the end of the function, so gcov does not add the
   executions of this block to its line. */
static bool is_taken_for_exit(const struct flowgraph *graph, uint32_t block)
{
    return block == graph->blocks.count - 1;
}

static void add_member(struct builder *builder, uint32_t line, uint32_t function,
                       uint32_t block)
{
    if (is_taken_for_exit(&builder->gcov->functions[function].flow->flow->graph, block))
        return;
    BUF_PUSH(builder->members) =
        (struct member){.line = line, .function = function, .block = block};
}

/* Adds a block to the lines of its positions. The block ends on the last line of each
   sequence of positions in one file. STAMP must differ for blocks of different
   functions. */
static void add_block(struct builder *builder, uint32_t function, uint32_t block,
                      uint32_t stamp)
{
    struct gcov *gcov = builder->gcov;
    const struct flowcounts_flow *flow = gcov->functions[function].flow;
    const struct flowgraph *graph = &flow->flow->graph;
    const struct flowgraph_span *span = &graph->blocks.list[block].positions;
    int64_t count = flow->blocks[block];
    uint32_t last = NONE;
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        const struct flowgraph_position *position = &graph->positions.list[i];
        uint32_t file = file_number(gcov, position->file);
        uint32_t number =
            put_line(builder, function, file, position->line ? position->line : 1);
        struct gcov_line *line = &gcov->lines.list[number];
        if (builder->block_of[number] == stamp)
            continue;
        builder->block_of[number] = stamp;
        line->count = saturate_signed((__int128)line->count + count);
        if (last != NONE && gcov->lines.list[last].file != file) {
            add_member(builder, last, function, block);
            last = NONE;
        }
        if (last == NONE || gcov->lines.list[last].line < line->line)
            last = number;
    }
    if (last != NONE)
        add_member(builder, last, function, block);
}

static void add_function(struct builder *builder, uint32_t number, uint32_t *stamp)
{
    const struct flowgraph *graph = &builder->gcov->functions[number].flow->flow->graph;
    for (uint32_t i = FLOWGRAPH_EXIT; i < graph->blocks.count; i++)
        add_block(builder, number, i, ++*stamp);
}

static int by_start(const void *one, const void *other)
{
    const struct gcov_function *a = one, *b = other;
    const struct flowgraph_position *p = &a->flow->flow->graph.start;
    const struct flowgraph_position *q = &b->flow->flow->graph.start;
    return BUF_ORDER(a->file, b->file) ?: BUF_ORDER(p->line, q->line) ?:
           BUF_ORDER(p->column, q->column) ?: BUF_ORDER(a->flow, b->flow);
}

/* If several functions start on one line, each gets its own lines. */
static void mark_own_lines(struct gcov *gcov)
{
    struct index index = {0};
    BUF_OWN uint32_t *first = buf_alloc((gcov->function_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < gcov->function_count; i++) {
        struct gcov_function *function = &gcov->functions[i];
        bool fresh;
        uint32_t number = index_put(&index, function->file,
                                    function->flow->flow->graph.start.line, 0, &fresh);
        if (fresh)
            first[number] = i;
        else
            gcov->functions[first[number]].alone = function->alone = true;
    }
    index_free(&index);
}

BUF_COMPARE(by_line, struct member, BUF_ORDER(a->line, b->line) ?:
            BUF_ORDER(a->function, b->function) ?: BUF_ORDER(a->block, b->block))

static void add_branches(struct gcov *gcov, struct gcov_line *line,
                         const struct gcov_cycles *cycles,
                         const struct flowcounts_flow *flow, uint32_t block)
{
    const struct flowgraph *graph = &flow->flow->graph;
    size_t count, ways = 0;
    const struct gcov_cycles_edge *edges = gcov_cycles_edges(cycles, block, &count);
    for (size_t i = 0; i < count; i++)
        ways += !is_fake(&graph->edges.list[edges[i].edge]);
    for (size_t i = 0; ways > 1 && i < count; i++) {
        if (is_fake(&graph->edges.list[edges[i].edge]))
            continue;
        BUF_PUSH(gcov->branches) = flow->edges[edges[i].edge];
        line->branch_count++;
    }
}

/* Counts a line. Members FIRST to END are the blocks of a function that end on this
   line. */
static void count_line(struct builder *builder, struct gcov_cycles **cycles, size_t first,
                       size_t end)
{
    struct gcov *gcov = builder->gcov;
    const struct member *members = builder->members.list;
    const struct flowcounts_flow *flow = gcov->functions[members[first].function].flow;
    struct gcov_line *line = &gcov->lines.list[members[first].line];
    struct gcov_cycles **function_cycles = &cycles[members[first].function];
    BUF_OWN uint32_t *blocks = buf_alloc((end - first) * sizeof *blocks);
    if (!*function_cycles)
        *function_cycles = gcov_cycles_new(flow);
    for (size_t i = first; i < end; i++)
        blocks[i - first] = members[i].block;
    line->count = saturate_signed(
        (__int128)line->count + gcov_cycles_count(*function_cycles, blocks, end - first));
    for (size_t i = first; i < end; i++)
        add_branches(gcov, line, *function_cycles, flow, members[i].block);
}

/* Counts all lines. The count of a line is the number of executions of a subgraph:
   the blocks that end on the line. It is less than the sum of the counts of these
   blocks if control goes from one block to another. If none of these blocks was
   executed, the line gets the sum of the counts of all its blocks. gcov itself reports
   such a line as never executed, although other blocks on the line were executed.
   Example: a lambda continues after its first line, and a block of the enclosing
   function, perhaps for exceptions, ends on this line. */
static void count_lines(struct builder *builder)
{
    struct gcov *gcov = builder->gcov;
    struct member *members = builder->members.list;
    BUF_OWN struct gcov_cycles **cycles =
        buf_alloc((gcov->function_count + 1) * sizeof *cycles);
    BUF_SORT(members, builder->members.count, by_line);
    int64_t of_all = 0;
    for (size_t first = 0, next; first < builder->members.count; first = next) {
        struct gcov_line *line = &gcov->lines.list[members[first].line];
        if (first == 0 || members[first - 1].line != members[first].line) {
            of_all = line->count;
            line->count = 0;
            line->first_branch = gcov->branches.count;
        }
        for (next = first; next < builder->members.count &&
                           members[next].line == members[first].line &&
                           members[next].function == members[first].function;)
            next++;
        count_line(builder, cycles, first, next);
        if (line->count == 0 &&
            (next == builder->members.count || members[next].line != members[first].line))
            line->count = of_all;
    }
    for (size_t i = 0; i < gcov->function_count; i++)
        gcov_cycles_free(cycles[i]);
}

BUF_COMPARE(by_position, struct gcov_line,
            BUF_ORDER(a->file, b->file) ?: BUF_ORDER(a->line, b->line))

void gcov_evaluate(struct gcov *gcov, const struct flowcounts_flow *const *flows,
                   size_t count, enum gcov_owners owners)
{
    struct builder builder = {.gcov = gcov, .owners = owners};
    uint32_t stamp = 0;
    memset(gcov, 0, sizeof *gcov);
    gcov->functions = buf_alloc((count + 1) * sizeof *gcov->functions);
    for (size_t i = 0; i < count; i++) {
        const struct flowgraph *graph = &flows[i]->flow->graph;
        if (graph->flags & CCPROF_FLOW_ARTIFICIAL)
            continue;
        gcov->functions[gcov->function_count++] = (struct gcov_function){
            .flow = flows[i], .file = file_number(gcov, graph->start.file)};
    }
    BUF_SORT(gcov->functions, gcov->function_count, by_start);
    mark_own_lines(gcov);
    for (uint32_t i = 0; i < gcov->function_count; i++)
        add_function(&builder, i, &stamp);
    count_lines(&builder);
    BUF_SORT(gcov->lines.list, gcov->lines.count, by_position);
    index_free(&builder.index);
    free(builder.block_of);
    free(builder.members.list);
}

void gcov_free(struct gcov *gcov)
{
    intern_free(&gcov->files);
    free(gcov->functions);
    free(gcov->lines.list);
    free(gcov->branches.list);
    memset(gcov, 0, sizeof *gcov);
}
