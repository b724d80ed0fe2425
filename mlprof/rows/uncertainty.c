/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/uncertainty.h"
#include "mlprof/program/skid.h"

/* A source of a unit; NULL: none.  */
struct side {
    const struct unit *unit;
    const struct unit_source *source;
};

/* The innermost source where a side of CHARGE is.  */
static struct side side_of(struct tables *tables, const struct skid_charge *charge,
                           size_t number)
{
    const struct skid_place *place = charge->returned[number].address
                                         ? &charge->returned[number]
                                         : &charge->places[number];
    if (!place->address)
        return (struct side){0};
    const struct function *function = tables_function(tables, place->at.function);
    return (struct side){.unit = function->unit,
                         .source = function_innermost(function, place->at.point)};
}

static void add(struct stacks *stacks, struct tables *tables,
                const struct skid_charge *charge)
{
    struct side sides[2] = {side_of(tables, charge, 0), side_of(tables, charge, 1)};
    if (!sides[0].source || !sides[1].source || sides[0].source == sides[1].source)
        return;
    uint32_t one = stacks_unit_source(stacks, sides[0].unit, sides[0].source);
    uint32_t other = stacks_unit_source(stacks, sides[1].unit, sides[1].source);
    if (one == other)
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
