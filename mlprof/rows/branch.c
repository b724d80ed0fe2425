/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/branch.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* MLton cuts a pattern after about so many characters.  */
#define LABELS_MOST 15

/* What adding needs beside the flows.  */
struct adder {
    struct stacks *stacks;
    size_t first; /* of the branches among the sources */
    uint64_t *counts;
    size_t capacity;
    struct index seen;  /* flow; name and file; line */
    uint32_t *ordinals; /* by number there: how many there were */
    size_t ordinal_capacity;
};

static void print_value(FILE *out, int64_t value, bool is_unsigned)
{
    if (is_unsigned)
        fprintf(out, "%" PRIu64, (uint64_t)value);
    else
        fprintf(out, "%" PRId64, value);
}

static void print_cases(FILE *out, const struct flowgraph *graph,
                        const struct flowgraph_edge *edge)
{
    bool is_unsigned = graph->blocks[edge->from].branch == CCPROF_BRANCH_SWITCH_UNSIGNED;
    for (uint32_t i = 0; i < edge->cases.count; i++) {
        const struct flowgraph_case *one = &graph->cases[edge->cases.first + i];
        fputs(i ? ", " : "", out);
        if (one->is_default) {
            fputs("default", out);
            continue;
        }
        print_value(out, one->first, is_unsigned);
        if (one->first == one->last)
            continue;
        fputs("..", out);
        print_value(out, one->last, is_unsigned);
    }
}

/* When the edge is taken, in words, to be freed; NULL: it is no branch.  */
static char *label_of(const struct flowgraph *graph, const struct flowgraph_edge *edge)
{
    if (edge->flags & CCPROF_EDGE_TRUE)
        return buf_copy("true");
    if (edge->flags & CCPROF_EDGE_FALSE)
        return buf_copy("false");
    if (!(edge->flags & CCPROF_EDGE_CASES) || edge->cases.count == 0)
        return NULL;
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    print_cases(out, graph, edge);
    buf_close(out);
    char *label = text_shorten(text, LABELS_MOST);
    free(text);
    return label;
}

/* Where the branch leads, if the block there is of this branch alone; else where the
   decision is.  */
static const struct flowgraph_position *position_of(const struct flowgraph *graph,
                                                    const struct flowgraph_edge *edge,
                                                    const uint32_t *ways_to)
{
    const struct flowgraph_block *to = &graph->blocks[edge->to];
    if (ways_to[edge->to] == 1 && to->positions.count)
        return &graph->positions[to->positions.first];
    return &graph->blocks[edge->from].branch_position;
}

/* How many of the flow's branches had this name and position before, plus 1.  */
static uint32_t ordinal(struct adder *adder, size_t flow, const char *label,
                        const struct flowgraph_position *position)
{
    bool fresh;
    uint64_t name = intern_put(&adder->stacks->names, label);
    uint64_t file =
        intern_put(&adder->stacks->names, position->file ? position->file : "");
    uint32_t number =
        index_put(&adder->seen, flow, name << 32 | file, position->line, &fresh);
    adder->ordinals = buf_grow(adder->ordinals, &adder->ordinal_capacity, number + 1,
                               sizeof *adder->ordinals);
    if (fresh)
        adder->ordinals[number] = 0;
    return ++adder->ordinals[number];
}

static void add_branch(struct adder *adder, const struct flowcounts_flow *flow,
                       const char *label, uint32_t nth,
                       const struct flowgraph_position *position, int64_t count)
{
    const struct unit *unit = flow->flow->unit;
    const struct unit_source *function = unit_source(unit, flow->flow->source);
    char *tail = nth > 1 ? buf_format(".<case %s %" PRIu32 ">", label, nth)
                         : buf_format(".<case %s>", label);
    char *name = buf_format("%s%s", function->name, tail);
    char *symbol = *function->symbol ? buf_format("%s%s", function->symbol, tail) : NULL;
    uint32_t source = stacks_source(
        adder->stacks, &(struct identity_source){.name = name,
                                                 .symbol = symbol,
                                                 .file = position->file,
                                                 .directory = unit->directory,
                                                 .line = position->line});
    free(symbol);
    free(name);
    free(tail);
    if (source < adder->first)
        return;
    size_t number = source - adder->first, known = adder->capacity;
    adder->counts =
        buf_grow(adder->counts, &adder->capacity, number + 1, sizeof *adder->counts);
    for (size_t i = known; i < adder->capacity; i++)
        adder->counts[i] = 0;
    adder->counts[number] += flowcounts_shown(count);
}

static void add_flow(struct adder *adder, const struct flowcounts *counts, size_t number)
{
    const struct flowcounts_flow *flow = &counts->flows[number];
    const struct flowgraph *graph = &flow->flow->graph;
    uint32_t *ways_to = buf_alloc(graph->block_count * sizeof *ways_to);
    for (size_t i = 0; i < graph->edge_count; i++)
        ways_to[graph->edges[i].to]++;
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct flowgraph_edge *edge = &graph->edges[i];
        char *label = label_of(graph, edge);
        if (!label)
            continue;
        const struct flowgraph_position *position = position_of(graph, edge, ways_to);
        uint32_t nth = ordinal(adder, number, label, position);
        add_branch(adder, flow, label, nth, position, flow->edges[i]);
        free(label);
    }
    free(ways_to);
}

struct branch_counts branch_counts_of(struct stacks *stacks,
                                      const struct flowcounts *flows,
                                      enum branch_scope scope)
{
    struct adder adder = {.stacks = stacks, .first = stacks->source_count};
    for (size_t i = 0; flows && i < flows->count; i++) {
        const struct flowtables_flow *flow = flows->flows[i].flow;
        unsigned flags = flow->graph.flags;
        if (unit_shown(flow->unit, flow->source) && !(flags & CCPROF_FLOW_ARTIFICIAL) &&
            (scope == BRANCH_ALL || flags & CCPROF_FLOW_BRANCHES))
            add_flow(&adder, flows, i);
    }
    free(adder.ordinals);
    index_free(&adder.seen);
    return (struct branch_counts){.first = adder.first,
                                  .counts = adder.counts,
                                  .count = stacks->source_count - adder.first};
}
