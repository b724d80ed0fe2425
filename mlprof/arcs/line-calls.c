/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first half adds up samples and counts by caller, line and callee, in one walk
   over the stacks. The second half adds up the edges of the flow graphs that jump from
   one line to another. */

#include "mlprof/arcs/line-calls.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    struct call_lines *lines;
    const struct rows *rows;
    struct index index; /* key: caller, line and callee; value: number of the call */
    uint64_t *seen;     /* by call: number of samples with this call */
    size_t seen_capacity;
};

static uint32_t put_call(struct finder *finder, uint32_t caller, uint32_t line,
                         uint32_t callee)
{
    struct call_lines *lines = finder->lines;
    bool fresh;
    uint32_t number = index_put(&finder->index, caller, line, callee, &fresh);
    if (!fresh)
        return number;
    BUF_NEXT(lines->calls, lines->count, lines->capacity) =
        (struct call_lines_call){.caller = caller, .line = line, .callee = callee};
    BUF_AT(finder->seen, number, finder->seen_capacity) = 0;
    return number;
}

/* Returns the number of the call that created the frame NODE. */
static uint32_t call_of(struct finder *finder, uint32_t node)
{
    const struct rows *rows = finder->rows;
    const struct stacks *stacks = &rows->stacks;
    uint32_t callee = rows_of_node(rows, node), parent = stacks->nodes.list[node].parent;
    if (parent == STACKS_NONE)
        return put_call(finder, STACKS_NONE, 0, callee);
    uint32_t caller = rows_of_node(rows, parent);
    const struct stacks_position *position =
        &stacks->positions.list[stacks->nodes.list[parent].position];
    bool same_file = position->file == rows->rows[caller].source.file;
    return put_call(finder, caller, same_file ? position->line : 0, callee);
}

/* State of a walk over the stacks, by node and by row. */
struct active {
    uint32_t *calls;  /* by node: its call */
    uint32_t *below;  /* by node: its child on the path to the current node */
    uint32_t *before; /* by node: the innermost node of the same row further out */
    uint32_t *inner;  /* by row: its innermost node, or STACKS_NONE */
};

/* Enters NODE. Adds the samples of NODE to its call. If an outer activation of the
   same function is on the stack, subtracts the samples from the call that is open in
   the outer activation, so that no sample is counted twice. */
static void enter(struct finder *finder, struct active *active, uint32_t node)
{
    const struct stacks_node *nodes = finder->rows->stacks.nodes.list;
    uint32_t row = rows_of_node(finder->rows, node), call = call_of(finder, node);
    uint64_t weight = nodes[node].weight;
    active->calls[node] = call;
    finder->lines->calls[call].samples += weight;
    finder->seen[call] += weight;
    if (nodes[node].parent != STACKS_NONE)
        active->below[nodes[node].parent] = node;
    uint32_t outer = active->before[node] = active->inner[row];
    if (outer != STACKS_NONE)
        finder->lines->calls[active->calls[active->below[outer]]].samples -= weight;
    active->inner[row] = node;
}

static void add_samples(struct finder *finder)
{
    const struct rows *rows = finder->rows;
    const struct stacks *stacks = &rows->stacks;
    size_t count = stacks->nodes.count + 1;
    struct active active = {.calls = buf_alloc(count * sizeof *active.calls),
                            .below = buf_alloc(count * sizeof *active.below),
                            .before = buf_alloc(count * sizeof *active.before),
                            .inner = buf_alloc((rows->count + 1) * sizeof *active.inner)};
    memset(active.inner, 0xff, rows->count * sizeof *active.inner);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        if (stacks->nodes.list[walk.node].weight == 0)
            continue;
        if (walk.leave)
            active.inner[rows_of_node(rows, walk.node)] = active.before[walk.node];
        else
            enter(finder, &active, walk.node);
    }
    free(active.calls);
    free(active.below);
    free(active.before);
    free(active.inner);
}

static void add_count(struct finder *finder, const struct arcs_site *site,
                      uint32_t callee, uint64_t count)
{
    const char *file = finder->rows->rows[site->row].source.file;
    bool same_file =
        file && site->position.file && strcmp(file, site->position.file) == 0;
    if (callee == STACKS_NONE || count == 0)
        return;
    uint32_t number =
        put_call(finder, site->row, same_file ? site->position.line : 0, callee);
    struct call_lines_call *call = &finder->lines->calls[number];
    call->counted = true;
    call->calls += count;
}

/* Adds the callees of an indirect call if only one assignment is possible, so that the
   numbers of calls of all candidates are certain. */
static void add_certain(struct finder *finder, const struct arcs *arcs,
                        const struct arcs_site *site)
{
    for (size_t i = 0; i < arcs->candidate_count; i++) {
        struct arcs_calls calls = arcs_share(arcs, site->count, arcs->candidates[i]);
        if (calls.least != calls.most)
            return;
        add_count(finder, site, arcs->candidates[i], calls.least);
    }
}

static void add_counts(struct finder *finder, const struct arcs *arcs)
{
    for (size_t i = 0; i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        add_count(finder, site, site->callee, site->count);
        if (site->count && !site->symbol && !site->target_count)
            add_certain(finder, arcs, site);
        for (size_t k = 0; k < site->target_count; k++) {
            const struct arcs_target *target =
                &arcs->targets_counted[site->first_target + k];
            add_count(finder, site, target->callee, target->count);
        }
    }
}

BUF_COMPARE(by_caller, struct call_lines_call, BUF_ORDER(a->caller, b->caller) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->callee, b->callee))

void call_lines_find(struct call_lines *lines, const struct rows *rows,
                     const struct arcs *arcs)
{
    memset(lines, 0, sizeof *lines);
    struct finder finder = {.lines = lines, .rows = rows};
    add_samples(&finder);
    add_counts(&finder, arcs);
    for (size_t i = 0; i < lines->count; i++)
        if (!lines->calls[i].counted)
            lines->calls[i].calls = finder.seen[i];
    free(finder.seen);
    index_free(&finder.index);
    BUF_SORT(lines->calls, lines->count, by_caller);
}

void call_lines_free(struct call_lines *lines)
{
    free(lines->calls);
    memset(lines, 0, sizeof *lines);
}

#define OUTCOME (CCPROF_EDGE_TRUE | CCPROF_EDGE_FALSE | CCPROF_EDGE_CASES)
#define ODD     (CCPROF_EDGE_FAKE | CCPROF_EDGE_EXCEPTION | CCPROF_EDGE_ABNORMAL)

struct jump_finder {
    struct jumps *jumps;
    struct index index;
    const struct flowcounts_flow *flow;
    const struct flowgraph *graph;
    const char *file; /* the file of the function */
};

static uint32_t own_line(const struct jump_finder *finder,
                         const struct flowgraph_position *position)
{
    bool same_file = position->file && strcmp(position->file, finder->file) == 0;
    return same_file ? position->line : 0;
}

/* Returns the line on which a block begins. If the block has no code, returns the
   line of the next block. Returns 0 if the line is unknown or in another file. */
static uint32_t first_line(const struct jump_finder *finder, uint32_t number)
{
    const struct flowgraph *graph = finder->graph;
    for (size_t steps = 0; steps < graph->blocks.count; steps++) {
        const struct flowgraph_block *block = &graph->blocks.list[number];
        if (block->positions.count)
            return own_line(finder, &graph->positions.list[block->positions.first]);
        if (block->branch != CCPROF_BRANCH_NONE)
            return own_line(finder, &block->branch_position);
        if (block->edges.count != 1)
            return 0;
        number = graph->edges.list[block->edges.first].to;
    }
    return 0;
}

static uint32_t last_line(const struct jump_finder *finder,
                          const struct flowgraph_block *block)
{
    const struct flowgraph_span *span = &block->positions;
    if (block->branch != CCPROF_BRANCH_NONE)
        return own_line(finder, &block->branch_position);
    return span->count
               ? own_line(finder,
                          &finder->graph->positions.list[span->first + span->count - 1])
               : 0;
}

static void add_jump(struct jump_finder *finder, const struct jumps_jump *jump)
{
    struct jumps *jumps = finder->jumps;
    bool fresh;
    uint32_t number =
        index_put(&finder->index, (uint64_t)jump->row << 1 | jump->conditional,
                  jump->line, jump->target, &fresh);
    if (fresh) {
        BUF_NEXT(jumps->jumps, jumps->count, jumps->capacity) = *jump;
        return;
    }
    jumps->jumps[number].followed += jump->followed;
    jumps->jumps[number].executed += jump->executed;
}

static void add_edge(struct jump_finder *finder, uint32_t number)
{
    const struct flowgraph_edge *edge = &finder->graph->edges.list[number];
    const struct flowgraph_block *block = &finder->graph->blocks.list[edge->from];
    struct jumps_jump jump = {.row = finder->flow->row,
                              .line = last_line(finder, block),
                              .target = first_line(finder, edge->to),
                              .conditional = edge->flags & OUTCOME,
                              .followed = flowcounts_shown(finder->flow->edges[number])};
    if (jump.conditional)
        jump.executed = flowcounts_shown(finder->flow->blocks[edge->from]);
    bool executed = jump.conditional ? jump.executed : jump.followed;
    bool elsewhere =
        jump.conditional ? jump.target != jump.line : jump.target < jump.line;
    if (executed && elsewhere && jump.line && jump.target && !(edge->flags & ODD))
        add_jump(finder, &jump);
}

BUF_COMPARE(by_lines, struct jumps_jump, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->target, b->target) ?:
            a->conditional - b->conditional)

void jumps_find(struct jumps *jumps, const struct rows *rows,
                const struct flowcounts *counts)
{
    memset(jumps, 0, sizeof *jumps);
    struct jump_finder finder = {.jumps = jumps};
    for (size_t i = 0; i < counts->count; i++) {
        finder.flow = &counts->flows[i];
        if (finder.flow->row == FLOWCOUNTS_NO_ROW)
            continue;
        finder.graph = &finder.flow->flow->graph;
        finder.file = rows->rows[finder.flow->row].source.file;
        for (uint32_t k = 0; finder.file && k < finder.graph->edges.count; k++)
            add_edge(&finder, k);
    }
    index_free(&finder.index);
    BUF_SORT(jumps->jumps, jumps->count, by_lines);
}

void jumps_free(struct jumps *jumps)
{
    free(jumps->jumps);
    memset(jumps, 0, sizeof *jumps);
}
