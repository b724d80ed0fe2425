/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/arcs/arcs-callees.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

static void add(struct arcs_callees *callees, uint32_t row, struct arcs_calls calls)
{
    BUF_NEXT(callees->list, callees->count, callees->capacity) =
        (struct arcs_callee){row, calls};
}

static void add_exactly(struct arcs_callees *callees, uint32_t row, uint64_t count)
{
    add(callees, row, (struct arcs_calls){count, count, count});
}

/* The order of callees: functions, then ARCS_OTHERS, then what is outside.  */
static int rank(uint32_t row)
{
    return row == STACKS_NONE ? 2 : row == ARCS_OTHERS;
}

static int by_count(const void *one, const void *other)
{
    const struct arcs_callee *a = one, *b = other;
    if (rank(a->row) != rank(b->row))
        return rank(a->row) - rank(b->row);
    if (a->calls.count != b->calls.count)
        return a->calls.count > b->calls.count ? -1 : 1;
    if (a->calls.most != b->calls.most)
        return a->calls.most > b->calls.most ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Adds the candidates of an open site: those with most calls left, the sum of the others,
   and what is left for functions outside.  */
static void add_open(struct arcs_callees *callees, const struct arcs *arcs,
                     uint64_t count)
{
    uint64_t rest = arcs->targets;
    for (size_t i = 0; i < arcs->candidate_count && i < ARCS_TOLD; i++) {
        uint32_t row = arcs->candidates[i];
        uint64_t left = arcs->functions[row].left;
        struct arcs_calls calls = arcs_share(arcs, count, row);
        rest -= left < rest ? left : rest;
        if (calls.most)
            add(callees, row, calls);
    }
    struct arcs_calls others = {0};
    if (arcs->candidate_count > ARCS_TOLD)
        others = arcs_share_of(arcs, count, rest);
    if (others.most)
        add(callees, ARCS_OTHERS, others);
    struct arcs_calls outside = arcs_to_outside(arcs, count);
    if (outside.most || callees->count == 0)
        add(callees, STACKS_NONE, outside);
}

/* Adds the counted targets.  Calls without a counted target have an unknown callee.  */
static void add_targets(struct arcs_callees *callees, const struct arcs *arcs,
                        const struct arcs_site *site)
{
    const struct arcs_target *targets = &arcs->targets_counted[site->first_target];
    uint64_t rest = site->count;
    for (size_t i = 0; i < site->target_count; i++) {
        if (targets[i].callee == STACKS_NONE)
            continue;
        rest -= targets[i].count < rest ? targets[i].count : rest;
        add_exactly(callees, targets[i].callee, targets[i].count);
    }
    if (rest)
        add_exactly(callees, STACKS_NONE, rest);
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
        add_targets(callees, arcs, site);
    else
        add_exactly(callees, site->callee, site->count);
    BUF_SORT(callees->list, callees->count, by_count);
}

void arcs_callees_free(struct arcs_callees *callees)
{
    free(callees->list);
    *callees = (struct arcs_callees){0};
}
