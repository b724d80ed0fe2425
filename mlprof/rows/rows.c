/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the rows of functions: sums over the stacks, counters, calls and branches, and
   then sorts and names them. Most values of the table of functions are computed
   here. */

#include "mlprof/rows/rows.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/names/names.h"
#include "mlprof/rows/amounts.h"
#include "mlprof/rows/branch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void rows_count_once(uint32_t *active, uint64_t *sum, bool leave, uint64_t weight)
{
    if (leave)
        --*active;
    else if ((*active)++ == 0)
        *sum += weight;
}

/* Returns the number of the branch of each node. The caller frees it. */
static uint32_t *find_branches(struct branches *branches, const struct stacks *stacks)
{
    uint32_t *of_node = buf_alloc((stacks->nodes.count + 1) * sizeof *of_node);
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        of_node[i] = branch_at(branches, stacks_source_of(stacks, i),
                               &stacks->positions.list[stacks->nodes.list[i].position]);
    return of_node;
}

/* Adds the samples with a function or branch on the stack. A branch is on the stack
   if its function is there with a position in the branch. If a branch is on the
   stack, all branches around it are on the stack, too. */
static void add_stacks(const struct stacks *stacks, uint64_t *totals,
                       const struct branches *branches, const uint32_t *of_node)
{
    BUF_OWN uint32_t *active = buf_alloc((stacks->sources.count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint64_t weight = stacks->nodes.list[walk.node].weight;
        uint32_t source = stacks_source_of(stacks, walk.node);
        rows_count_once(&active[source], &totals[source], walk.leave, weight);
        for (uint32_t branch = of_node[walk.node]; branch != BRANCH_NONE;
             branch = branches->list[branch].outer) {
            source = (uint32_t)branches->first + branch;
            rows_count_once(&active[source], &totals[source], walk.leave, weight);
        }
    }
}

/* Adds the samples of each node to the innermost branch at the node, or to its
   function if there is no branch. */
static void add_samples(const struct stacks *stacks, struct measured *measured,
                        const struct branches *branches, const uint32_t *of_node)
{
    uint64_t *self = measured->columns.list[MEASURED_SELF].amounts;
    uint64_t *branched = measured->columns.list[MEASURED_BRANCHES].amounts;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint64_t count = stacks->nodes.list[i].count;
        uint32_t source = stacks_source_of(stacks, i);
        if (of_node[i] == BRANCH_NONE) {
            self[source] += count;
            continue;
        }
        branched[source] += count;
        self[branches->first + of_node[i]] += count;
    }
}

static int compare_files(const char *one, const char *other)
{
    if (!one || !other)
        return (one != NULL) - (other != NULL);
    return strcmp(one, other);
}

int rows_by_name(const struct rows_row *a, const struct rows_row *b)
{
    return strcmp(a->source.name, b->source.name) ?:
           compare_files(a->source.file, b->source.file) ?:
           BUF_ORDER(a->source.line, b->source.line) ?:
           BUF_ORDER(a->source.column, b->source.column) ?:
           (a->source.symbol && b->source.symbol
                ? strcmp(a->source.symbol, b->source.symbol)
                : 0);
}

/* Returns whether a row has a value of the shown measure. */
static bool is_shown(const struct rows_row *row)
{
    return rows_total(row) || row->counted ||
           (row->measured && row->measured->memory &&
            rows_amount(row, row->measured->memory, true));
}

/* Compares rows that have the same amounts. */
static int by_rest(const struct rows_row *a, const struct rows_row *b)
{
    return is_shown(b) - is_shown(a) ?: rows_by_name(a, b) ?:
           strcmp(a->place ? a->place : "", b->place ? b->place : "");
}

/* A row and its number, for sorting. */
struct numbered_row {
    struct rows_row row;
    uint32_t number;
};

BUF_COMPARE(by_self, struct numbered_row,
            BUF_ORDER(rows_self(&b->row), rows_self(&a->row))
                ?: by_rest(&a->row, &b->row))

BUF_COMPARE(by_self_and_total, struct numbered_row,
            BUF_ORDER(rows_self(&b->row), rows_self(&a->row)) ?:
            BUF_ORDER(rows_total(&b->row), rows_total(&a->row)) ?:
            by_rest(&a->row, &b->row))

/* Sorts by self amounts and, if TOTALS, by totals. */
static void sort(struct rows *rows, uint32_t *numbers, bool totals)
{
    BUF_OWN struct numbered_row *sorted = buf_alloc((rows->count + 1) * sizeof *sorted);
    for (size_t i = 0; i < rows->count; i++)
        sorted[i] = (struct numbered_row){rows->rows[i], numbers[i]};
    BUF_SORT(sorted, rows->count, totals ? by_self_and_total : by_self);
    for (size_t i = 0; i < rows->count; i++) {
        rows->rows[i] = sorted[i].row;
        numbers[i] = sorted[i].number;
    }
}

void rows_sort(struct rows *rows, uint32_t *numbers)
{
    sort(rows, numbers, rows->stack);
}

/* Adds a row for each source with a value. A source on stacks has a row even if the
   stacks have only values of other measures. */
static void sort_rows(struct rows *rows, const struct rows_row *by_source, bool totals)
{
    const struct stacks *stacks = &rows->stacks;
    size_t sources = rows->source_count = stacks->sources.count;
    BUF_OWN uint32_t *numbers = buf_alloc((sources + 1) * sizeof *numbers);
    BUF_OWN bool *has_others = buf_alloc((sources + 1) * sizeof *has_others);
    rows->rows = buf_alloc((sources + 1) * sizeof *rows->rows);
    rows->of_source = buf_alloc((sources + 1) * sizeof *rows->of_source);
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        if (stacks->nodes.list[i].others)
            has_others[stacks_source_of(stacks, i)] = true;
    for (uint32_t i = 0; i < sources; i++) {
        rows->of_source[i] = STACKS_NONE;
        if (!is_shown(&by_source[i]) && !has_others[i])
            continue;
        numbers[rows->count] = i;
        rows->rows[rows->count++] = by_source[i];
    }
    rows->whole = rows->count;
    sort(rows, numbers, totals);
    for (uint32_t i = 0; i < rows->count; i++)
        rows->of_source[numbers[i]] = i;
}

static void add_calls(struct rows *rows, struct rows_row *by_source,
                      const struct counters *calls)
{
    const struct measure *measure = measure_of_kinds(CCPROF_KIND_COUNT);
    struct measured *measured = rows->measured;
    uint64_t *amounts = measured_amounts(measured, measure, MEASURED_SELF, false);
    for (size_t i = 0; i < calls->count; i++) {
        by_source[i].counted = calls->sums[i].counted;
        amounts[i] = calls->sums[i].count;
        if (measure != measured->shown)
            continue;
        measured->columns.list[MEASURED_TOTAL].amounts[i] = amounts[i];
        rows->total += amounts[i];
    }
}

/* Adds a row for each branch. With the kind time-field, samples have no positions, so
   branches have no samples. */
static void add_branches(struct rows *rows, struct rows_row *by_source,
                         const struct branches *branches, const struct profile *profile,
                         bool field)
{
    const struct measure *calls = measure_of_kinds(CCPROF_KIND_COUNT);
    struct measured *measured = rows->measured;
    bool alone = calls == measured->shown, counted = profile->kind & CCPROF_KIND_COUNT;
    uint64_t *taken = branches->count && counted
                          ? measured_amounts(measured, calls, MEASURED_SELF, false)
                          : NULL;
    uint64_t *self = measured->columns.list[MEASURED_SELF].amounts;
    uint64_t *total = measured->columns.list[MEASURED_TOTAL].amounts;
    for (size_t i = 0; i < branches->count; i++) {
        const struct branch *branch = &branches->list[i];
        size_t source = branches->first + i;
        struct rows_row *row = &by_source[source];
        row->branch = true;
        row->no_cost = branch->shared;
        row->counted = counted;
        if (taken)
            taken[source] = branch->count;
        if (alone) {
            total[source] = branch->count;
            rows->total += branch->count;
            continue;
        }
        bool sampled = measured->shown->sampled;
        bool unknown = !self[source] && (!branch->has_code || (sampled && field));
        /* Bytes allocated by callees are added up by function only. */
        if (unknown || measured->shown->memory)
            total[source] = MEASURED_UNKNOWN;
        for (size_t c = 0; measured->memory && c < measured->columns.count; c++)
            if (measured->columns.list[c].measure == measured->memory &&
                measured->columns.list[c].part == MEASURED_SELF && !branch->has_code)
                measured->columns.list[c].amounts[source] = MEASURED_UNKNOWN;
        if (unknown)
            self[source] = MEASURED_UNKNOWN;
    }
}

static void add_allocations(struct rows *rows, struct branches *branches)
{
    struct measured *measured = rows->measured;
    const struct measure *memory = measured->memory;
    if (!memory)
        return;
    bool alone = memory == measured->shown;
    measured_amounts(measured, memory, MEASURED_SELF, false);
    measured_amounts(measured, memory, MEASURED_SELF, true);
    for (size_t i = 0; i < rows->stacks.allocs.count; i++) {
        const struct allocs_site *site = &rows->stacks.allocs.sites[i];
        uint32_t branch =
            branch_at(branches, site->source, &rows->stacks.positions.list[site->place]);
        size_t owner =
            branch == BRANCH_NONE ? site->source : branches->first + (size_t)branch;
        /* If memory is the shown measure, add_samples has added the bytes. */
        for (int blocks = alone; blocks < 2; blocks++) {
            uint64_t amount = blocks ? site->blocks : site->bytes;
            measured_amounts(measured, memory, MEASURED_SELF, blocks)[owner] += amount;
            if (branch != BRANCH_NONE)
                measured_amounts(measured, memory, MEASURED_BRANCHES,
                                 blocks)[site->source] += amount;
        }
        if (alone)
            rows->total += site->bytes;
    }
    if (alone)
        rows->total += rows->stacks.allocs.left_out;
}

/* Uses the inclusive counters. A source without an inclusive counter keeps the value
   from local stacks. Such a source was compiled without the argument stack, or is a
   copy made by -split. The counters also include the calls of functions that were
   removed. */
static void add_inclusive(uint64_t *totals, const struct counters *inclusive)
{
    for (size_t i = 0; i < inclusive->count; i++)
        if (inclusive->sums[i].count > totals[i])
            totals[i] = inclusive->sums[i].count;
}

/* Inclusive instructions are of functions, not of their copies or of selected stacks. */
static bool has_called(const struct rows *rows, const struct profile *profile)
{
    return profile->called.any && !rows->stacks.filtered && !rows->stacks.has_copies;
}

/* A sum of copies that called each other is more than all instructions at most. */
static void add_called(struct rows *rows, uint64_t *totals)
{
    for (size_t i = 0; i < rows->called.more.count; i++) {
        const struct rows_called_more *more = &rows->called.more.list[i];
        totals[more->source] = saturate_add(totals[more->source], more->amount);
        if (totals[more->source] > rows->total)
            totals[more->source] = rows->total;
    }
}

/* Records the row of the branch of each node, for the views. */
static void keep_branches(struct rows *rows, const struct branches *branches,
                          const uint32_t *of_node)
{
    size_t nodes = rows->stacks.nodes.count;
    if (!branches->count)
        return;
    rows->branch_of_node = buf_alloc((nodes + 1) * sizeof *rows->branch_of_node);
    rows->branch_around = buf_alloc((rows->count + 1) * sizeof *rows->branch_around);
    for (size_t i = 0; i < nodes; i++)
        rows->branch_of_node[i] = of_node[i] == BRANCH_NONE
                                      ? STACKS_NONE
                                      : rows->of_source[branches->first + of_node[i]];
    for (size_t i = 0; i < rows->count; i++)
        rows->branch_around[i] = STACKS_NONE;
    for (size_t i = 0; i < branches->count; i++) {
        uint32_t row = rows->of_source[branches->first + i];
        uint32_t outer = branches->list[i].outer;
        if (row != STACKS_NONE && outer != BRANCH_NONE)
            rows->branch_around[row] = rows->of_source[branches->first + outer];
    }
}

static void make_rows(struct rows *rows, const struct profile *profile,
                      const struct counters *calls, const struct counters *inclusive,
                      struct branches *branches, bool field)
{
    const struct stacks *stacks = &rows->stacks;
    BUF_OWN struct rows_row *by_source =
        buf_alloc((stacks->sources.count + 1) * sizeof *by_source);
    BUF_OWN uint32_t *of_node = find_branches(branches, stacks);
    struct measured *measured = rows->measured = measured_new(
        profile_measure(profile), profile_memory(profile), stacks->sources.count);
    uint64_t *totals = measured->columns.list[MEASURED_TOTAL].amounts;
    for (uint32_t i = 0; i < stacks->sources.count; i++)
        by_source[i] = (struct rows_row){.source = stacks->sources.list[i],
                                         .uncertainty = stacks->uncertainties.list[i],
                                         .measured = measured,
                                         .number = i};
    add_samples(stacks, measured, branches, of_node);
    add_stacks(stacks, totals, branches, of_node);
    if (profile->kind & CCPROF_KIND_COUNT)
        add_calls(rows, by_source, calls);
    add_allocations(rows, branches);
    add_called(rows, totals);
    if (rows->stack && !profile->sampling.stack && !has_called(rows, profile)) {
        add_inclusive(totals, inclusive);
        if (!measured->shown->stacks)
            rows->total += calls->left_out;
    }
    add_branches(rows, by_source, branches, profile, field);
    /* If there are branches, rows are sorted by their totals only if whole stacks were
       measured. */
    sort_rows(rows, by_source, branches->count ? profile->sampling.stack : rows->stack);
    keep_branches(rows, branches, of_node);
}

uint64_t rows_calls(const struct rows_row *row)
{
    return rows_value(row, measure_of_kinds(CCPROF_KIND_COUNT), MEASURED_SELF).amount;
}

struct measured_value rows_memory(const struct rows_row *row, bool blocks)
{
    if (!row->measured || !row->measured->memory)
        return (struct measured_value){.known = false};
    return measured_get(row->measured, row->number, row->measured->memory, MEASURED_SELF,
                        blocks);
}

void rows_add_edge(struct rows_edges *edges, uint32_t caller, uint32_t callee)
{
    BUF_NEXT(edges->list, edges->count, edges->capacity) =
        (struct rows_edge){.caller = caller, .callee = callee};
}

static uint32_t put_edge(const struct rows *rows, struct index *index, uint32_t caller,
                         uint32_t callee)
{
    bool fresh;
    uint32_t number = index_put(index, caller, callee, 0, &fresh);
    if (fresh)
        rows_add_edge(rows->edges, caller, callee);
    return number;
}

/* Adds the amounts of calls. In a recursion the calls of a caller contain each other, but
   no sum is more than either function's total. */
static void add_called_edges(const struct rows *rows, struct index *index)
{
    for (size_t i = 0; i < rows->called.calls.count; i++) {
        const struct rows_call *call = &rows->called.calls.list[i];
        if (!call->amount || call->callee == STACKS_NONE)
            continue;
        uint32_t caller = rows->of_source[call->caller];
        uint32_t callee = rows->of_source[call->callee];
        if (callee == STACKS_NONE)
            continue;
        uint32_t edge = put_edge(rows, index, caller, callee);
        uint64_t *weight = &rows->edges->list[edge].weight;
        uint64_t one = rows_total(&rows->rows[caller]),
                 other = rows_total(&rows->rows[callee]),
                 most = one < other ? one : other;
        *weight = saturate_add(*weight, call->amount);
        if (*weight > most)
            *weight = most;
    }
}

/* If calls are known, the stacks have only inlined functions, and do not show who called
   the others. */
static bool has_edge(const struct rows *rows, uint32_t node)
{
    const struct stacks_node *of = &rows->stacks.nodes.list[node];
    return of->weight && (of->parent != STACKS_NONE || !rows->called.calls.count);
}

/* Returns the number of the edge to NODE. */
static uint32_t put_node_edge(const struct rows *rows, struct index *index, uint32_t node)
{
    uint32_t parent = rows->stacks.nodes.list[node].parent;
    uint32_t caller = parent == STACKS_NONE ? STACKS_NONE : rows_of_node(rows, parent);
    return put_edge(rows, index, caller, rows_of_node(rows, node));
}

static void find_edges(const struct rows *rows)
{
    const struct stacks *stacks = &rows->stacks;
    struct index index = {0};
    BUF_OWN uint32_t *edges = buf_alloc((stacks->nodes.count + 1) * sizeof *edges);
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        if (has_edge(rows, i))
            edges[i] = put_node_edge(rows, &index, i);

    BUF_OWN uint32_t *active = buf_alloc((rows->edges->count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint64_t weight = stacks->nodes.list[walk.node].weight;
        uint32_t edge = edges[walk.node];
        if (has_edge(rows, walk.node))
            rows_count_once(&active[edge], &rows->edges->list[edge].weight, walk.leave,
                            weight);
    }
    add_called_edges(rows, &index);
    index_free(&index);
}

const struct rows_edge *rows_edges(const struct rows *rows, size_t *count)
{
    *count = 0;
    if (!rows->edges)
        return NULL;
    if (!rows->edges->found)
        find_edges(rows);
    rows->edges->found = true;
    *count = rows->edges->count;
    return rows->edges->list;
}

void rows_evaluate(struct rows *rows, const struct stacks *stacks,
                   const struct profile *profile, const struct program *program,
                   const struct flowcounts *flows, enum branch_owners owners)
{
    *rows = (struct rows){.stacks = *stacks, .total = profile->sampling.samples};
    if (profile_is_of_heap(profile))
        stacks_add_sites(&rows->stacks, profile);
    struct counters calls = {0}, inclusive = {0};
    if (!rows->stacks.filtered && !profile->runs.switched)
        counters_find(&inclusive, COUNTERS_INCLUSIVE, &rows->stacks, profile, program);
    if (has_called(rows, profile))
        rows_called_find(&rows->called, &rows->stacks, profile, program);
    rows->stack = profile->sampling.stack || has_called(rows, profile) ||
                  (inclusive.any && profile_measure(profile)->inclusive);
    if (profile_measure(profile)->sampled && profile->kind & CCPROF_KIND_COUNT)
        amounts_find_coded(&rows->stacks, program);
    if (profile->kind & CCPROF_KIND_COUNT)
        counters_find(&calls, COUNTERS_CALLS, &rows->stacks, profile, program);
    struct branches branches;
    branch_find(&branches, &rows->stacks, flows, owners);
    if (profile_measure(profile)->sampled)
        amounts_find_uncertainty(&rows->stacks, program, &branches);
    make_rows(rows, profile, &calls, &inclusive, &branches, program_has_field(program));
    free(calls.sums);
    free(inclusive.sums);
    branch_free(&branches);
    rows->edges = buf_alloc(sizeof *rows->edges);
}

/* Adds up the amounts of MEASURE, which is known beside the shown one. */
static void add_beside(struct rows *rows, const struct stacks *stacks,
                       const struct measure *measure)
{
    BUF_OWN uint64_t *amounts =
        stacks_amounts(stacks, rows->measured->shown, measure, false);
    uint64_t *self = measured_amounts(rows->measured, measure, MEASURED_SELF, false),
             *branched =
                 measured_amounts(rows->measured, measure, MEASURED_BRANCHES, false);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint32_t row = rows->of_node ? rows->of_node[i] : rows_of_samples(rows, i);
        if (!amounts[i] || row == STACKS_NONE || row >= rows->count)
            continue;
        self[rows->rows[row].number] += amounts[i];
        if (rows->rows[row].branch)
            branched[rows->rows[rows_of_node(rows, i)].number] += amounts[i];
    }
}

void rows_find_amounts(struct rows *rows, const struct stacks *stacks,
                       const struct profile *profile)
{
    for (unsigned i = 0; i < MEASURE_EVENTS; i++)
        if (profile->beside >> i & 1 && measure_of_event(i) != profile_measure(profile))
            add_beside(rows, stacks, measure_of_event(i));
    if (!profile_is_of_heap(profile))
        return;
    BUF_OWN uint32_t *of_node = buf_alloc((stacks->nodes.count + 1) * sizeof *of_node);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint32_t row = rows->of_node ? rows->of_node[i] : rows_of_node(rows, i);
        of_node[i] = row == STACKS_NONE ? STACKS_NONE : rows->rows[row].number;
    }
    amounts_find(rows->measured, stacks, &profile->heap, of_node);
    /* Types and sites call nothing. */
    if (rows_keys[rows->key].memory)
        measured_stand_alone(rows->measured);
}

void rows_hide_others(struct rows *rows)
{
    while (rows->count && !is_shown(&rows->rows[rows->count - 1]))
        rows->count--;
    for (size_t i = 0; i < rows->source_count; i++)
        if (rows->of_source[i] != STACKS_NONE && rows->of_source[i] >= rows->count)
            rows->of_source[i] = STACKS_NONE;
}

void rows_free(struct rows *rows)
{
    measured_free(rows->measured);
    rows_called_free(&rows->called);
    free(rows->rows);
    free(rows->of_source);
    free(rows->of_node);
    free(rows->outer);
    free(rows->branch_of_node);
    free(rows->branch_around);
    if (rows->edges)
        free(rows->edges->list);
    free(rows->edges);
    free(rows->copies.list);
    stacks_free(&rows->stacks);
    memset(rows, 0, sizeof *rows);
}

uint32_t rows_of_unit(const struct rows *rows, const struct unit_source *source)
{
    const struct stacks *stacks = &rows->stacks;
    uint32_t known;
    if (!source || !index_get(&stacks->units.index, (uintptr_t)source, 0, 0, &known) ||
        stacks->units.sources[known] >= rows->source_count)
        return STACKS_NONE;
    return rows->of_source[stacks->units.sources[known]];
}

uint32_t rows_of_node(const struct rows *rows, uint32_t node)
{
    assert(stacks_source_of(&rows->stacks, node) < rows->source_count);
    return rows->of_source[stacks_source_of(&rows->stacks, node)];
}

uint32_t rows_of_unit_source(struct rows *rows, const struct unit *unit,
                             const struct unit_source *source)
{
    uint32_t number = stacks_unit_source(&rows->stacks, unit, source);
    return number < rows->source_count ? rows->of_source[number] : STACKS_NONE;
}

void rows_find_flows(struct flowcounts *counts, struct rows *rows)
{
    for (size_t i = 0; i < counts->count; i++) {
        struct flowcounts_flow *flow = &counts->flows[i];
        const struct unit *unit = flow->flow->unit;
        const struct unit_source *source = unit_shown(unit, flow->flow->source);
        flow->row = source ? rows_of_unit_source(rows, unit, source) : STACKS_NONE;
    }
}

double rows_percent(uint64_t amount, uint64_t total)
{
    return total ? 100.0 * (double)amount / (double)total : 0.0;
}

void rows_make_names_unique(struct rows *rows, const struct names_style *style)
{
    BUF_OWN struct names_unique *names = buf_alloc((rows->count + 1) * sizeof *names);
    for (size_t i = 0; i < rows->count; i++)
        names[i].source = &rows->rows[i].source;
    names_make_unique(names, rows->count, &rows->stacks.names, style);
    for (size_t i = 0; i < rows->count; i++)
        rows->rows[i].shown = names[i].shown;
}
