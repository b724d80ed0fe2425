/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/values.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks.h"

#include <stdlib.h>
#include <string.h>

/* What is added up.  */
struct adder {
    const struct stacks *stacks;
    const struct values_place *places;
    size_t place_count;
    /* By node: an amount, and a doubt, that is being added up.  */
    uint64_t *amounts;
    struct statistics_doubt *doubts;
};

/* Adds the amounts of BIN to the rows.  */
static void add_bin(struct values *values, const struct adder *adder, uint32_t bin)
{
    const struct stacks *stacks = adder->stacks;
    const struct shares *shares = &stacks->heap;
    uint64_t *amounts = adder->amounts;
    memset(amounts, 0, stacks->node_count * sizeof *amounts);
    for (size_t i = 0; i < shares->count; i++)
        if (shares->entries[i].bin == bin)
            amounts[shares->entries[i].owner] = shares->entries[i].count;
    for (size_t i = 0; i < adder->place_count; i++)
        *heappoints_of_bin(values->amounts[adder->places[i].row].own, bin) +=
            amounts[adder->places[i].node];
    for (size_t i = stacks->node_count; i-- > 0;)
        if (stacks->nodes[i].parent != STACKS_NONE)
            amounts[stacks->nodes[i].parent] += amounts[i];
    for (size_t i = 0; i < adder->place_count; i++)
        if (adder->places[i].below)
            *heappoints_of_bin(values->amounts[adder->places[i].row].stack, bin) +=
                amounts[adder->places[i].node];
}

static void add_doubt(struct statistics_doubt *sum, const struct statistics_doubt *doubt)
{
    sum->unseen += doubt->unseen;
    sum->squares += doubt->squares;
    sum->variance += doubt->variance;
}

/* Adds the doubts of MEASURE to the rows: of bytes or of blocks.  */
static void add_doubts(struct values *values, const struct adder *adder,
                       const struct heapdata *heap, enum heapdata_measure measure,
                       bool bytes)
{
    const struct stacks *stacks = adder->stacks;
    const struct shares *shares = &stacks->heap;
    struct statistics_doubt *doubts = adder->doubts;
    memset(doubts, 0, stacks->node_count * sizeof *doubts);
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        struct statistics_doubt of[2] = {{0}};
        if (heappoints_measure_of_sample(entry->bin) != measure)
            continue;
        heapdata_doubt(of, heap->sample, heappoints_size_of_sample(heap, entry->bin),
                       entry->count);
        add_doubt(&doubts[entry->owner], &of[bytes]);
    }
    for (size_t i = 0; i < adder->place_count; i++)
        add_doubt(&values->doubts[adder->places[i].row].own[measure].of[bytes],
                  &doubts[adder->places[i].node]);
    for (size_t i = stacks->node_count; i-- > 0;)
        if (stacks->nodes[i].parent != STACKS_NONE)
            add_doubt(&doubts[stacks->nodes[i].parent], &doubts[i]);
    for (size_t i = 0; i < adder->place_count; i++)
        if (adder->places[i].below)
            add_doubt(&values->doubts[adder->places[i].row].stack[measure].of[bytes],
                      &doubts[adder->places[i].node]);
}

static struct values make(uint64_t sample, size_t count)
{
    struct values values = {.sample = sample, .count = count};
    values.amounts = buf_alloc((count + 1) * sizeof *values.amounts);
    if (sample)
        values.doubts = buf_alloc((count + 1) * sizeof *values.doubts);
    return values;
}

void values_find_at(struct values *values, const struct stacks *stacks,
                    const struct heapdata *heap, const struct values_place *places,
                    size_t place_count, size_t count)
{
    struct adder adder = {.stacks = stacks, .places = places, .place_count = place_count};
    bool there[HEAPPOINTS_BINS] = {false};
    *values = make(heap->sample, count);
    adder.amounts = buf_alloc((stacks->node_count + 1) * sizeof *adder.amounts);
    for (size_t i = 0; i < stacks->heap.count; i++)
        if (stacks->heap.entries[i].bin < HEAPPOINTS_BINS)
            there[stacks->heap.entries[i].bin] = true;
    for (uint32_t bin = 0; bin < HEAPPOINTS_BINS; bin++)
        if (there[bin])
            add_bin(values, &adder, bin);
    free(adder.amounts);
    if (heap->sample)
        adder.doubts = buf_alloc((stacks->node_count + 1) * sizeof *adder.doubts);
    for (enum heapdata_measure m = 0; adder.doubts && m < HEAPDATA_MEASURES; m++)
        for (int bytes = 0; bytes < 2; bytes++)
            add_doubts(values, &adder, heap, m, bytes);
    free(adder.doubts);
}

void values_find(struct values *values, const struct stacks *stacks,
                 const struct heapdata *heap, const uint32_t *of_node, size_t count)
{
    struct values_place *places = buf_alloc((stacks->node_count + 1) * sizeof *places);
    uint32_t *active = buf_alloc((count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    size_t place_count = 0;
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t row = of_node[walk.node];
        if (row == STACKS_NONE)
            continue;
        if (walk.leave)
            active[row]--;
        else
            places[place_count++] =
                (struct values_place){walk.node, row, active[row]++ == 0};
    }
    free(active);
    values_find_at(values, stacks, heap, places, place_count, count);
    free(places);
}

void values_stand_alone(struct values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        struct values_amounts *amounts = &values->amounts[i];
        memcpy(amounts->stack, amounts->own, sizeof amounts->stack);
        if (values->doubts)
            memcpy(values->doubts[i].stack, values->doubts[i].own,
                   sizeof values->doubts[i].stack);
    }
}

struct values values_like(const struct values *values, size_t count)
{
    return make(values->sample, count);
}

void values_add(struct values *values, size_t row, const struct values *from,
                size_t from_row)
{
    heapdata_add(values->amounts[row].own, from->amounts[from_row].own);
    heapdata_add(values->amounts[row].stack, from->amounts[from_row].stack);
    for (size_t m = 0; values->doubts && m < HEAPDATA_MEASURES; m++)
        for (size_t of = 0; of < 2; of++) {
            add_doubt(&values->doubts[row].own[m].of[of],
                      &from->doubts[from_row].own[m].of[of]);
            add_doubt(&values->doubts[row].stack[m].of[of],
                      &from->doubts[from_row].stack[m].of[of]);
        }
}

void values_add_called(struct values *values, size_t caller, size_t callee)
{
    heapdata_add(values->amounts[caller].stack, values->amounts[callee].stack);
    for (size_t m = 0; values->doubts && m < HEAPDATA_MEASURES; m++)
        for (size_t of = 0; of < 2; of++)
            add_doubt(&values->doubts[caller].stack[m].of[of],
                      &values->doubts[callee].stack[m].of[of]);
}

struct statistics_interval values_interval(const struct values *values, size_t row,
                                           enum heapdata_measure measure, bool stack,
                                           bool bytes)
{
    static const struct values_doubts none;
    const struct values_amounts *amounts = &values->amounts[row];
    const struct values_doubts *doubts = values->doubts ? &values->doubts[row] : &none;
    const struct values_doubt *doubt = &(stack ? doubts->stack : doubts->own)[measure];
    return heapdata_interval(stack ? amounts->stack : amounts->own, &doubt->of[bytes],
                             values->sample, measure, bytes);
}

void values_free(struct values *values)
{
    free(values->amounts);
    free(values->doubts);
    memset(values, 0, sizeof *values);
}
