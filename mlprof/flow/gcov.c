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

/* A block that ends on a line. */
struct member {
    uint32_t line; /* index of the line before sorting */
    uint32_t function, block;
};

/* Data that is needed while the result is built. */
struct builder {
    struct gcov *gcov;
    enum gcov_scope scope;
    struct index index; /* key: file, function and line */
    uint32_t *block_of; /* by line: the last block added to it, plus 1 */
    size_t block_capacity;
    BUF_VECTOR(struct member) members;
    /* By block of the current function: it can be reached only by exceptions. */
    bool *exceptional;
};

static bool is_fake(const struct flowgraph_edge *edge)
{
    return edge->flags & CCPROF_EDGE_FAKE;
}

/* Returns whether control may leave the block for another function and not return. */
static bool may_not_return(const struct flowgraph *graph, uint32_t block)
{
    const struct flowgraph_span *span = &graph->blocks.list[block].edges;
    for (uint32_t i = span->first; block && i < span->first + span->count; i++)
        if (is_fake(&graph->edges.list[i]))
            return true;
    return false;
}

/* Returns whether the edge is an exception. If control may leave the edge's source
   block and not return (MAY_NOT), all edges of the block except the fall-through edge
   are exceptions. */
static bool is_throw(const struct flowgraph_edge *edge, bool may_not)
{
    if (edge->flags & (CCPROF_EDGE_FAKE | CCPROF_EDGE_FALLTHROUGH))
        return false;
    return may_not || edge->flags & CCPROF_EDGE_EXCEPTION;
}

static bool has_throw(const struct flowgraph *graph)
{
    for (uint32_t i = 0; i < graph->blocks.count; i++) {
        const struct flowgraph_span *span = &graph->blocks.list[i].edges;
        bool may_not = may_not_return(graph, i);
        for (uint32_t k = 0; k < span->count; k++)
            if (is_throw(&graph->edges.list[span->first + k], may_not))
                return true;
    }
    return false;
}

/* Returns, by block, whether it can be reached only by exceptions. The caller frees the
   result. */
static bool *find_exceptional(const struct flowgraph *graph)
{
    bool *exceptional = buf_alloc(graph->blocks.count * sizeof *exceptional);
    if (!has_throw(graph))
        return exceptional;
    BUF_OWN uint32_t *queue = buf_alloc(graph->blocks.count * sizeof *queue);
    size_t waiting = 0;
    memset(exceptional, true, graph->blocks.count);
    exceptional[FLOWGRAPH_ENTRY] = false;
    queue[waiting++] = FLOWGRAPH_ENTRY;
    while (waiting) {
        uint32_t number = queue[--waiting];
        const struct flowgraph_block *block = &graph->blocks.list[number];
        bool may_not = may_not_return(graph, number);
        for (uint32_t i = 0; i < block->edges.count; i++) {
            const struct flowgraph_edge *edge =
                &graph->edges.list[block->edges.first + i];
            if (is_fake(edge) || is_throw(edge, may_not) || !exceptional[edge->to])
                continue;
            exceptional[edge->to] = false;
            queue[waiting++] = edge->to;
        }
    }
    return exceptional;
}

static uint32_t file_number(struct gcov *gcov, const char *file)
{
    return intern_put(&gcov->files, file ? file : UNKNOWN);
}

/* Returns the function that a line of FILE belongs to, or GCOV_NONE if the line
   belongs to the file. */
static uint32_t owner(const struct builder *builder, uint32_t function, uint32_t file,
                      uint32_t line)
{
    const struct gcov_function *f = &builder->gcov->functions[function];
    const struct flowgraph *graph = &f->flow->flow->graph;
    if (builder->scope == GCOV_OF_FUNCTIONS)
        return function;
    if (f->alone && f->file == file && line >= graph->start.line &&
        line <= graph->end_line)
        return function;
    return GCOV_NONE;
}

static uint32_t put_line(struct builder *builder, uint32_t function, uint32_t file,
                         uint32_t line)
{
    struct gcov *gcov = builder->gcov;
    uint32_t owning_function = owner(builder, function, file, line);
    bool fresh;
    uint32_t number = index_put(&builder->index, file, owning_function, line, &fresh);
    if (fresh) {
        BUF_PUSH(gcov->lines) =
            (struct gcov_line){.file = file, .function = owning_function, .line = line};
        BUF_AT(builder->block_of, number, builder->block_capacity) = 0;
    }
    return number;
}

/* Returns whether gcov treats the block as the exit. gcov uses the last block as the
   exit when it counts executed blocks and when it decides on which line a block ends.
   In older GCCs, the last block was the exit. Today the last block is usually the end
   of the function, so gcov does not add the executions of this block to its line. */
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
    uint32_t last = GCOV_NONE;
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
        line->unexecuted_block |= count == 0 && !builder->exceptional[block];
        if (last != GCOV_NONE && gcov->lines.list[last].file != file) {
            add_member(builder, last, function, block);
            last = GCOV_NONE;
        }
        if (last == GCOV_NONE || gcov->lines.list[last].line < line->line)
            last = number;
    }
    if (last != GCOV_NONE)
        add_member(builder, last, function, block);
}

static void add_function(struct builder *builder, uint32_t number, uint32_t *stamp)
{
    struct gcov_function *function = &builder->gcov->functions[number];
    const struct flowgraph *graph = &function->flow->flow->graph;
    builder->exceptional = find_exceptional(graph);
    for (uint32_t i = FLOWGRAPH_EXIT; i < graph->blocks.count; i++) {
        function->blocks_executed +=
            function->flow->blocks[i] != 0 && !is_taken_for_exit(graph, i);
        add_block(builder, number, i, ++*stamp);
    }
    free(builder->exceptional);
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
    bool may_not = may_not_return(graph, block);
    const struct gcov_cycles_edge *edges = gcov_cycles_edges(cycles, block, &count);
    for (size_t i = 0; i < count; i++)
        ways += !is_fake(&graph->edges.list[edges[i].edge]);
    for (size_t i = 0; ways > 1 && i < count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[edges[i].edge];
        if (is_fake(edge))
            continue;
        BUF_PUSH(gcov->branches) = (struct gcov_branch){
            .from = edge->from,
            .to = edge->to,
            .count = flow->edges[edges[i].edge],
            .is_throw = is_throw(edge, may_not),
            .is_fallthrough = edge->flags & CCPROF_EDGE_FALLTHROUGH,
        };
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
    gcov->blocks.list =
        buf_grow(gcov->blocks.list, &gcov->blocks.capacity,
                 gcov->blocks.count + (end - first), sizeof *gcov->blocks.list);
    memcpy(gcov->blocks.list + gcov->blocks.count, blocks,
           (end - first) * sizeof *blocks);
    gcov->blocks.count += end - first;
    line->block_count += end - first;
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
            line->first_block = gcov->blocks.count;
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

BUF_COMPARE(by_position, struct gcov_line, BUF_ORDER(a->file, b->file) ?:
            BUF_ORDER(a->function, b->function) ?: BUF_ORDER(a->line, b->line))

void gcov_evaluate(struct gcov *gcov, const struct flowcounts_flow *const *flows,
                   size_t count, enum gcov_scope scope)
{
    struct builder builder = {.gcov = gcov, .scope = scope};
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
    free(gcov->blocks.list);
    memset(gcov, 0, sizeof *gcov);
}
