/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums the amounts of the heap by row, and the counters of the program by source. The
   last part finds which samples may belong to another source. */

#include "mlprof/rows/amounts.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/program/skid.h"

#include <stdlib.h>
#include <string.h>

/* A node of stacks and the number of its row. The amounts of the node are added to the
   row's own amounts. With BELOW, the amounts of the node and of all nodes below it are
   added to the row's total amounts. */
struct place {
    uint32_t node, row;
    bool below;
};

/* What amounts are added up from. */
struct adder {
    struct measured *measured;
    const struct stacks *stacks;
    const struct heapdata *heap;
    const struct place *places;
    size_t place_count;
    struct statistics_error *errors; /* by node */
};

/* Adds the column of MEASURE and PART, unless it exists, with AMOUNTS by node. */
static void add_column(const struct adder *adder, const struct measure *measure,
                       bool blocks, enum measured_part part, const uint64_t *amounts)
{
    if (measured_has(adder->measured, measure, part, blocks))
        return;
    uint64_t *sums = measured_amounts(adder->measured, measure, part, blocks);
    for (size_t i = 0; i < adder->place_count; i++) {
        const struct place *place = &adder->places[i];
        if (part == MEASURED_SELF || place->below)
            sums[place->row] += amounts[place->node];
    }
}

static void add_measure(const struct adder *adder, enum heapdata_measure measure,
                        bool blocks)
{
    const struct stacks *stacks = adder->stacks;
    const struct measure *entry = measure_of_heap(measure);
    BUF_OWN uint64_t *amounts = stacks_amounts(stacks, NULL, entry, blocks);
    add_column(adder, entry, blocks, MEASURED_SELF, amounts);
    for (size_t i = stacks->nodes.count; i-- > 0;)
        if (stacks->nodes.list[i].parent != STACKS_NONE)
            amounts[stacks->nodes.list[i].parent] += amounts[i];
    add_column(adder, entry, blocks, MEASURED_TOTAL, amounts);
}

/* Adds the errors by node to those of a column. */
static void add_column_errors(const struct adder *adder, const struct measure *measure,
                              bool blocks, enum measured_part part)
{
    struct measured_column *column =
        measured_column(adder->measured, measure, part, blocks);
    column->errors = buf_alloc((adder->measured->capacity + 1) * sizeof *column->errors);
    for (size_t i = 0; i < adder->place_count; i++) {
        const struct place *place = &adder->places[i];
        if (part == MEASURED_SELF || place->below)
            statistics_error_join(&column->errors[place->row],
                                  &adder->errors[place->node]);
    }
}

static void add_errors(const struct adder *adder, enum heapdata_measure measure,
                       bool blocks)
{
    const struct stacks *stacks = adder->stacks;
    const struct shares *shares = &stacks->values;
    const struct measure *entry = measure_of_heap(measure);
    struct statistics_error *errors = adder->errors;
    memset(errors, 0, stacks->nodes.count * sizeof *errors);
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *share = &shares->entries[i];
        struct statistics_error sample_errors[2] = {{0}};
        if (heappoints_measure_of_sample(share->bin) != measure)
            continue;
        heapdata_add_error(sample_errors, adder->heap->sample,
                           heappoints_size_of_sample(adder->heap, share->bin),
                           share->count);
        statistics_error_join(&errors[share->owner], &sample_errors[!blocks]);
    }
    add_column_errors(adder, entry, blocks, MEASURED_SELF);
    for (size_t i = stacks->nodes.count; i-- > 0;)
        if (stacks->nodes.list[i].parent != STACKS_NONE)
            statistics_error_join(&errors[stacks->nodes.list[i].parent], &errors[i]);
    add_column_errors(adder, entry, blocks, MEASURED_TOTAL);
}

/* Adds the columns and errors of all measures to ADDER's measured amounts. */
static void add_all(struct adder *adder)
{
    const struct stacks *stacks = adder->stacks;
    const struct heapdata *heap = adder->heap;
    bool known[HEAPPOINTS_COLUMNS] = {false};
    if (heap->sample)
        adder->errors = buf_alloc((stacks->nodes.count + 1) * sizeof *adder->errors);
    for (size_t i = 0; i < stacks->values.count; i++)
        if (stacks->values.entries[i].bin < HEAPPOINTS_COLUMNS)
            known[stacks->values.entries[i].bin] = true;
    for (enum heapdata_measure m = 0; m < HEAPDATA_MEASURES; m++)
        for (int blocks = 0; blocks < 2; blocks++) {
            if (known[blocks ? HEAPPOINTS_BLOCKS(m) : HEAPPOINTS_BYTES(m)])
                add_measure(adder, m, blocks);
            if (heap->sample)
                add_errors(adder, m, blocks);
        }
    adder->measured->sample = heap->sample;
    free(adder->errors);
}

void amounts_find(struct measured *measured, const struct stacks *stacks,
                  const struct heapdata *heap, const uint32_t *of_node)
{
    BUF_OWN struct place *places = buf_alloc((stacks->nodes.count + 1) * sizeof *places);
    uint32_t *active = buf_alloc((measured->count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    size_t place_count = 0;
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t row = of_node[walk.node];
        if (row == STACKS_NONE)
            continue;
        if (walk.leave)
            active[row]--;
        else
            places[place_count++] = (struct place){walk.node, row, active[row]++ == 0};
    }
    free(active);
    struct adder adder = {.measured = measured,
                          .stacks = stacks,
                          .heap = heap,
                          .places = places,
                          .place_count = place_count};
    add_all(&adder);
}

/* A source that a counter belongs to. A counter may have several owners. */
struct owner {
    uint32_t counter; /* number of the counter in the index */
    uint32_t source;  /* STACKS_NONE: the source was removed (names.h) */
    bool negative;    /* the counter is subtracted */
};

struct owners {
    struct index index; /* of counters; key: module and offset */
    struct owner *owners;
    size_t count, capacity;
};

static void add_module(struct owners *owners, enum counters_kind kind,
                       struct stacks *stacks, uint32_t module,
                       const struct tables *tables)
{
    const struct tables_counters *counters =
        kind == COUNTERS_CALLS ? tables_calls(tables) : tables_inclusive(tables);
    for (size_t i = 0; i < counters->count; i++) {
        struct tables_counter counter = counters->counters[i];
        const struct unit_source *source = unit_shown(counter.unit, counter.source);
        bool fresh;
        uint32_t number = index_put(&owners->index, module, counter.offset, 0, &fresh);
        BUF_NEXT(owners->owners, owners->count, owners->capacity) = (struct owner){
            .counter = number,
            .source =
                source ? stacks_unit_source(stacks, counter.unit, source) : STACKS_NONE,
            .negative = counter.negative};
    }
}

/* Returns the counts by number of the counter in the index. Counts of modules without
   tables are added to OUTSIDE. The caller frees the result. */
static uint64_t *count_all(const struct owners *owners, const struct profile *profile,
                           const struct program *program, struct counters_sum *outside)
{
    uint64_t *counts = buf_alloc((owners->index.count + 1) * sizeof *counts);
    for (size_t i = 0; i < profile->counts.counters.count; i++) {
        const struct profile_counter *counter = &profile->counts.counters.list[i];
        uint32_t number;
        if (index_get(&owners->index, counter->module, counter->address, 0, &number)) {
            counts[number] += counter->count;
        } else if (!program->tables[counter->module]) {
            outside->count += counter->count;
            outside->counted = true;
        }
    }
    return counts;
}

/* Returns 0 for negative counts, which an aborted run may have. */
static uint64_t not_below_0(uint64_t count)
{
    return count > INT64_MAX ? 0 : count;
}

void counters_find(struct counters *counters, enum counters_kind kind,
                   struct stacks *stacks, const struct profile *profile,
                   const struct program *program)
{
    struct owners owners = {0};
    struct counters_sum outside = {0};
    uint32_t unprofiled = STACKS_NONE;

    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(&owners, kind, stacks, (uint32_t)i, program->tables[i]);
    BUF_OWN uint64_t *counts = count_all(&owners, profile, program, &outside);
    if (outside.counted && kind == COUNTERS_CALLS)
        unprofiled =
            stacks_source(stacks, &(struct identity_source){.name = STACKS_UNPROFILED});

    counters->count = stacks->sources.count;
    counters->any = unprofiled != STACKS_NONE;
    counters->sums = buf_alloc((counters->count + 1) * sizeof *counters->sums);
    for (size_t i = 0; i < owners.count; i++) {
        const struct owner *owner = &owners.owners[i];
        uint64_t count =
            owner->negative ? -counts[owner->counter] : counts[owner->counter];
        if (owner->source == STACKS_NONE) {
            counters->left_out += count;
            continue;
        }
        counters->any = true;
        counters->sums[owner->source].counted = true;
        counters->sums[owner->source].count += count;
    }
    for (size_t i = 0; i < counters->count; i++)
        counters->sums[i].count = not_below_0(counters->sums[i].count);
    counters->left_out = not_below_0(counters->left_out);
    if (unprofiled != STACKS_NONE)
        counters->sums[unprofiled] = outside;
    free(owners.owners);
    index_free(&owners.index);
}

/* Returns the source to which place NUMBER of CHARGE belongs: the branch at the place,
   or the innermost function if there is no branch. Returns STACKS_NONE if there is no
   source. */
static uint32_t source_of_place(struct stacks *stacks, struct tables *tables,
                                struct branches *branches,
                                const struct skid_charge *charge, size_t number)
{
    const struct skid_place *place = charge->returned[number].address
                                         ? &charge->returned[number]
                                         : &charge->places[number];
    if (!place->address)
        return STACKS_NONE;
    const struct function *function = tables_function(tables, place->point.function);
    struct function_frames walk = function_frames(function, place->point.point);
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

void amounts_add_uncertainty(struct stacks_uncertainty *one,
                             struct stacks_uncertainty *other,
                             const struct skid_charge *charge)
{
    one->less += charge->count[0];
    other->more += charge->count[0];
    one->more += charge->count[1];
    other->less += charge->count[1];
}

static void add_uncertain(struct stacks *stacks, struct tables *tables,
                          struct branches *branches, const struct skid_charge *charge)
{
    uint32_t one = source_of_place(stacks, tables, branches, charge, 0);
    uint32_t other = source_of_place(stacks, tables, branches, charge, 1);
    if (one != STACKS_NONE && other != STACKS_NONE && one != other)
        amounts_add_uncertainty(&stacks->uncertainties.list[one],
                                &stacks->uncertainties.list[other], charge);
}

void amounts_find_uncertainty(struct stacks *stacks, const struct program *program,
                              struct branches *branches)
{
    size_t count = program->skid ? skid_point_count(program->skid) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t module;
        struct skid_charge charge;
        if (skid_point(program->skid, i, &module, &charge) && charge.uncertain)
            add_uncertain(stacks, program->tables[module], branches, &charge);
    }
}

/* Marks the sources that have a point in the function. */
static void mark_coded_sources(struct stacks *stacks, const struct function *function)
{
    const struct unit_source *last = NULL;
    for (size_t i = 0; i < function->entries.count; i++) {
        const struct function_entry *entry = &function->entries.list[i];
        uint64_t end = i + 1 < function->entries.count ? entry[1].offset : function->size;
        const struct unit_source *source =
            end > entry->offset ? function_innermost(function, entry->point) : NULL;
        if (!source || source == last)
            continue;
        last = source;
        uint32_t number = stacks_unit_source(stacks, function->unit, source);
        stacks->uncertainties.list[number].coded = true;
    }
}

void amounts_find_coded(struct stacks *stacks, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        for (uint32_t j = 0;
             program->tables[i] && j < tables_function_count(program->tables[i]); j++)
            mark_coded_sources(stacks, tables_function(program->tables[i], j));
}
