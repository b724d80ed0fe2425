/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up samples and executions by line, and the outcomes of each decision.
   view/listing.c and view/branches.c read the result. */

#include "mlprof/rows/lines.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/index.h"
#include "mlprof/flow/gcov.h"
#include "mlprof/rows/branch.h"

#include <stdlib.h>
#include <string.h>

/* Returns the line of a frame in the function's own file, or 0. */
static uint32_t own_line(const struct rows *rows, uint32_t row, uint32_t node)
{
    const struct stacks *stacks = &rows->stacks;
    const struct stacks_position *position =
        &stacks->positions.list[stacks->nodes.list[node].position];
    return position->file == rows->rows[row].source.file ? position->line : 0;
}

/* Returns the number of the entry of a line, which is added if needed. */
static uint32_t put_line(struct lines *lines, struct index *index, uint32_t row,
                         uint32_t line, uint32_t module)
{
    bool fresh;
    uint32_t number = index_put(index, row, line, 0, &fresh);
    if (fresh)
        BUF_NEXT(lines->lines, lines->count, lines->capacity) =
            (struct lines_line){.row = row, .line = line, .module = module};
    return number;
}

/* Sets BY_NODE, by node, to the number of its line, or to STACKS_NONE if its row is
   not selected. */
static void find_lines(struct lines *lines, const struct rows *rows, const bool *selected,
                       uint32_t *by_node)
{
    struct index index = {0};
    for (uint32_t i = 0; i < rows->stacks.nodes.count; i++) {
        const struct stacks_node *node = &rows->stacks.nodes.list[i];
        by_node[i] = STACKS_NONE;
        uint32_t row = node->weight ? rows_of_node(rows, i) : STACKS_NONE;
        if (row == STACKS_NONE || !selected[row])
            continue;
        by_node[i] = put_line(lines, &index, row, own_line(rows, row, i),
                              rows->stacks.copies.list[node->copy].module);
        lines->lines[by_node[i]].cur += node->count;
    }
    index_free(&index);
}

BUF_COMPARE(by_row_and_line, struct lines_line,
            BUF_ORDER(a->row, b->row) ?: BUF_ORDER(a->line, b->line))

/* Adds what the calls of each line executed. Index has the lines by row and number. */
static void add_called(struct lines *lines, const struct rows *rows)
{
    struct index index = {0};
    bool fresh;
    for (size_t i = 0; i < lines->count; i++)
        index_put(&index, lines->lines[i].row, lines->lines[i].line, 0, &fresh);
    for (size_t i = 0; i < rows->called.calls.count; i++) {
        const struct rows_call *call = &rows->called.calls.list[i];
        uint32_t row = rows_of_source(rows, call->caller), number;
        if (row == STACKS_NONE || !index_get(&index, row, call->line, 0, &number))
            continue;
        uint64_t *stack = &lines->lines[number].stack;
        *stack = saturate_add(*stack, call->amount);
        if (*stack > rows_total(&rows->rows[row]))
            *stack = rows_total(&rows->rows[row]);
    }
    index_free(&index);
}

void lines_count(struct lines *lines, const struct rows *rows, const bool *selected)
{
    const struct stacks *stacks = &rows->stacks;
    BUF_OWN uint32_t *by_node = buf_alloc((stacks->nodes.count + 1) * sizeof *by_node);
    struct stacks_walk walk = {0};
    memset(lines, 0, sizeof *lines);
    find_lines(lines, rows, selected, by_node);
    BUF_OWN uint32_t *active = buf_alloc((lines->count + 1) * sizeof *active);
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t line = by_node[walk.node];
        if (line != STACKS_NONE)
            rows_count_once(&active[line], &lines->lines[line].stack, walk.leave,
                            stacks->nodes.list[walk.node].weight);
    }
    if (rows->called.calls.count)
        add_called(lines, rows);
    BUF_SORT(lines->lines, lines->count, by_row_and_line);
}

/* Adds the counts of the lines in FILE. Lines of other files, for example of macros,
   are not in the text of the function. */
static void add_line_counts(struct lines *lines, struct index *index,
                            const struct flowcounts_flow *flow, const char *file)
{
    struct gcov gcov;
    gcov_evaluate(&gcov, &flow, 1, GCOV_OF_FUNCTIONS);
    for (size_t i = 0; i < gcov.lines.count; i++) {
        const struct gcov_line *line = &gcov.lines.list[i];
        if (strcmp(intern_text(&gcov.files, line->file), file) != 0)
            continue;
        uint32_t number = put_line(lines, index, flow->row, line->line, flow->module);
        struct lines_line *entry = &lines->lines[number];
        entry->counted = true;
        entry->count += flowcounts_shown(line->count);
    }
    gcov_free(&gcov);
}

void lines_add_counts(struct lines *lines, const struct flowcounts *counts,
                      const struct rows *rows, const bool *selected)
{
    struct index index = {0};
    for (size_t i = 0; i < lines->count; i++) {
        bool fresh;
        index_put(&index, lines->lines[i].row, lines->lines[i].line, 0, &fresh);
    }
    for (size_t i = 0; i < counts->count; i++) {
        const struct flowcounts_flow *flow = &counts->flows[i];
        if (flow->row != STACKS_NONE && selected[flow->row] &&
            rows->rows[flow->row].source.file)
            add_line_counts(lines, &index, flow, rows->rows[flow->row].source.file);
    }
    index_free(&index);
    BUF_SORT(lines->lines, lines->count, by_row_and_line);
}

void lines_free(struct lines *lines)
{
    free(lines->lines);
    memset(lines, 0, sizeof *lines);
}

/* Data for lines_ends. */
struct search {
    struct identity identity;
    uint32_t *found; /* by number in the identity: its row */
    size_t count;
    uint32_t *ends; /* by row: the last line so far */
};

/* Returns the row of a source, or STACKS_NONE if the source is not selected or has no
   file. */
static uint32_t find_row(struct search *search, const struct unit *unit, uint32_t number)
{
    const struct unit_source *source = unit_source(unit, number);
    if (!source || !source->file)
        return STACKS_NONE;
    const struct identity_source identity = identity_of(unit, source);
    bool fresh;
    uint32_t key = identity_put(&search->identity, &identity, &fresh);
    return key < search->count ? search->found[key] : STACKS_NONE;
}

/* Extends the row of source NUMBER down to POSITION. */
static void extend(struct search *search, const struct unit *unit, uint32_t number,
                   const struct function_position *position)
{
    uint32_t row = find_row(search, unit, number);
    if (row == STACKS_NONE)
        return;
    const char *row_file = unit_file(unit, unit_source(unit, number)->file);
    const char *file = unit_file(unit, position->file);
    if (file && position->line > search->ends[row] && strcmp(file, row_file) == 0)
        search->ends[row] = position->line;
}

static void extend_all(struct search *search, const struct function *function)
{
    for (size_t i = 0; i < function->points.count; i++) {
        const struct function_point *point = &function->points.list[i];
        extend(search, function->unit, function->copies.list[point->copy].source,
               &point->position);
    }
    for (size_t i = 1; i < function->copies.count; i++) {
        const struct function_copy *copy = &function->copies.list[i];
        extend(search, function->unit, function->copies.list[copy->parent].source,
               &copy->call);
    }
}

void lines_ends(const struct program *program, const struct rows *rows,
                const bool *selected, uint32_t *ends)
{
    struct search search = {.found = buf_alloc((rows->count + 1) * sizeof *search.found),
                            .ends = ends};
    memset(ends, 0, rows->count * sizeof *ends);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct identity_source *source = &rows->rows[i].source;
        bool fresh;
        if (!selected[i] || !source->file)
            continue;
        search.found[identity_put(&search.identity, source, &fresh)] = i;
        search.count = search.identity.index.count;
    }
    for (size_t i = 0; search.count && i < program->count; i++) {
        struct tables *tables = program->tables[i];
        uint32_t count = tables ? tables_function_count(tables) : 0;
        for (uint32_t f = 0; f < count; f++)
            extend_all(&search, tables_function(tables, f));
    }
    free(search.found);
    identity_free(&search.identity);
}

/* An outcome, before the outcomes are grouped by decision. */
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
    struct index edges;       /* key: decision and label */
    struct outcome *outcomes; /* by number in EDGES */
    size_t count, capacity;
};

/* Returns the number of the decision that ends BLOCK. NUMBER is the number of
   the flow graph. */
static uint32_t decision_of(struct builder *builder, size_t number,
                            const struct flowcounts_flow *flow,
                            const struct flowgraph_block *block)
{
    struct decisions *decisions = builder->decisions;
    const struct flowgraph_position *position = &block->branch_position;
    uint32_t file = intern_put(&builder->files, position->file ? position->file : "");
    uint64_t place = (uint64_t)position->line << 32 | position->column;
    /* Number of earlier decisions of the flow graph at this place. */
    uint64_t nth = tally_add(&builder->seen, number, file, place);
    bool fresh;
    uint32_t found =
        index_put(&builder->places, (uint64_t)flow->row << 32 | nth, file, place, &fresh);
    if (fresh) {
        BUF_NEXT(decisions->list, decisions->count, decisions->capacity) =
            (struct decision){.function = &builder->rows->rows[flow->row],
                              .file = position->file,
                              .line = position->line,
                              .column = position->column};
    }
    return found;
}

/* Adds COUNT to an outcome, which is added if needed. Frees LABEL. */
static void add_outcome(struct builder *builder, uint32_t decision, char *label,
                        uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(&builder->edges, decision,
                                intern_put(&builder->labels, label), 0, &fresh);
    if (fresh) {
        BUF_NEXT(builder->outcomes, builder->count, builder->capacity) =
            (struct outcome){decision, label, 0};
    } else {
        free(label);
    }
    builder->outcomes[number].count += count;
}

static void add_decisions(struct builder *builder, const struct flowcounts *flows,
                          size_t number)
{
    const struct flowcounts_flow *flow = &flows->flows[number];
    const struct flowgraph *graph = &flow->flow->graph;
    struct decisions *decisions = builder->decisions;
    for (size_t i = 0; i < graph->blocks.count; i++) {
        const struct flowgraph_block *block = &graph->blocks.list[i];
        if (block->branch == CCPROF_BRANCH_NONE)
            continue;
        uint32_t decision = decision_of(builder, number, flow, block);
        uint64_t decided = 0;
        for (uint32_t k = 0; k < block->edges.count; k++) {
            uint32_t edge = block->edges.first + k;
            char *label = branch_label(graph, &graph->edges.list[edge]);
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

/* Groups the outcomes by decision, in the order in which they were added. */
static void place_outcomes(struct builder *builder)
{
    struct decisions *decisions = builder->decisions;
    struct groups groups;
    GROUPS_BY(&groups, decisions->count, builder->outcomes, decision, builder->count);
    decisions->outcome_count = builder->count;
    decisions->outcomes = buf_alloc((builder->count + 1) * sizeof *decisions->outcomes);
    for (size_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->list[i];
        uint64_t most = 0;
        decision->first_outcome = groups.first[i];
        for (size_t k = groups.first[i]; k < groups.first[i + 1]; k++) {
            const struct outcome *outcome = &builder->outcomes[groups.members[k]];
            decisions->outcomes[k] =
                (struct decisions_outcome){outcome->label, outcome->count};
            decision->count += outcome->count;
            if (outcome->count > most)
                decision->mostly = decision->outcome_count;
            most = outcome->count > most ? outcome->count : most;
            decision->outcome_count++;
        }
        decision->rarer = decision->count - most;
    }
    groups_free(&groups);
}

static bool is_at_place(const struct decision *one, const struct decision *other)
{
    return one->function == other->function && one->line == other->line &&
           one->column == other->column &&
           strcmp(one->file ? one->file : "", other->file ? other->file : "") == 0;
}

/* Numbers the decisions at each place. They are sorted by line and column. */
static void number_decisions(struct decisions *decisions)
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
                    const struct rows *rows, const bool *selected)
{
    struct builder builder = {.decisions = decisions, .rows = rows};
    *decisions = (struct decisions){0};
    for (size_t i = 0; i < flows->count; i++) {
        const struct flowcounts_flow *flow = &flows->flows[i];
        if (flow->row < rows->count && selected[flow->row] &&
            !(flow->flow->graph.flags & CCPROF_FLOW_ARTIFICIAL))
            add_decisions(&builder, flows, i);
    }
    place_outcomes(&builder);
    BUF_SORT(decisions->list, decisions->count, by_place);
    number_decisions(decisions);
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
