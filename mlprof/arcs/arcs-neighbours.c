/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The callers or callees of one row: counted calls first, then a share of the indirect
   calls for each candidate with many calls. For each call site without counted targets,
   also lists the functions that the site may have called. */

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t *place_of(struct arcs_neighbours *neighbours, uint32_t row)
{
    if (row == STACKS_NONE)
        return &neighbours->place[neighbours->row_count];
    return &neighbours->place[row == ARCS_OTHERS ? neighbours->row_count + 1 : row];
}

static void add_neighbour(struct arcs_neighbours *neighbours, uint32_t row,
                          struct arcs_calls calls)
{
    size_t *place = place_of(neighbours, row);
    if (!calls.most)
        return;
    if (!*place) {
        BUF_NEXT(neighbours->list, neighbours->count, neighbours->capacity) =
            (struct arcs_neighbour){.row = row};
        *place = neighbours->count;
    }
    struct arcs_calls *sum = &neighbours->list[*place - 1].calls;
    sum->count += calls.count;
    sum->least += calls.least;
    sum->most += calls.most;
}

static struct arcs_calls exact_calls(uint64_t count)
{
    return (struct arcs_calls){.count = count, .least = count, .most = count};
}

/* Divides the indirect calls of a row among its neighbours. Neighbours that are
   already in the list get their share first. Then at most ARCS_SHOWN other functions
   are added, the functions with the most calls first. The entry ARCS_OTHERS gets the
   share of REST, the total weight of all remaining functions. */
struct division {
    struct arcs_neighbours *neighbours;
    const struct arcs *arcs;
    uint32_t row; /* the function whose neighbours are found */
    enum arcs_neighbours_side side;
    uint64_t rest;
};

static uint64_t weight_of(const struct division *division, uint32_t row)
{
    const struct arcs_function *function = &division->arcs->functions[row];
    if (division->side == ARCS_CALLERS)
        return function->indirect;
    return function->may_be_target ? function->left : 0;
}

/* Returns how many of the row's indirect calls belong to neighbours with a total
   weight of WEIGHT. */
static struct arcs_calls share(const struct division *division, uint64_t weight)
{
    const struct arcs *arcs = division->arcs;
    if (division->side == ARCS_CALLERS)
        return arcs_share(arcs, weight, division->row);
    return arcs_share_of(arcs, arcs->functions[division->row].indirect, weight);
}

static void add_share(struct division *division, uint32_t row)
{
    uint64_t weight = weight_of(division, row);
    add_neighbour(division->neighbours, row, share(division, weight));
    division->rest -= weight < division->rest ? weight : division->rest;
}

/* Divides the row's indirect calls among the neighbours. */
static void divide_indirect(struct division *division)
{
    const struct arcs *arcs = division->arcs;
    bool callers = division->side == ARCS_CALLERS;
    const uint32_t *most = callers ? arcs->pointers : arcs->candidates;
    size_t count = callers ? arcs->pointer_count : arcs->candidate_count;
    size_t known = division->neighbours->count;
    division->rest = callers ? arcs->indirect : arcs->targets;
    for (size_t i = 0; i < known; i++)
        add_share(division, division->neighbours->list[i].row);
    for (size_t i = 0; i < count && i < ARCS_SHOWN; i++)
        if (!*place_of(division->neighbours, most[i]))
            add_share(division, most[i]);
    if (count > ARCS_SHOWN)
        add_neighbour(division->neighbours, ARCS_OTHERS, share(division, division->rest));
}

static void add_callers(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                        uint32_t row)
{
    const struct groups *sites = &neighbours->sites, *targets = &neighbours->targets;
    for (size_t i = sites->first[row]; i < sites->first[row + 1]; i++) {
        const struct arcs_site *site = &arcs->sites[sites->members[i]];
        add_neighbour(neighbours, site->row, exact_calls(site->count));
    }
    for (size_t i = targets->first[row]; i < targets->first[row + 1]; i++) {
        const struct arcs_target *target = &arcs->targets_counted[targets->members[i]];
        add_neighbour(neighbours, target->row, exact_calls(target->count));
    }
    divide_indirect(&(struct division){
        .neighbours = neighbours, .arcs = arcs, .row = row, .side = ARCS_CALLERS});
    add_neighbour(neighbours, STACKS_NONE, arcs_from_outside(arcs, row));
}

/* Adds the counted targets of a site. */
static void add_targets(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                        const struct arcs_site *site)
{
    const struct arcs_target *targets = &arcs->targets_counted[site->first_target];
    for (size_t i = 0; i < site->target_count; i++)
        if (targets[i].callee != STACKS_NONE)
            add_neighbour(neighbours, targets[i].callee, exact_calls(targets[i].count));
}

static void add_callees(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                        uint32_t row)
{
    /* The first site of ROW, or of a later row. */
    size_t low;
    BUF_SEARCH(low, arcs->count, i, arcs->sites[i].row < row);
    for (size_t i = low; i < arcs->count && arcs->sites[i].row == row; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        if (site->callee != STACKS_NONE)
            add_neighbour(neighbours, site->callee, exact_calls(site->count));
        add_targets(neighbours, arcs, site);
    }
    if (arcs->functions[row].indirect)
        divide_indirect(&(struct division){
            .neighbours = neighbours, .arcs = arcs, .row = row, .side = ARCS_CALLEES});
}

void arcs_neighbours_begin(struct arcs_neighbours *neighbours, const struct arcs *arcs)
{
    memset(neighbours, 0, sizeof *neighbours);
    neighbours->row_count = arcs->function_count;
    neighbours->place =
        buf_alloc((neighbours->row_count + 2) * sizeof *neighbours->place);
    GROUPS_BY(&neighbours->sites, neighbours->row_count, arcs->sites, callee,
              arcs->count);
    GROUPS_BY(&neighbours->targets, neighbours->row_count, arcs->targets_counted, callee,
              arcs->target_count);
}

void arcs_neighbours_find(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                          uint32_t row, enum arcs_neighbours_side side)
{
    assert(row < arcs->function_count);
    for (size_t i = 0; i < neighbours->count; i++)
        *place_of(neighbours, neighbours->list[i].row) = 0;
    neighbours->count = 0;
    if (side == ARCS_CALLERS)
        add_callers(neighbours, arcs, row);
    else
        add_callees(neighbours, arcs, row);
}

void arcs_neighbours_free(struct arcs_neighbours *neighbours)
{
    free(neighbours->list);
    free(neighbours->place);
    groups_free(&neighbours->sites);
    groups_free(&neighbours->targets);
    memset(neighbours, 0, sizeof *neighbours);
}

static void add_callee(struct arcs_callees *callees, uint32_t row,
                       struct arcs_calls calls)
{
    BUF_NEXT(callees->list, callees->count, callees->capacity) =
        (struct arcs_neighbour){row, calls};
}

/* Order of callees: functions, then ARCS_OTHERS, then functions outside of the
   profile. */
static int rank(uint32_t row)
{
    return row == STACKS_NONE ? 2 : row == ARCS_OTHERS;
}

static int by_count(const void *one, const void *other)
{
    const struct arcs_neighbour *a = one, *b = other;
    if (rank(a->row) != rank(b->row))
        return rank(a->row) - rank(b->row);
    return BUF_ORDER(b->calls.count, a->calls.count) ?:
           BUF_ORDER(b->calls.most, a->calls.most) ?: BUF_ORDER(a->row, b->row);
}

/* Adds the candidates of a site without counted targets: one entry for each of the
   candidates with the most unexplained calls, one entry for all other candidates
   together, and one entry with the remaining calls for functions outside of the
   profile. */
static void add_open(struct arcs_callees *callees, const struct arcs *arcs,
                     uint64_t count)
{
    uint64_t rest = arcs->targets;
    for (size_t i = 0; i < arcs->candidate_count && i < ARCS_SHOWN; i++) {
        uint32_t row = arcs->candidates[i];
        uint64_t left = arcs->functions[row].left;
        struct arcs_calls calls = arcs_share(arcs, count, row);
        rest -= left < rest ? left : rest;
        if (calls.most)
            add_callee(callees, row, calls);
    }
    struct arcs_calls others = {0};
    if (arcs->candidate_count > ARCS_SHOWN)
        others = arcs_share_of(arcs, count, rest);
    if (others.most)
        add_callee(callees, ARCS_OTHERS, others);
    struct arcs_calls outside = arcs_to_outside(arcs, count);
    if (outside.most || callees->count == 0)
        add_callee(callees, STACKS_NONE, outside);
}

/* Adds the counted targets. Calls without a counted target have an unknown callee. */
static void put_targets(struct arcs_callees *callees, const struct arcs *arcs,
                        const struct arcs_site *site)
{
    const struct arcs_target *targets = &arcs->targets_counted[site->first_target];
    uint64_t rest = site->count;
    for (size_t i = 0; i < site->target_count; i++) {
        if (targets[i].callee == STACKS_NONE)
            continue;
        rest -= targets[i].count < rest ? targets[i].count : rest;
        add_callee(callees, targets[i].callee, exact_calls(targets[i].count));
    }
    if (rest)
        add_callee(callees, STACKS_NONE, exact_calls(rest));
}

bool arcs_callees_are_open(const struct arcs_site *site)
{
    return !site->symbol && site->callee == STACKS_NONE && !site->target_count;
}

void arcs_callees_find(struct arcs_callees *callees, const struct arcs *arcs,
                       const struct arcs_site *site)
{
    callees->count = 0;
    if (arcs_callees_are_open(site))
        add_open(callees, arcs, site->count);
    else if (!site->symbol && site->target_count)
        put_targets(callees, arcs, site);
    else
        add_callee(callees, site->callee, exact_calls(site->count));
    BUF_SORT(callees->list, callees->count, by_count);
}

void arcs_callees_free(struct arcs_callees *callees)
{
    free(callees->list);
    *callees = (struct arcs_callees){0};
}
