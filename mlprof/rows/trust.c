/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/trust.h"
#include "mlprof/program/skid.h"

/* The source that one place of CHARGE belongs to: the innermost function there, or its
   branch.  STACKS_NONE: none.  */
static uint32_t side_of(struct stacks *stacks, struct tables *tables,
                        struct branches *branches, const struct skid_charge *charge,
                        size_t number)
{
    const struct skid_place *place = charge->returned[number].address
                                         ? &charge->returned[number]
                                         : &charge->places[number];
    if (!place->address)
        return STACKS_NONE;
    const struct function *function = tables_function(tables, place->at.function);
    struct function_frames walk = function_frames(function, place->at.point);
    struct function_frame frame;
    if (!function_frames_next(&walk, &frame))
        return STACKS_NONE;
    uint32_t source = stacks_unit_source(stacks, function->unit, frame.source);
    const struct stacks_position position = {
        .file =
            frame.position.line ? unit_file(function->unit, frame.position.file) : NULL,
        .line = frame.position.line,
        .column = frame.position.column};
    uint32_t branch = branch_at(branches, source, &position);
    return branch == BRANCH_NONE ? source : (uint32_t)branches->first + branch;
}

static void add(struct stacks *stacks, struct tables *tables, struct branches *branches,
                const struct skid_charge *charge)
{
    uint32_t one = side_of(stacks, tables, branches, charge, 0);
    uint32_t other = side_of(stacks, tables, branches, charge, 1);
    if (one == STACKS_NONE || other == STACKS_NONE || one == other)
        return;
    struct stacks_trust *trusts = stacks->trusts;
    trusts[one].less += charge->count[0];
    trusts[other].more += charge->count[0];
    trusts[one].more += charge->count[1];
    trusts[other].less += charge->count[1];
}

void trust_find_uncertain(struct stacks *stacks, const struct program *program,
                          struct branches *branches)
{
    size_t count = program->skid ? skid_point_count(program->skid) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t module;
        struct skid_charge charge;
        if (skid_point(program->skid, i, &module, &charge) && charge.uncertain)
            add(stacks, program->tables[module], branches, &charge);
    }
}

/* Marks the sources that have a point in the function.  */
static void find_in(struct stacks *stacks, const struct function *function)
{
    const struct unit_source *last = NULL;
    for (size_t i = 0; i < function->entry_count; i++) {
        const struct function_entry *entry = &function->entries[i];
        uint64_t end = i + 1 < function->entry_count ? entry[1].offset : function->size;
        const struct unit_source *source =
            end > entry->offset ? function_innermost(function, entry->point) : NULL;
        if (!source || source == last)
            continue;
        last = source;
        uint32_t number = stacks_unit_source(stacks, function->unit, source);
        stacks->trusts[number].coded = true;
    }
}

void trust_find_coded(struct stacks *stacks, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        for (uint32_t j = 0;
             program->tables[i] && j < tables_function_count(program->tables[i]); j++)
            find_in(stacks, tables_function(program->tables[i], j));
}
