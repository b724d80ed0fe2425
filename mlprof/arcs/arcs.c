/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the call sites with their counts, joins them with the counted targets by
   position, and computes per function the calls that remain unexplained. arcs_share
   divides these calls among the sites. */

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/tables/flowtables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Returns the function at an address, and sets *FRAMES to its frames there. Returns
   NULL if the code is not profiled. */
static const struct function *find_function(const struct program *program,
                                            uint32_t module, uint64_t address,
                                            struct function_frames *frames)
{
    struct tables_point point;
    if (module >= program->count || !program->tables[module] ||
        !tables_find(program->tables[module], address, &point))
        return NULL;
    const struct function *function =
        tables_function(program->tables[module], point.function);
    *frames = function_frames(function, point.point);
    return function;
}

/* Sets the caller of TARGET to the innermost function at the site. */
static bool find_caller(struct arcs_target *target, struct rows *rows,
                        const struct program *program, const struct profile_target *from)
{
    struct function_frames frames;
    struct function_frame frame;
    const struct function *function =
        find_function(program, from->site_module, from->site, &frames);
    if (!function || !function_frames_next(&frames, &frame))
        return false;
    target->row = rows_of_unit_source(rows, function->unit, frame.source);
    target->line = frame.position.line;
    target->column = frame.position.column;
    return target->row != STACKS_NONE;
}

/* Returns the row of the callee. This is the compiled function at the target, not a
   function inlined into it. */
static uint32_t find_callee(struct rows *rows, const struct program *program,
                            const struct profile_target *from)
{
    struct function_frames frames;
    struct function_frame frame;
    const struct function *function =
        find_function(program, from->module, from->address, &frames);
    while (function && function_frames_next(&frames, &frame))
        if (frame.copy == 0)
            return rows_of_unit_source(rows, function->unit, frame.source);
    return STACKS_NONE;
}

BUF_COMPARE(by_target, struct arcs_target, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->column, b->column) ?:
            BUF_ORDER(a->callee, b->callee))

static size_t merge_targets(struct arcs_target *targets, size_t count)
{
    size_t kept = 0;
    BUF_SORT(targets, count, by_target);
    for (size_t i = 0; i < count; i++)
        if (kept && by_target(&targets[kept - 1], &targets[i]) == 0)
            targets[kept - 1].count += targets[i].count;
        else
            targets[kept++] = targets[i];
    return kept;
}

struct arcs_target *arcs_targets_find(struct rows *rows, const struct profile *profile,
                                      const struct program *program, size_t *count)
{
    struct arcs_target *targets =
        buf_alloc((profile->counts.targets.count + 1) * sizeof *targets);
    *count = 0;
    for (size_t i = 0; i < profile->counts.targets.count; i++) {
        const struct profile_target *from = &profile->counts.targets.list[i];
        struct arcs_target *target = &targets[*count];
        *target = (struct arcs_target){.count = from->count};
        target->callee = find_callee(rows, program, from);
        *count += find_caller(target, rows, program, from);
    }
    *count = merge_targets(targets, *count);
    return targets;
}

/* Name of the function that is called from outside of the profile. */
#define START "main"

/* Data that is needed while arcs are found. */
struct finder {
    struct arcs *arcs;
    struct flowsymbols symbols; /* of rows */
};

/* Returns whether the flow is an entry that continues in another flow of the same
   source function. For example, a deleting destructor calls the complete destructor.
   One call of the source function then executes both flows. */
static bool is_entry(const struct flowcounts_flow *flow)
{
    return flow->flow->graph.flags & CCPROF_FLOW_ENTRY;
}

/* Returns the number of calls of the function. Entries that are not calls are not
   counted. */
static uint64_t calls_of(const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    const struct flowgraph_span *span = &graph->blocks.list[FLOWGRAPH_ENTRY].edges;
    uint64_t calls = 0;
    for (uint32_t i = span->first; i < span->first + span->count; i++)
        if (!(graph->edges.list[i].flags & CCPROF_EDGE_FAKE))
            calls += flowcounts_shown(flow->edges[i]);
    return calls;
}

static void add_function(struct finder *finder, const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    struct arcs_function *function = &finder->arcs->functions[flow->row];
    function->calls += is_entry(flow) ? 0 : calls_of(flow);
    function->may_be_target |=
        (!(graph->flags & CCPROF_FLOW_LOCAL) ||
         graph->flags & CCPROF_FLOW_ADDRESS_TAKEN) &&
        (is_entry(flow) || !(graph->flags & CCPROF_FLOW_ARTIFICIAL)) &&
        strcmp(graph->symbol, START) != 0;
    flowsymbols_put(&finder->symbols, flow->flow, flow->module, flow->row);
}

static void add_site(struct finder *finder, const struct flowcounts_flow *flow,
                     const struct flowgraph_call *call, uint64_t count)
{
    struct arcs *arcs = finder->arcs;
    struct arcs_site site = {.row = flow->row,
                             .position = call->position,
                             .count = count,
                             .callee = STACKS_NONE,
                             .symbol = call->callee};
    if (site.symbol)
        flowsymbols_get(&finder->symbols, flow->flow, flow->module, site.symbol,
                        &site.callee);
    if (is_entry(flow) && site.callee == flow->row)
        return;
    BUF_NEXT(arcs->sites, arcs->count, arcs->capacity) = site;
}

static void add_sites(struct finder *finder, const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    for (size_t i = 0; i < graph->blocks.count; i++) {
        const struct flowgraph_span *span = &graph->blocks.list[i].calls;
        uint64_t count = flowcounts_shown(flow->blocks[i]);
        for (uint32_t k = span->first; k < span->first + span->count; k++)
            add_site(finder, flow, &graph->calls.list[k], count);
    }
}

BUF_COMPARE(by_position, struct arcs_site, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(a->position.line, b->position.line) ?:
            BUF_ORDER(a->position.column, b->position.column) ?:
            BUF_ORDER(a->callee, b->callee) ?:
            strcmp(a->symbol ? a->symbol : "", b->symbol ? b->symbol : ""))

/* Merges the indirect calls at one position. */
static void merge_sites(struct arcs *arcs)
{
    size_t kept = 0;
    for (size_t i = 0; i < arcs->count; i++) {
        struct arcs_site *last = kept ? &arcs->sites[kept - 1] : NULL;
        if (last && !last->symbol && !arcs->sites[i].symbol &&
            by_position(last, &arcs->sites[i]) == 0)
            last->count += arcs->sites[i].count;
        else
            arcs->sites[kept++] = arcs->sites[i];
    }
    arcs->count = kept;
}

/* Returns the indirect call that called TARGET, among the first COUNT sites, or NULL.
   If the column is unknown, returns the first indirect call on the line. */
static struct arcs_site *find_site(const struct arcs *arcs, size_t count,
                                   const struct arcs_target *target)
{
    const struct arcs_site *sites = arcs->sites;
    size_t low;
    BUF_SEARCH(low, count, i,
               sites[i].row < target->row || (sites[i].row == target->row &&
                                              sites[i].position.line < target->line));
    for (; low < count; low++) {
        struct arcs_site *site = &arcs->sites[low];
        if (site->row != target->row || site->position.line != target->line)
            break;
        if (!site->symbol && site->callee == STACKS_NONE && !site->target_count &&
            (!target->column || site->position.column == target->column))
            return site;
    }
    return NULL;
}

/* Joins the targets with the sites by position. In functions without counted blocks,
   new sites are added for the targets. */
static void add_targets(struct arcs *arcs, const struct rows *rows)
{
    const struct arcs_target *targets = arcs->targets_counted;
    size_t known = arcs->count;
    for (size_t first = 0, next; first < arcs->target_count; first = next) {
        const struct arcs_target *target = &targets[first];
        uint64_t count = 0;
        for (next = first;
             next < arcs->target_count && targets[next].row == target->row &&
             targets[next].line == target->line && targets[next].column == target->column;
             next++)
            count += targets[next].count;
        struct arcs_site *site = find_site(arcs, known, target);
        if (!site) {
            site = &BUF_NEXT(arcs->sites, arcs->count, arcs->capacity);
            *site = (struct arcs_site){.row = target->row,
                                       .position = {rows->rows[target->row].source.file,
                                                    target->line, target->column},
                                       .callee = STACKS_NONE};
        }
        site->first_target = first;
        site->target_count = next - first;
        site->count = count > site->count ? count : site->count;
    }
    if (arcs->count > known)
        BUF_SORT(arcs->sites, arcs->count, by_position);
}

static void subtract(uint64_t *rest, uint64_t count)
{
    *rest -= count < *rest ? count : *rest;
}

/* A row and its sort key. */
struct weighed {
    uint64_t weight;
    uint32_t row;
};

BUF_COMPARE(by_weight, struct weighed,
            BUF_ORDER(b->weight, a->weight) ?: BUF_ORDER(a->row, b->row))

/* Returns the rows of COUNT elements, sorted by weight. The caller frees the result. */
static uint32_t *sorted_rows(struct weighed *weighed, size_t count)
{
    uint32_t *rows = buf_alloc((count + 1) * sizeof *rows);
    BUF_SORT(weighed, count, by_weight);
    for (size_t i = 0; i < count; i++)
        rows[i] = weighed[i].row;
    return rows;
}

static void sort_pairs(struct arcs *arcs)
{
    BUF_OWN struct weighed *weighed =
        buf_alloc((arcs->function_count + 1) * sizeof *weighed);
    size_t count = 0;
    for (uint32_t i = 0; i < arcs->function_count; i++)
        if (arcs->functions[i].may_be_target && arcs->functions[i].left)
            weighed[count++] = (struct weighed){arcs->functions[i].left, i};
    arcs->candidates = sorted_rows(weighed, count);
    arcs->candidate_count = count;
    count = 0;
    for (uint32_t i = 0; i < arcs->function_count; i++)
        if (arcs->functions[i].indirect)
            weighed[count++] = (struct weighed){arcs->functions[i].indirect, i};
    arcs->pointers = sorted_rows(weighed, count);
    arcs->pointer_count = count;
}

static void add_up(struct arcs *arcs)
{
    for (size_t i = 0; i < arcs->function_count; i++)
        arcs->functions[i].left = arcs->functions[i].calls;
    for (size_t i = 0; i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        if (site->callee != STACKS_NONE) {
            subtract(&arcs->functions[site->callee].left, site->count);
        } else if (!site->symbol && !site->target_count) {
            struct arcs_function *caller = &arcs->functions[site->row];
            caller->indirect = saturate_add(caller->indirect, site->count);
            arcs->indirect = saturate_add(arcs->indirect, site->count);
        }
    }
    for (size_t i = 0; i < arcs->target_count; i++)
        if (arcs->targets_counted[i].callee != STACKS_NONE)
            subtract(&arcs->functions[arcs->targets_counted[i].callee].left,
                     arcs->targets_counted[i].count);
    sort_pairs(arcs);
    for (size_t i = 0; i < arcs->candidate_count; i++)
        arcs->targets =
            saturate_add(arcs->targets, arcs->functions[arcs->candidates[i]].left);
}

void arcs_find(struct arcs *arcs, const struct rows *rows,
               const struct flowcounts *counts, const struct arcs_target *targets,
               size_t count)
{
    struct finder finder = {.arcs = arcs};
    memset(arcs, 0, sizeof *arcs);
    arcs->function_count = rows->count;
    arcs->targets_counted = targets;
    arcs->target_count = count;
    arcs->functions = buf_alloc((rows->count + 1) * sizeof *arcs->functions);
    for (size_t i = 0; i < counts->count; i++)
        if (counts->flows[i].row != STACKS_NONE)
            add_function(&finder, &counts->flows[i]);
    for (size_t i = 0; i < counts->count; i++)
        if (counts->flows[i].row != STACKS_NONE)
            add_sites(&finder, &counts->flows[i]);
    BUF_SORT(arcs->sites, arcs->count, by_position);
    merge_sites(arcs);
    add_targets(arcs, rows);
    add_up(arcs);
    flowsymbols_free(&finder.symbols);
}

void arcs_free(struct arcs *arcs)
{
    free(arcs->sites);
    free(arcs->functions);
    free(arcs->candidates);
    free(arcs->pointers);
    memset(arcs, 0, sizeof *arcs);
}

struct arcs_calls arcs_share_of(const struct arcs *arcs, uint64_t count, uint64_t left)
{
    uint64_t all = arcs->indirect > arcs->targets ? arcs->indirect : arcs->targets;
    struct arcs_calls calls = {0};
    if (!count || !left)
        return calls;
    calls.most = count < left ? count : left;
    /* All other functions (or sites) together have at most ALL - COUNT calls. */
    calls.least = left > all - count ? left - (all - count) : 0;
    calls.count = (uint64_t)(((__uint128_t)count * left + all / 2) / (__uint128_t)all);
    return calls;
}

struct arcs_calls arcs_share(const struct arcs *arcs, uint64_t count, uint32_t row)
{
    assert(row < arcs->function_count);
    const struct arcs_function *function = &arcs->functions[row];
    return arcs_share_of(arcs, count, function->may_be_target ? function->left : 0);
}

struct arcs_calls arcs_to_outside(const struct arcs *arcs, uint64_t count)
{
    struct arcs_calls calls = {0};
    if (arcs->indirect <= arcs->targets || !count)
        return calls;
    uint64_t outside = arcs->indirect - arcs->targets, others = arcs->indirect - count;
    calls.most = count < outside ? count : outside;
    calls.least = outside > others ? outside - others : 0;
    calls.count = (uint64_t)(((__uint128_t)count * outside + arcs->indirect / 2) /
                             (__uint128_t)arcs->indirect);
    return calls;
}

struct arcs_calls arcs_from_outside(const struct arcs *arcs, uint32_t row)
{
    const struct arcs_function *function = &arcs->functions[row];
    if (!function->may_be_target)
        return (struct arcs_calls){function->left, function->left, function->left};
    if (arcs->targets <= arcs->indirect)
        return (struct arcs_calls){0};
    uint64_t outside = arcs->targets - arcs->indirect;
    uint64_t others = arcs->targets - function->left;
    struct arcs_calls inside = arcs_share(arcs, arcs->indirect, row);
    return (struct arcs_calls){
        .count = function->left - inside.count,
        .least = outside > others ? outside - others : 0,
        .most = outside < function->left ? outside : function->left,
    };
}
