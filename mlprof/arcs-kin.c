/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/arcs-kin.h"
#include "mlprof/buf.h"

#include <stdlib.h>
#include <string.h>

static size_t *place_of(struct arcs_kin *kin, uint32_t row)
{
    return &kin->place[row == STACKS_NONE ? kin->row_count : row];
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

static void add_callers(struct arcs_kin *kin, const struct arcs *arcs, uint32_t row)
{
    for (size_t i = 0; i < arcs->count; i++)
        if (arcs->sites[i].callee == row)
            add(kin, arcs->sites[i].row, exactly(arcs->sites[i].count));
    for (size_t i = 0; i < arcs->target_count; i++)
        if (arcs->targets_counted[i].callee == row)
            add(kin, arcs->targets_counted[i].row,
                exactly(arcs->targets_counted[i].count));
    for (uint32_t i = 0; i < arcs->function_count; i++)
        add(kin, i, arcs_share(arcs, arcs->functions[i].indirect, row));
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
    uint64_t indirect = arcs->functions[row].indirect;
    for (size_t i = first_site(arcs, row); i < arcs->count && arcs->sites[i].row == row;
         i++) {
        const struct arcs_site *site = &arcs->sites[i];
        if (site->callee != STACKS_NONE)
            add(kin, site->callee, exactly(site->count));
        add_targets(kin, arcs, site);
    }
    for (size_t i = 0; indirect && i < arcs->candidate_count; i++)
        add(kin, arcs->candidates[i], arcs_share(arcs, indirect, arcs->candidates[i]));
}

void arcs_kin_begin(struct arcs_kin *kin, const struct arcs *arcs)
{
    memset(kin, 0, sizeof *kin);
    kin->row_count = arcs->function_count;
    kin->place = buf_alloc((kin->row_count + 1) * sizeof *kin->place);
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
    memset(kin, 0, sizeof *kin);
}
