/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/uncertainty.h"
#include "mlprof/program/skid.h"

#define NONE UINT32_MAX

/* The innermost source at a point; NONE if there is none.  */
static uint32_t source_at(struct stacks *stacks, struct tables *tables,
                          const struct skid_place *place)
{
    if (!place->address)
        return NONE;
    const struct function *function = tables_function(tables, place->at.function);
    const struct unit_source *source = function_innermost(function, place->at.point);
    return source ? stacks_unit_source(stacks, function->unit, source) : NONE;
}

static void add(struct stacks *stacks, struct tables *tables,
                const struct skid_charge *charge)
{
    uint32_t sides[2];
    for (size_t i = 0; i < 2; i++)
        sides[i] = source_at(stacks, tables,
                             charge->returned[i].address ? &charge->returned[i]
                                                         : &charge->places[i]);
    uint32_t one = sides[0], other = sides[1];
    if (one == NONE || other == NONE || one == other)
        return;
    struct stacks_trust *trusts = stacks->trusts;
    trusts[one].less += charge->count[0];
    trusts[other].more += charge->count[0];
    trusts[one].more += charge->count[1];
    trusts[other].less += charge->count[1];
}

void uncertainty_find(struct stacks *stacks, const struct program *program)
{
    size_t count = program->skid ? skid_point_count(program->skid) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t module;
        struct skid_charge charge;
        if (skid_point(program->skid, i, &module, &charge) && charge.uncertain)
            add(stacks, program->tables[module], &charge);
    }
}
