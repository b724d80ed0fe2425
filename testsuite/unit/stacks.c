/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "must.h"
#include "rt/table/tree.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

/* A new item with room for its addresses.  */
static uint64_t *stacks_new(struct stacks *stacks, uint32_t depth, uint64_t count)
{
    if (stacks->items == stacks->room) {
        stacks->room = 2 * stacks->room + 100;
        stacks->item = realloc(stacks->item, stacks->room * sizeof *stacks->item);
        MUST(stacks->item);
    }
    uint64_t *address = malloc(depth * sizeof *address + 1);
    MUST(address);
    stacks->item[stacks->items++] = (struct stacks_item){address, depth, count};
    stacks->sum += count;
    return address;
}

void stacks_add(struct stacks *stacks, const uint64_t *address, uint32_t depth,
                uint64_t count)
{
    uint64_t *to = stacks_new(stacks, depth, count);
    for (uint32_t i = 0; i < depth; i++)
        to[i] = address[depth - 1 - i];
}

void stacks_move(struct stacks *to, struct stacks *from)
{
    for (size_t i = 0; i < from->items; i++) {
        const struct stacks_item *item = &from->item[i];
        memcpy(stacks_new(to, item->depth, item->count), item->address,
               item->depth * sizeof *item->address);
    }
    stacks_free(from);
}

int stacks_visit(void *context, unsigned depth, uint64_t address, uint64_t count)
{
    struct stacks *stacks = context;

    MUST(depth <= stacks->depth);
    MUST(depth < sizeof stacks->path / sizeof *stacks->path);
    stacks->path[depth] = address;
    stacks->depth = depth + 1;
    stacks->points++;
    if (count != 0)
        memcpy(stacks_new(stacks, depth + 1, count), stacks->path,
               (depth + 1) * sizeof *stacks->path);
    return 0;
}

static int stacks_order(const void *a, const void *b)
{
    const struct stacks_item *x = a, *y = b;

    for (uint32_t i = 0; i < x->depth && i < y->depth; i++)
        if (x->address[i] != y->address[i])
            return x->address[i] < y->address[i] ? -1 : 1;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Sorts, and adds the counts of equal stacks.  */
static void stacks_sort(struct stacks *stacks)
{
    size_t kept = 0;

    if (stacks->items == 0)
        return;
    qsort(stacks->item, stacks->items, sizeof *stacks->item, stacks_order);
    for (size_t i = 1; i < stacks->items; i++) {
        if (stacks_order(&stacks->item[kept], &stacks->item[i]) == 0) {
            stacks->item[kept].count += stacks->item[i].count;
            free(stacks->item[i].address);
        } else {
            stacks->item[++kept] = stacks->item[i];
        }
    }
    stacks->items = kept + 1;
}

void stacks_part_of(struct stacks *got, struct stacks *want)
{
    size_t j = 0;

    stacks_sort(got);
    stacks_sort(want);
    for (size_t i = 0; i < got->items; i++, j++) {
        while (j < want->items && stacks_order(&got->item[i], &want->item[j]) != 0)
            j++;
        /* Otherwise it is a stack that was never added.  */
        MUST(j < want->items);
        MUST(got->item[i].count <= want->item[j].count);
    }
}

void stacks_freeze(struct ccprof_table *table, struct ccprof_overflow *overflow)
{
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow);
    ccprof_tree_build(table);
}

void stacks_thaw(struct ccprof_table *table, struct ccprof_overflow *overflow)
{
    ccprof_tree_forget(table);
    ccprof_table_thaw(table);
    ccprof_overflow_thaw(overflow);
}

void stacks_read(struct stacks *stacks, struct ccprof_table *table,
                 struct ccprof_overflow *overflow)
{
    ck_assert_int_eq(ccprof_tree_each(table, stacks_visit, stacks), 0);
    stacks->depth = 0;
    ck_assert_int_eq(ccprof_overflow_each(overflow, stacks_visit, stacks), 0);
}

uint64_t stacks_take(struct ccprof_table *table, struct ccprof_overflow *overflow,
                     uint64_t dataset)
{
    uint64_t taken;
    stacks_freeze(table, overflow);
    taken = ccprof_tree_take(table, dataset) + ccprof_overflow_take(overflow, dataset);
    stacks_thaw(table, overflow);
    table->samples -= taken;
    return taken;
}

void stacks_compare(struct stacks *got, struct stacks *want)
{
    stacks_part_of(got, want);
    ck_assert_uint_eq(got->sum, want->sum);
    ck_assert_uint_eq(got->items, want->items);
}

void stacks_free(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->items; i++)
        free(stacks->item[i].address);
    free(stacks->item);
    memset(stacks, 0, sizeof *stacks);
}
