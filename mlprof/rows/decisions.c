/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/decisions.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/rows/branch.h"

#include <stdlib.h>
#include <string.h>

/* An outcome before those of a decision stand together.  */
struct outcome {
    uint32_t decision;
    char *label;
    uint64_t count;
};

struct builder {
    struct decisions *decisions;
    const struct rows *rows;
    struct intern files, labels;
    struct tally seen;        /* key: flow, file, line and column */
    struct index places;      /* key: row and ordinal, file, line and column */
    struct index edges;       /* key: decision, label */
    struct outcome *outcomes; /* by the number in EDGES */
    size_t count, capacity;
};

/* The number of the decision that ends BLOCK in the flow graph NUMBER.  */
static uint32_t decision_of(struct builder *builder, size_t number,
                            const struct flowcounts_flow *flow,
                            const struct flowgraph_block *block)
{
    struct decisions *decisions = builder->decisions;
    const struct flowgraph_position *position = &block->branch_position;
    uint32_t file = intern_put(&builder->files, position->file ? position->file : "");
    uint64_t place = (uint64_t)position->line << 32 | position->column;
    /* How many decisions before this one the flow graph has at the place.  */
    uint64_t nth = tally_add(&builder->seen, number, file, place);
    bool fresh;
    uint32_t found =
        index_put(&builder->places, (uint64_t)flow->row << 32 | nth, file, place, &fresh);
    if (fresh) {
        decisions->list = buf_grow(decisions->list, &decisions->capacity,
                                   decisions->count + 1, sizeof *decisions->list);
        decisions->list[decisions->count++] =
            (struct decision){.function = &builder->rows->rows[flow->row],
                              .file = position->file,
                              .line = position->line,
                              .column = position->column};
    }
    return found;
}

/* LABEL is freed.  */
static void add_outcome(struct builder *builder, uint32_t decision, char *label,
                        uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(&builder->edges, decision,
                                intern_put(&builder->labels, label), 0, &fresh);
    if (fresh) {
        builder->outcomes = buf_grow(builder->outcomes, &builder->capacity,
                                     builder->count + 1, sizeof *builder->outcomes);
        builder->outcomes[builder->count++] = (struct outcome){decision, label, 0};
    } else {
        free(label);
    }
    builder->outcomes[number].count += count;
}

static void add_flow(struct builder *builder, const struct flowcounts *flows,
                     size_t number)
{
    const struct flowcounts_flow *flow = &flows->flows[number];
    const struct flowgraph *graph = &flow->flow->graph;
    struct decisions *decisions = builder->decisions;
    for (size_t i = 0; i < graph->block_count; i++) {
        const struct flowgraph_block *block = &graph->blocks[i];
        if (block->branch == CCPROF_BRANCH_NONE)
            continue;
        uint32_t decision = decision_of(builder, number, flow, block);
        uint64_t decided = 0;
        for (uint32_t k = 0; k < block->edges.count; k++) {
            uint32_t edge = block->edges.first + k;
            char *label = branch_label(graph, &graph->edges[edge]);
            uint64_t count = flowcounts_shown(flow->edges[edge]);
            if (label)
                add_outcome(builder, decision, label, count);
            if (label)
                decided += count;
        }
        if (flow->missed) {
            decisions->list[decision].missed += flowcounts_shown(flow->missed[i]);
            decisions->list[decision].predicted += decided;
        }
    }
}

BUF_COMPARE(by_place, struct decision, BUF_ORDER(a->function, b->function) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->column, b->column) ?:
            BUF_ORDER(a->first_outcome, b->first_outcome))

/* Puts the outcomes of each decision together, in the order of their making.  */
static void place_outcomes(struct builder *builder)
{
    struct decisions *decisions = builder->decisions;
    decisions->outcome_count = builder->count;
    decisions->outcomes = buf_alloc((builder->count + 1) * sizeof *decisions->outcomes);
    for (size_t i = 0; i < builder->count; i++)
        decisions->list[builder->outcomes[i].decision].outcome_count++;
    size_t first = 0;
    for (size_t i = 0; i < decisions->count; i++) {
        decisions->list[i].first_outcome = first;
        first += decisions->list[i].outcome_count;
        decisions->list[i].outcome_count = 0;
    }
    for (size_t i = 0; i < builder->count; i++) {
        const struct outcome *outcome = &builder->outcomes[i];
        struct decision *decision = &decisions->list[outcome->decision];
        size_t nth = decision->outcome_count++;
        decisions->outcomes[decision->first_outcome + nth] =
            (struct decisions_outcome){outcome->label, outcome->count};
        decision->count += outcome->count;
        if (outcome->count >
            decisions->outcomes[decision->first_outcome + decision->mostly].count)
            decision->mostly = nth;
    }
    for (size_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->list[i];
        if (decision->outcome_count)
            decision->rarer =
                decision->count -
                decisions->outcomes[decision->first_outcome + decision->mostly].count;
    }
}

static bool is_at_place(const struct decision *one, const struct decision *other)
{
    return one->function == other->function && one->line == other->line &&
           one->column == other->column &&
           strcmp(one->file ? one->file : "", other->file ? other->file : "") == 0;
}

/* Numbers the decisions at each place, which are sorted by line and column.  */
static void number(struct decisions *decisions)
{
    for (size_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->list[i];
        if (decision->nth)
            continue;
        size_t count = 0, end = i;
        for (; end < decisions->count &&
               decisions->list[end].function == decision->function &&
               decisions->list[end].line == decision->line;
             end++)
            if (is_at_place(decision, &decisions->list[end]))
                decisions->list[end].nth = ++count;
        for (size_t k = i; k < end; k++)
            if (is_at_place(decision, &decisions->list[k]))
                decisions->list[k].at_place = count;
    }
}

char *decisions_nth_text(const struct decision *decision)
{
    return decision->at_place < 2
               ? buf_copy("")
               : buf_format(" (%zu of %zu)", decision->nth, decision->at_place);
}

void decisions_find(struct decisions *decisions, const struct flowcounts *flows,
                    const struct rows *rows, const bool *wanted)
{
    struct builder builder = {.decisions = decisions, .rows = rows};
    *decisions = (struct decisions){0};
    for (size_t i = 0; i < flows->count; i++) {
        const struct flowcounts_flow *flow = &flows->flows[i];
        if (flow->row < rows->count && wanted[flow->row] &&
            !(flow->flow->graph.flags & CCPROF_FLOW_ARTIFICIAL))
            add_flow(&builder, flows, i);
    }
    place_outcomes(&builder);
    BUF_SORT(decisions->list, decisions->count, by_place);
    number(decisions);
    intern_free(&builder.files);
    intern_free(&builder.labels);
    tally_free(&builder.seen);
    index_free(&builder.places);
    index_free(&builder.edges);
    free(builder.outcomes);
}

const struct decisions_outcome *decisions_outcome(const struct decisions *decisions,
                                                  const struct decision *decision,
                                                  const char *label)
{
    for (size_t i = 0; i < decision->outcome_count; i++) {
        const struct decisions_outcome *outcome =
            &decisions->outcomes[decision->first_outcome + i];
        if (strcmp(outcome->label, label) == 0)
            return outcome;
    }
    return NULL;
}

void decisions_free(struct decisions *decisions)
{
    for (size_t i = 0; i < decisions->outcome_count; i++)
        free(decisions->outcomes[i].label);
    free(decisions->outcomes);
    free(decisions->list);
    *decisions = (struct decisions){0};
}
