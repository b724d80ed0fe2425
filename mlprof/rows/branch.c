/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a source for each arm of a condition or switch (flow/arms.h), and finds the
   branch at a position. The labels of cases are made in print_cases. */

#include "mlprof/rows/branch.h"
#include "mlprof/flow/arms.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* MLton shortens a pattern after about this many characters. */
#define LABELS_MOST 15

/* A statement or expression of the flow graph, at its own position or on its line. */
struct spot {
    uint32_t file, line, column; /* column 0: the position is the line */
    uint32_t arm;
    /* The position is the first position in its block. It may be the only one, the
       position of a label. In Fortran, a label has the position of the code before
       it, which belongs to another arm. */
    bool first;
};

struct spots {
    struct spot *list;
    size_t count, capacity;
    struct index index;
};

static void put_spot(struct spots *spots, const struct arms *arms, struct spot spot)
{
    bool fresh;
    uint32_t number = index_put(&spots->index, spot.file, spot.line, spot.column, &fresh);
    if (fresh) {
        BUF_NEXT(spots->list, spots->count, spots->capacity) = spot;
        return;
    }
    struct spot *known = &spots->list[number];
    if (known->first == spot.first)
        known->arm = arms_common(arms, known->arm, spot.arm);
    else if (known->first)
        *known = spot;
}

static void put_block(struct spots *spots, struct branch_places *places,
                      const struct flowgraph *graph, const struct arms *arms,
                      uint32_t block, uint32_t ways)
{
    const struct flowgraph_span *span = &graph->blocks.list[block].positions;
    uint32_t arm = arms->of_block[block];
    bool begins = ways > 1 || (arm != ARMS_NONE && graph->edges.list[arm].to == block);
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        const struct flowgraph_position *position = &graph->positions.list[i];
        if (!position->file || !position->line)
            continue;
        struct spot spot = {.file = intern_put(&places->files, position->file),
                            .line = position->line,
                            .column = position->column,
                            .arm = arm,
                            .first = begins && i == span->first};
        put_spot(spots, arms, spot);
        if (!spot.column)
            continue;
        spot.column = 0;
        put_spot(spots, arms, spot);
    }
}

/* Assigns branches to the positions in the blocks of GRAPH. OF_EDGE has, for the edge
   that leads to an arm, the number of the branch. A position in several arms belongs
   to the innermost branch that contains all of them. The same applies to lines, which
   are used for positions without a column. */
static void add_places(struct branch_places *places, uint32_t source,
                       const struct flowgraph *graph, const struct arms *arms,
                       const uint32_t *ways_to, const uint32_t *of_edge)
{
    struct spots spots = {0};
    for (uint32_t i = 0; i < graph->blocks.count; i++)
        put_block(&spots, places, graph, arms, i, ways_to[i]);
    for (size_t i = 0; i < spots.count; i++) {
        const struct spot *spot = &spots.list[i];
        uint32_t arm = spot->arm;
        while (arm != ARMS_NONE && of_edge[arm] == BRANCH_NONE)
            arm = arms->outer[arm];
        uint32_t branch = arm == ARMS_NONE ? BRANCH_NONE : of_edge[arm];
        bool fresh;
        uint32_t number = index_put(&places->index, source, spot->file,
                                    index_pair(spot->line, spot->column), &fresh);
        uint32_t *known = &BUF_AT(places->branches, number, places->capacity);
        /* The flow graphs of one function may disagree about the position. */
        *known = fresh || *known == branch ? branch : BRANCH_NONE;
    }
    free(spots.list);
    index_free(&spots.index);
}

/* Returns the branch at a position of SOURCE, or BRANCH_NONE. COLUMN 0 means unknown. */
static uint32_t branch_of_place(struct branch_places *places, uint32_t source,
                                const char *file, uint32_t line, uint32_t column)
{
    uint32_t number, text = intern_put(&places->files, file);
    if ((column &&
         index_get(&places->index, source, text, index_pair(line, column), &number)) ||
        index_get(&places->index, source, text, index_pair(line, 0), &number))
        return places->branches[number];
    return BRANCH_NONE;
}

/* Data that is needed while branches are added. */
struct adder {
    struct stacks *stacks;
    struct branches *branches;
    struct tally seen; /* key: flow; name and file; line */
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
    bool is_unsigned =
        graph->blocks.list[edge->from].branch == CCPROF_BRANCH_SWITCH_UNSIGNED;
    for (uint32_t i = 0; i < edge->cases.count; i++) {
        const struct flowgraph_case *one = &graph->cases.list[edge->cases.first + i];
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

char *branch_label(const struct flowgraph *graph, const struct flowgraph_edge *edge)
{
    if (edge->flags & CCPROF_EDGE_TRUE)
        return buf_copy("true");
    if (edge->flags & CCPROF_EDGE_FALSE)
        return buf_copy("false");
    if (!(edge->flags & CCPROF_EDGE_CASES) || edge->cases.count == 0)
        return NULL;
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    print_cases(out, graph, edge);
    buf_close(out);
    return text_shorten(text, LABELS_MOST);
}

/* Returns the position of a branch. If control reaches the target block only by this
   branch, this is the position where the block starts. Otherwise it is the position
   of the decision. */
static const struct flowgraph_position *position_of(const struct flowgraph *graph,
                                                    const struct flowgraph_edge *edge,
                                                    const uint32_t *ways_to)
{
    const struct flowgraph_block *to = &graph->blocks.list[edge->to];
    if (ways_to[edge->to] == 1 && to->positions.count)
        return &graph->positions.list[to->positions.first];
    return &graph->blocks.list[edge->from].branch_position;
}

/* Returns the number of earlier branches of the flow with this name and position, plus
   1. */
static uint32_t ordinal(struct adder *adder, size_t flow, const char *label,
                        const struct flowgraph_position *position)
{
    uint64_t name = intern_put(&adder->stacks->names, label);
    uint64_t file =
        intern_put(&adder->stacks->names, position->file ? position->file : "");
    return tally_add(&adder->seen, flow, name << 32 | file, position->line) + 1;
}

/* Adds a branch and returns its number. */
static uint32_t add_branch(struct adder *adder, const struct flowcounts_flow *flow,
                           const char *label, uint32_t nth,
                           const struct flowgraph_position *position, int64_t count)
{
    struct branches *branches = adder->branches;
    const struct unit *unit = flow->flow->unit;
    const struct unit_source *function = unit_source(unit, flow->flow->source);
    char *tail = nth > 1 ? buf_format(".<case %s %" PRIu32 ">", label, nth)
                         : buf_format(".<case %s>", label);
    char *name = buf_format("%s%s", function->name, tail);
    char *symbol = *function->symbol ? buf_format("%s%s", function->symbol, tail) : NULL;
    uint32_t source =
        stacks_source(adder->stacks, &(struct identity_source){.name = name,
                                                               .symbol = symbol,
                                                               .file = position->file,
                                                               .line = position->line});
    free(symbol);
    free(name);
    free(tail);
    if (source < branches->first)
        return BRANCH_NONE;
    size_t number = source - branches->first;
    if (number == branches->count)
        BUF_NEXT(branches->list, branches->count, branches->capacity) =
            (struct branch){.outer = BRANCH_NONE};
    branches->list[number].count += flowcounts_shown(count);
    return (uint32_t)number;
}

/* Sets OF_EDGE, by edge, to the number of its branch, or to BRANCH_NONE. WAYS_TO has
   the number of edges to each block. */
static void add_edges(struct adder *adder, const struct flowcounts *counts, size_t number,
                      const uint32_t *ways_to, uint32_t *of_edge)
{
    const struct flowcounts_flow *flow = &counts->flows[number];
    const struct flowgraph *graph = &flow->flow->graph;
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct flowgraph_edge *edge = &graph->edges.list[i];
        char *label = branch_label(graph, edge);
        of_edge[i] = BRANCH_NONE;
        if (!label)
            continue;
        const struct flowgraph_position *position = position_of(graph, edge, ways_to);
        uint32_t nth = ordinal(adder, number, label, position);
        of_edge[i] = add_branch(adder, flow, label, nth, position, flow->edges[i]);
        if (of_edge[i] != BRANCH_NONE)
            adder->branches->list[of_edge[i]].shared |= ways_to[edge->to] > 1;
        free(label);
    }
}

static void add_flow(struct adder *adder, const struct flowcounts *counts, size_t number)
{
    struct branches *branches = adder->branches;
    const struct flowtables_flow *flow = counts->flows[number].flow;
    const struct flowgraph *graph = &flow->graph;
    BUF_OWN uint32_t *of_edge = buf_alloc((graph->edges.count + 1) * sizeof *of_edge);
    BUF_OWN uint32_t *ways_to = buf_alloc((graph->blocks.count + 1) * sizeof *ways_to);
    size_t known = branches->count;
    struct arms arms;
    for (size_t i = 0; i < graph->edges.count; i++)
        ways_to[graph->edges.list[i].to]++;
    add_edges(adder, counts, number, ways_to, of_edge);
    arms_find(&arms, graph);
    /* If another flow graph has already nested a branch, keep the nesting. Otherwise
       two branches could be inside each other. */
    for (size_t i = 0; i < graph->edges.count; i++)
        if (of_edge[i] != BRANCH_NONE && of_edge[i] >= known &&
            arms.outer[i] != ARMS_NONE)
            branches->list[of_edge[i]].outer = of_edge[arms.outer[i]];
    uint32_t source = stacks_unit_source(adder->stacks, flow->unit,
                                         unit_source(flow->unit, flow->source));
    add_places(&branches->places, source, graph, &arms, ways_to, of_edge);
    arms_free(&arms);
}

/* Sets HAS_CODE of the branches whose position is in the flow graph. HAS_CODE says
   whether code of the branch can be found by its position. */
static void find_code(struct branches *branches, struct stacks *stacks,
                      const struct flowtables_flow *flow)
{
    const struct flowgraph *graph = &flow->graph;
    uint32_t source =
        stacks_unit_source(stacks, flow->unit, unit_source(flow->unit, flow->source));
    bool columns = flow->unit->position == CCPROF_POSITION_EXPRESSION;
    if (flow->unit->position == CCPROF_POSITION_NONE)
        return;
    for (size_t i = 0; i < graph->positions.count; i++) {
        const struct flowgraph_position *position = &graph->positions.list[i];
        if (!position->file || !position->line)
            continue;
        uint32_t number = branch_of_place(&branches->places, source, position->file,
                                          position->line, columns ? position->column : 0);
        if (number != BRANCH_NONE)
            branches->list[number].has_code = true;
    }
}

static bool has_owner(const struct flowtables_flow *flow, enum branch_owners owners)
{
    unsigned flags = flow->graph.flags;
    return unit_shown(flow->unit, flow->source) && !(flags & CCPROF_FLOW_ARTIFICIAL) &&
           (owners == BRANCH_ALL || flags & CCPROF_FLOW_BRANCHES);
}

/* Sets FUNCTIONS. A source that -split made for a copy has the same identity as its
   function, so the function is found. */
static void find_functions(struct branches *branches, struct stacks *stacks)
{
    branches->functions = buf_alloc((branches->first + 1) * sizeof *branches->functions);
    for (size_t i = 0; i < branches->first; i++) {
        const struct identity_source source = stacks->sources.list[i];
        branches->functions[i] = stacks_source(stacks, &source);
    }
}

void branch_find(struct branches *branches, struct stacks *stacks,
                 const struct flowcounts *flows, enum branch_owners owners)
{
    struct adder adder = {.stacks = stacks, .branches = branches};
    *branches = (struct branches){0};
    /* The sources of functions come first, the sources of branches after them. */
    for (size_t i = 0; flows && i < flows->count; i++) {
        const struct flowtables_flow *flow = flows->flows[i].flow;
        if (has_owner(flow, owners))
            stacks_unit_source(stacks, flow->unit, unit_source(flow->unit, flow->source));
    }
    branches->first = stacks->sources.count;
    find_functions(branches, stacks);
    for (size_t i = 0; flows && i < flows->count; i++)
        if (has_owner(flows->flows[i].flow, owners))
            add_flow(&adder, flows, i);
    for (size_t i = 0; flows && i < flows->count; i++)
        if (has_owner(flows->flows[i].flow, owners))
            find_code(branches, stacks, flows->flows[i].flow);
    tally_free(&adder.seen);
}

uint32_t branch_at(struct branches *branches, uint32_t source,
                   const struct stacks_position *position)
{
    if (!branches->count || source >= branches->first || !position->file)
        return BRANCH_NONE;
    return branch_of_place(&branches->places, branches->functions[source], position->file,
                           position->line, position->column);
}

void branch_free(struct branches *branches)
{
    index_free(&branches->places.index);
    intern_free(&branches->places.files);
    free(branches->places.branches);
    free(branches->functions);
    free(branches->list);
    memset(branches, 0, sizeof *branches);
}
