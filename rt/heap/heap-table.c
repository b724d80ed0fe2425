/* SPDX-License-Identifier: MIT */
/* The table of blocks with its filter, which grows with the blocks that are in it.  */

#include <stdatomic.h>

#include "rt/heap/heap.h"
#include "rt/heap/heap-table.h"

bool ccprof_heap_table_filter(struct ccprof_heap_table *table)
{
    table->filter = ccprof_heap_filter_make(CCPROF_HEAP_FILTER_LEAST, &table->filters);
    if (!table->filter)
        return false;
    atomic_store(&ccprof_heap_filter, table->filter);
    return true;
}

static void table_add(void *filter, uint64_t address,
                      const struct ccprof_heap_record *record)
{
    (void)record;
    ccprof_heap_filter_add(filter, address);
}

/* Gives the filter four times its places if too many of them would be taken.  */
static void table_widen(struct ccprof_heap_table *table)
{
    const uint64_t places = table->filter->mask + 1;
    struct ccprof_heap_filter *wider;

    if (table->filtered < places / 32 || places >= CCPROF_HEAP_FILTER_MOST)
        return;
    wider = ccprof_heap_filter_make(4 * places, &table->filters);
    if (!wider)
        return;
    ccprof_heap_blocks_each(&table->blocks, table_add, wider);
    table->filter = wider;
    atomic_store_explicit(&ccprof_heap_filter, wider, memory_order_release);
}

bool ccprof_heap_table_put(struct ccprof_heap_table *table,
                           const struct ccprof_heap_block *block,
                           struct ccprof_heap_block *before)
{
    bool put = ccprof_heap_blocks_put(&table->blocks, block, CCPROF_HEAP_MEMORY, before);

    if (table->filter && put && before->address == 0) {
        ccprof_heap_filter_add(table->filter, block->address);
        table->filtered++;
        table_widen(table);
    }
    return put;
}

bool ccprof_heap_table_take(struct ccprof_heap_table *table, const void *at,
                            struct ccprof_heap_block *block)
{
    bool known = ccprof_heap_blocks_take(&table->blocks, (uintptr_t)at, block);

    if (table->filter && known) {
        ccprof_heap_filter_remove(table->filter, (uintptr_t)at);
        table->filtered--;
    }
    return known;
}

uint64_t ccprof_heap_table_memory(const struct ccprof_heap_table *table)
{
    return table->filters + table->blocks.pool.memory;
}
