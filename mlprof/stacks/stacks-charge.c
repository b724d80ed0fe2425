/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/skid.h"
#include "mlprof/stacks/stacks-inside.h"

/* The module of an address outside of the tables, or STACKS_NONE.  */
static uint32_t home_of(const struct profile_node *node)
{
    return node->module < PROFILE_MODULES ? node->module : STACKS_NONE;
}

void stacks_add_samples(struct stacks_builder *build, size_t number, uint32_t end,
                        uint64_t count)
{
    if (count == 0)
        return;
    if (end == build->around[number])
        end = stacks_put_outside(build->stacks, end, STACKS_UNPROFILED,
                                 home_of(&build->profile->nodes[number]));
    else if (build->profile->nodes[number].module == build->kernel && !build->outside)
        end = stacks_put_in_kernel(build->stacks, end);
    build->stacks->nodes[end].count += count;
    shares_take(&build->stacks->times.shares, end, &build->times, count);
    packed_take(&build->stacks->origins, end, &build->origins, count);
}

bool stacks_charge(struct stacks_builder *build, size_t number, uint32_t parent)
{
    struct skid_charge charge;
    if (!build->program->skid || !skid_find(build->program->skid, number, &charge))
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (charge.count[i] == 0)
            continue;
        uint32_t end =
            stacks_add_span(build, parent, &build->places.charged[2 * charge.point + i]);
        stacks_add_samples(build, number, end, charge.count[i]);
    }
    return true;
}
