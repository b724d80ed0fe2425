/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/amounts.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks.h"

#include <stdlib.h>
#include <string.h>

/* What is added up.  */
struct adder {
    const struct stacks *stacks;
    const struct amounts_place *places;
    size_t place_count;
    /* By node: an amount, and a doubt, that is being added up.  */
    uint64_t *amounts;
    struct statistics_doubt *doubts;
};

/* Adds the amounts of BIN to the rows.  */
static void add_bin(struct amounts *amounts, const struct adder *adder, uint32_t bin)
{
    const struct stacks *stacks = adder->stacks;
    const struct shares *shares = &stacks->heap;
    uint64_t *by_node = adder->amounts;
    memset(by_node, 0, stacks->node_count * sizeof *by_node);
    for (size_t i = 0; i < shares->count; i++)
        if (shares->entries[i].bin == bin)
            by_node[shares->entries[i].owner] = shares->entries[i].count;
    for (size_t i = 0; i < adder->place_count; i++)
        *heappoints_of_bin(amounts->rows[adder->places[i].row].own, bin) +=
            by_node[adder->places[i].node];
    for (size_t i = stacks->node_count; i-- > 0;)
        if (stacks->nodes[i].parent != STACKS_NONE)
            by_node[stacks->nodes[i].parent] += by_node[i];
    for (size_t i = 0; i < adder->place_count; i++)
        if (adder->places[i].below)
            *heappoints_of_bin(amounts->rows[adder->places[i].row].stack, bin) +=
                by_node[adder->places[i].node];
}

static void add_doubt(struct statistics_doubt *sum, const struct statistics_doubt *doubt)
{
    sum->unseen += doubt->unseen;
    sum->squares += doubt->squares;
    sum->variance += doubt->variance;
}

/* Adds the doubts of MEASURE to the rows: of bytes or of blocks.  */
static void add_doubts(struct amounts *amounts, const struct adder *adder,
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
        add_doubt(&amounts->doubts[adder->places[i].row].own[measure].of[bytes],
                  &doubts[adder->places[i].node]);
    for (size_t i = stacks->node_count; i-- > 0;)
        if (stacks->nodes[i].parent != STACKS_NONE)
            add_doubt(&doubts[stacks->nodes[i].parent], &doubts[i]);
    for (size_t i = 0; i < adder->place_count; i++)
        if (adder->places[i].below)
            add_doubt(&amounts->doubts[adder->places[i].row].stack[measure].of[bytes],
                      &doubts[adder->places[i].node]);
}

static struct amounts make(uint64_t sample, size_t count)
{
    struct amounts amounts = {.sample = sample, .count = count};
    amounts.rows = buf_alloc((count + 1) * sizeof *amounts.rows);
    if (sample)
        amounts.doubts = buf_alloc((count + 1) * sizeof *amounts.doubts);
    return amounts;
}

void amounts_find_at(struct amounts *amounts, const struct stacks *stacks,
                     const struct heapdata *heap, const struct amounts_place *places,
                     size_t place_count, size_t count)
{
    struct adder adder = {.stacks = stacks, .places = places, .place_count = place_count};
    bool there[HEAPPOINTS_BINS] = {false};
    *amounts = make(heap->sample, count);
    adder.amounts = buf_alloc((stacks->node_count + 1) * sizeof *adder.amounts);
    for (size_t i = 0; i < stacks->heap.count; i++)
        if (stacks->heap.entries[i].bin < HEAPPOINTS_BINS)
            there[stacks->heap.entries[i].bin] = true;
    for (uint32_t bin = 0; bin < HEAPPOINTS_BINS; bin++)
        if (there[bin])
            add_bin(amounts, &adder, bin);
    free(adder.amounts);
    if (heap->sample)
        adder.doubts = buf_alloc((stacks->node_count + 1) * sizeof *adder.doubts);
    for (enum heapdata_measure m = 0; adder.doubts && m < HEAPDATA_MEASURES; m++)
        for (int bytes = 0; bytes < 2; bytes++)
            add_doubts(amounts, &adder, heap, m, bytes);
    free(adder.doubts);
}

void amounts_find(struct amounts *amounts, const struct stacks *stacks,
                  const struct heapdata *heap, const uint32_t *of_node, size_t count)
{
    struct amounts_place *places = buf_alloc((stacks->node_count + 1) * sizeof *places);
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
                (struct amounts_place){walk.node, row, active[row]++ == 0};
    }
    free(active);
    amounts_find_at(amounts, stacks, heap, places, place_count, count);
    free(places);
}

void amounts_stand_alone(struct amounts *amounts)
{
    for (size_t i = 0; i < amounts->count; i++) {
        struct amounts_row *row = &amounts->rows[i];
        memcpy(row->stack, row->own, sizeof row->stack);
        if (amounts->doubts)
            memcpy(amounts->doubts[i].stack, amounts->doubts[i].own,
                   sizeof amounts->doubts[i].stack);
    }
}

struct amounts amounts_like(const struct amounts *amounts, size_t count)
{
    return make(amounts->sample, count);
}

void amounts_add(struct amounts *amounts, size_t row, const struct amounts *from,
                 size_t from_row)
{
    heapdata_add(amounts->rows[row].own, from->rows[from_row].own);
    heapdata_add(amounts->rows[row].stack, from->rows[from_row].stack);
    for (size_t m = 0; amounts->doubts && m < HEAPDATA_MEASURES; m++)
        for (size_t of = 0; of < 2; of++) {
            add_doubt(&amounts->doubts[row].own[m].of[of],
                      &from->doubts[from_row].own[m].of[of]);
            add_doubt(&amounts->doubts[row].stack[m].of[of],
                      &from->doubts[from_row].stack[m].of[of]);
        }
}

void amounts_add_called(struct amounts *amounts, size_t caller, size_t callee)
{
    heapdata_add(amounts->rows[caller].stack, amounts->rows[callee].stack);
    for (size_t m = 0; amounts->doubts && m < HEAPDATA_MEASURES; m++)
        for (size_t of = 0; of < 2; of++)
            add_doubt(&amounts->doubts[caller].stack[m].of[of],
                      &amounts->doubts[callee].stack[m].of[of]);
}

struct statistics_interval amounts_interval(const struct amounts *amounts, size_t row,
                                            enum heapdata_measure measure, bool stack,
                                            bool bytes)
{
    static const struct amounts_doubts none;
    const struct amounts_row *of = &amounts->rows[row];
    const struct amounts_doubts *doubts = amounts->doubts ? &amounts->doubts[row] : &none;
    const struct amounts_doubt *doubt = &(stack ? doubts->stack : doubts->own)[measure];
    return heapdata_interval(stack ? of->stack : of->own, &doubt->of[bytes],
                             amounts->sample, measure, bytes);
}

void amounts_free(struct amounts *amounts)
{
    free(amounts->rows);
    free(amounts->doubts);
    memset(amounts, 0, sizeof *amounts);
}
