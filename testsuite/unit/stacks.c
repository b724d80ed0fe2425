/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "must.h"
#include "rt/samples/samples.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

/* Returns the hash of the stack that ADDRESS forms with its caller's stack CALLER; 0: no
   caller. */
static uint64_t stacks_called(uint64_t caller, uint64_t address)
{
    uint64_t hash = (caller + address + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

/* Returns the entry of the stack, or an empty entry for it. */
static struct stacks_item *stacks_place(const struct stacks *stacks, uint64_t hash)
{
    size_t at = hash & (stacks->room - 1);
    while (stacks->item[at].hash != 0 && stacks->item[at].hash != hash)
        at = (at + 1) & (stacks->room - 1);
    return &stacks->item[at];
}

static void stacks_grow(struct stacks *stacks)
{
    struct stacks larger = *stacks;

    larger.room = stacks->room ? 2 * stacks->room : 1 << 12;
    larger.item = calloc(larger.room, sizeof *larger.item);
    MUST(larger.item);
    for (size_t i = 0; i < stacks->room; i++)
        if (stacks->item[i].hash != 0)
            *stacks_place(&larger, stacks->item[i].hash) = stacks->item[i];
    free(stacks->item);
    *stacks = larger;
}

static void stacks_put(struct stacks *stacks, uint64_t hash, uint64_t count)
{
    if (2 * stacks->items >= stacks->room)
        stacks_grow(stacks);
    struct stacks_item *item = stacks_place(stacks, hash);
    stacks->items += item->hash == 0;
    item->hash = hash;
    item->count += count;
    stacks->sum += count;
}

void stacks_add(struct stacks *stacks, const uint64_t *address, uint32_t depth,
                uint64_t count)
{
    uint64_t hash = 0;
    while (depth-- > 0)
        hash = stacks_called(hash, address[depth]);
    stacks_put(stacks, hash, count);
}

void stacks_move(struct stacks *to, struct stacks *from)
{
    for (size_t i = 0; i < from->room; i++)
        if (from->item[i].hash != 0)
            stacks_put(to, from->item[i].hash, from->item[i].count);
    stacks_free(from);
}

int stacks_visit(void *context, unsigned depth, uint64_t address, uint64_t count)
{
    struct stacks *stacks = context;

    MUST(depth <= stacks->depth);
    MUST(depth < sizeof stacks->path / sizeof *stacks->path);
    stacks->path[depth] = stacks_called(depth ? stacks->path[depth - 1] : 0, address);
    stacks->depth = depth + 1;
    stacks->points++;
    if (count != 0)
        stacks_put(stacks, stacks->path[depth], count);
    return 0;
}

void stacks_freeze(struct ccprof_samples *table, struct ccprof_overflow *overflow)
{
    ccprof_samples_freeze(table);
    ccprof_overflow_freeze(overflow);
    ccprof_tree_build(table);
}

void stacks_thaw(struct ccprof_samples *table, struct ccprof_overflow *overflow)
{
    ccprof_tree_forget(table);
    ccprof_samples_thaw(table);
    ccprof_overflow_thaw(overflow);
}

void stacks_read(struct stacks *stacks, struct ccprof_samples *table,
                 struct ccprof_overflow *overflow)
{
    ck_assert_int_eq(ccprof_tree_each(table, stacks_visit, stacks), 0);
    stacks->depth = 0;
    ck_assert_int_eq(ccprof_overflow_each(overflow, stacks_visit, stacks), 0);
}

uint64_t stacks_take(struct ccprof_samples *table, struct ccprof_overflow *overflow,
                     uint64_t dataset)
{
    uint64_t taken;
    stacks_freeze(table, overflow);
    taken = ccprof_tree_take(table, dataset) + ccprof_overflow_take(overflow, dataset);
    stacks_thaw(table, overflow);
    table->samples -= taken;
    return taken;
}

void stacks_part_of(const struct stacks *got, const struct stacks *want)
{
    for (size_t i = 0; i < got->room; i++)
        if (got->item[i].hash != 0)
            MUST(got->item[i].count <= stacks_place(want, got->item[i].hash)->count);
}

void stacks_compare(const struct stacks *got, const struct stacks *want)
{
    stacks_part_of(got, want);
    ck_assert_uint_eq(got->sum, want->sum);
    ck_assert_uint_eq(got->items, want->items);
}

void stacks_free(struct stacks *stacks)
{
    free(stacks->item);
    memset(stacks, 0, sizeof *stacks);
}
