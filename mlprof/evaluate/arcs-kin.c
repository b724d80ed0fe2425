/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/arcs-kin.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static size_t *place_of(struct arcs_kin *kin, uint32_t row)
{
    if (row == STACKS_NONE)
        return &kin->place[kin->row_count];
    return &kin->place[row == ARCS_OTHERS ? kin->row_count + 1 : row];
}

static void add(struct arcs_kin *kin, uint32_t row, struct arcs_calls calls)
{
    size_t *place = place_of(kin, row);
    if (!calls.most)
        return;
    if (!*place) {
        kin->relatives = buf_grow(kin->relatives, &kin->capacity, kin->count + 1,
                                  sizeof *kin->relatives);
        kin->relatives[kin->count++] = (struct arcs_relative){.row = row};
        *place = kin->count;
    }
    struct arcs_calls *sum = &kin->relatives[*place - 1].calls;
    sum->count += calls.count;
    sum->least += calls.least;
    sum->most += calls.most;
}

static struct arcs_calls exactly(uint64_t count)
{
    return (struct arcs_calls){.count = count, .least = count, .most = count};
}

/* What is left of a function's calls when the indirect ones are taken away is from
   outside.  */
static struct arcs_calls from_outside(const struct arcs *arcs, uint32_t row)
{
    const struct arcs_function *function = &arcs->functions[row];
    if (!function->may_be_target)
        return exactly(function->left);
    if (arcs->targets <= arcs->indirect)
        return exactly(0);
    uint64_t outside = arcs->targets - arcs->indirect;
    uint64_t others = arcs->targets - function->left;
    struct arcs_calls inside = arcs_share(arcs, arcs->indirect, row);
    return (struct arcs_calls){
        .count = function->left - inside.count,
        .least = outside > others ? outside - others : 0,
        .most = outside < function->left ? outside : function->left,
    };
}

/* The shares of those that are relatives already, then of ARCS_TOLD more; what is left to
   the others of ALL, which is what WEIGHTS add up to.  */
struct division {
    struct arcs_kin *kin;
    const struct arcs *arcs;
    uint32_t row; /* whose relatives they are */
    enum arcs_kin_side side;
    uint64_t rest;
};

static uint64_t weight_of(const struct division *division, uint32_t row)
{
    const struct arcs_function *function = &division->arcs->functions[row];
    if (division->side == ARCS_CALLERS)
        return function->indirect;
    return function->may_be_target ? function->left : 0;
}

/* What WEIGHT of the relatives' has to do with the row.  */
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
    add(division->kin, row, share(division, weight));
    division->rest -= weight < division->rest ? weight : division->rest;
}

/* Adds what calls by pointers have to do with the row.  */
static void divide(struct division *division)
{
    const struct arcs *arcs = division->arcs;
    bool callers = division->side == ARCS_CALLERS;
    const uint32_t *most = callers ? arcs->pointers : arcs->candidates;
    size_t count = callers ? arcs->pointer_count : arcs->candidate_count;
    size_t known = division->kin->count;
    division->rest = callers ? arcs->indirect : arcs->targets;
    for (size_t i = 0; i < known; i++)
        add_share(division, division->kin->relatives[i].row);
    for (size_t i = 0; i < count && i < ARCS_TOLD; i++)
        if (!*place_of(division->kin, most[i]))
            add_share(division, most[i]);
    if (count > ARCS_TOLD)
        add(division->kin, ARCS_OTHERS, share(division, division->rest));
}

static void add_callers(struct arcs_kin *kin, const struct arcs *arcs, uint32_t row)
{
    const struct groups *sites = &kin->sites, *targets = &kin->targets;
    for (size_t i = sites->first[row]; i < sites->first[row + 1]; i++) {
        const struct arcs_site *site = &arcs->sites[sites->members[i]];
        add(kin, site->row, exactly(site->count));
    }
    for (size_t i = targets->first[row]; i < targets->first[row + 1]; i++) {
        const struct arcs_target *target = &arcs->targets_counted[targets->members[i]];
        add(kin, target->row, exactly(target->count));
    }
    divide(
        &(struct division){.kin = kin, .arcs = arcs, .row = row, .side = ARCS_CALLERS});
    add(kin, STACKS_NONE, from_outside(arcs, row));
}

/* The first of the sites in ROW or a later one.  */
static size_t first_site(const struct arcs *arcs, uint32_t row)
{
    size_t low = 0, high = arcs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (arcs->sites[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Those of a site that were counted.  */
static void add_targets(struct arcs_kin *kin, const struct arcs *arcs,
                        const struct arcs_site *site)
{
    const struct arcs_target *targets = &arcs->targets_counted[site->first_target];
    for (size_t i = 0; i < site->target_count; i++)
        if (targets[i].callee != STACKS_NONE)
            add(kin, targets[i].callee, exactly(targets[i].count));
}

static void add_callees(struct arcs_kin *kin, const struct arcs *arcs, uint32_t row)
{
    for (size_t i = first_site(arcs, row); i < arcs->count && arcs->sites[i].row == row;
         i++) {
        const struct arcs_site *site = &arcs->sites[i];
        if (site->callee != STACKS_NONE)
            add(kin, site->callee, exactly(site->count));
        add_targets(kin, arcs, site);
    }
    if (arcs->functions[row].indirect)
        divide(&(struct division){
            .kin = kin, .arcs = arcs, .row = row, .side = ARCS_CALLEES});
}

static void group_by_callee(struct arcs_kin *kin, const struct arcs *arcs)
{
    size_t most = arcs->count > arcs->target_count ? arcs->count : arcs->target_count;
    uint32_t *callees = buf_alloc((most + 1) * sizeof *callees);
    for (size_t i = 0; i < arcs->count; i++)
        callees[i] = arcs->sites[i].callee;
    groups_make(&kin->sites, kin->row_count, callees, arcs->count);
    for (size_t i = 0; i < arcs->target_count; i++)
        callees[i] = arcs->targets_counted[i].callee;
    groups_make(&kin->targets, kin->row_count, callees, arcs->target_count);
    free(callees);
}

void arcs_kin_begin(struct arcs_kin *kin, const struct arcs *arcs)
{
    memset(kin, 0, sizeof *kin);
    kin->row_count = arcs->function_count;
    kin->place = buf_alloc((kin->row_count + 2) * sizeof *kin->place);
    group_by_callee(kin, arcs);
}

void arcs_kin_find(struct arcs_kin *kin, const struct arcs *arcs, uint32_t row,
                   enum arcs_kin_side side)
{
    for (size_t i = 0; i < kin->count; i++)
        *place_of(kin, kin->relatives[i].row) = 0;
    kin->count = 0;
    (side == ARCS_CALLERS ? add_callers : add_callees)(kin, arcs, row);
}

void arcs_kin_free(struct arcs_kin *kin)
{
    free(kin->relatives);
    free(kin->place);
    groups_free(&kin->sites);
    groups_free(&kin->targets);
    memset(kin, 0, sizeof *kin);
}
