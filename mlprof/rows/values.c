/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/values.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks.h"

#include <stdlib.h>
#include <string.h>

/* Where the amounts of nodes belong.  */
struct adder {
    const struct stacks *stacks;
    const uint32_t *of_node;
    bool *outermost; /* by node: its row is not on the stack around it */
    /* By node: an amount, and a doubt, that is being added up.  */
    uint64_t *amounts;
    struct statistics_doubt *doubts;
};

static bool *find_outermost(const struct adder *adder, size_t rows)
{
    const struct stacks *stacks = adder->stacks;
    bool *outermost = buf_alloc(stacks->node_count + 1);
    uint32_t *active = buf_alloc((rows + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t row = adder->of_node[walk.node];
        if (row == STACKS_NONE)
            continue;
        if (walk.leave)
            active[row]--;
        else
            outermost[walk.node] = active[row]++ == 0;
    }
    free(active);
    return outermost;
}

/* Adds the amounts of BIN to the rows.  */
static void add_bin(struct values *values, const struct adder *adder, uint32_t bin)
{
    const struct stacks *stacks = adder->stacks;
    const struct shares *shares = &stacks->heap;
    uint64_t *amounts = adder->amounts;
    memset(amounts, 0, stacks->node_count * sizeof *amounts);
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        if (entry->bin != bin)
            continue;
        amounts[entry->owner] = entry->count;
        uint32_t row = adder->of_node[entry->owner];
        if (row != STACKS_NONE)
            *heappoints_of_bin(values->amounts[row].own, bin) += entry->count;
    }
    for (size_t i = stacks->node_count; i-- > 0;) {
        uint32_t parent = stacks->nodes[i].parent, row = adder->of_node[i];
        if (parent != STACKS_NONE)
            amounts[parent] += amounts[i];
        if (row != STACKS_NONE && adder->outermost[i])
            *heappoints_of_bin(values->amounts[row].stack, bin) += amounts[i];
    }
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
    for (size_t i = 0; i < stacks->node_count; i++)
        if (adder->of_node[i] != STACKS_NONE)
            add_doubt(&values->doubts[adder->of_node[i]].own[measure].of[bytes],
                      &doubts[i]);
    for (size_t i = stacks->node_count; i-- > 0;) {
        uint32_t parent = stacks->nodes[i].parent, row = adder->of_node[i];
        if (parent != STACKS_NONE)
            add_doubt(&doubts[parent], &doubts[i]);
        if (row != STACKS_NONE && adder->outermost[i])
            add_doubt(&values->doubts[row].stack[measure].of[bytes], &doubts[i]);
    }
}

static struct values make(uint64_t sample, size_t count)
{
    struct values values = {.sample = sample, .count = count};
    values.amounts = buf_alloc((count + 1) * sizeof *values.amounts);
    if (sample)
        values.doubts = buf_alloc((count + 1) * sizeof *values.doubts);
    return values;
}

void values_find(struct values *values, const struct stacks *stacks,
                 const struct heapdata *heap, const uint32_t *of_node, size_t count)
{
    struct adder adder = {.stacks = stacks, .of_node = of_node};
    bool there[HEAPPOINTS_BINS] = {false};
    *values = make(heap->sample, count);
    adder.outermost = find_outermost(&adder, count);
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
    free(adder.outermost);
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
