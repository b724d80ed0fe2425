/* SPDX-License-Identifier: MIT */
/* Owns nothing.  ccprof_table_add is called by the handler, in any thread; the
   others where the profile is written.  */

#include "table.h"

/* Multiplication by 2^64 over the golden ratio (Knuth, TAOCP 3, 6.4).  */
static unsigned table_hash(uint64_t pc)
{
    return (unsigned)((pc * 0x9e3779b97f4a7c15u) >> (64 - CCPROF_TABLE_BITS));
}

/* The point for PC, or the one that has to make room for it.  */
static struct ccprof_point *table_find(struct ccprof_point *bucket, uint64_t pc)
{
    struct ccprof_point *least = bucket;
    for (int i = 0; i < CCPROF_TABLE_WAYS; i++) {
        if (bucket[i].pc == pc && bucket[i].count != 0)
            return &bucket[i];
        if (bucket[i].count < least->count)
            least = &bucket[i];
    }
    return least;
}

void ccprof_table_add(struct ccprof_table *table, struct ccprof_log *log, uint64_t pc,
                      uint64_t weight)
{
    unsigned hash = table_hash(pc);
    uint64_t lost = 0;

    atomic_fetch_add_explicit(&table->samples, weight, memory_order_relaxed);
    if (!ccprof_spin_try(&table->busy[hash])) {
        lost = weight;
    } else {
        struct ccprof_point *point = table_find(table->bucket[hash], pc);
        if (point->count != 0 && point->pc == pc) {
            point->count += weight;
        } else {
            if (point->count != 0)
                lost = ccprof_log_add(log, point->pc, point->count);
            point->pc = pc;
            point->count = weight;
        }
        ccprof_spin_release(&table->busy[hash]);
    }
    if (lost)
        atomic_fetch_add_explicit(&table->lost, lost, memory_order_relaxed);
}

void ccprof_table_freeze(struct ccprof_table *table)
{
    for (unsigned i = 0; i < CCPROF_TABLE_BUCKETS; i++)
        if (!table->frozen[i])
            table->frozen[i] = ccprof_spin_try(&table->busy[i]);
}

int ccprof_table_each(const struct ccprof_table *table,
                      int (*visit)(void *, const struct ccprof_point *), void *context)
{
    for (unsigned i = 0; i < CCPROF_TABLE_BUCKETS; i++) {
        /* Cut off while somebody was changing it.  */
        if (!table->frozen[i])
            continue;
        for (int way = 0; way < CCPROF_TABLE_WAYS; way++) {
            const struct ccprof_point *point = &table->bucket[i][way];
            int stop = point->count != 0 ? visit(context, point) : 0;
            if (stop)
                return stop;
        }
    }
    return 0;
}
