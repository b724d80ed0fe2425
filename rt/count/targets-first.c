/* SPDX-License-Identifier: MIT */
/* Owns the table of first targets of call sites. Readers need no lock. A thread that
   adds a site takes the lock but does not wait for it. If the lock is taken, the call
   is counted like a call of another target, and the next call at the site tries again. */

#include <stdatomic.h>
#include <stddef.h>

#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/count/targets.h"

#define FIRST_ROOM 256 /* entries of the first table; a power of 2 */

struct first_entry {
    _Atomic uint64_t site, target; /* target 0: free entry */
};

/* A hash table with open addressing. At least half of its entries are free. When a
   larger table replaces it, it stays mapped, since other threads may be reading it. */
struct first_table {
    size_t room, used;
    struct first_entry entries[];
};

static struct first_table *_Atomic table_now;
static ccprof_lock busy;

static struct first_table *first_make(size_t room)
{
    struct first_table *table =
        ccprof_pages_map(sizeof *table + room * sizeof *table->entries);

    if (table)
        table->room = room;
    return table;
}

/* Returns the entry of the site, or the free entry for it. Uses multiplicative
   hashing with the golden ratio (Knuth, TAOCP 3, 6.4). */
static struct first_entry *first_find(struct first_table *table, uint64_t site)
{
    size_t i = (size_t)(site * 0x9e3779b97f4a7c15 >> 32);

    for (;; i++) {
        struct first_entry *entry = &table->entries[i & (table->room - 1)];
        if (atomic_load_explicit(&entry->target, memory_order_acquire) == 0 ||
            atomic_load_explicit(&entry->site, memory_order_relaxed) == site)
            return entry;
    }
}

/* Stores the target last, so that readers see only complete entries. */
static void first_put(struct first_table *table, uint64_t site, uint64_t target)
{
    struct first_entry *entry = first_find(table, site);

    atomic_store_explicit(&entry->site, site, memory_order_relaxed);
    atomic_store_explicit(&entry->target, target, memory_order_release);
    table->used++;
}

/* Returns a table with room for one more site; null if there is no memory. */
static struct first_table *first_grow(void)
{
    struct first_table *old = atomic_load(&table_now), *table;

    if (old && 2 * (old->used + 1) <= old->room)
        return old;
    table = first_make(old ? 2 * old->room : FIRST_ROOM);
    for (size_t i = 0; table && old && i < old->room; i++) {
        uint64_t target = atomic_load(&old->entries[i].target);
        if (target)
            first_put(table, atomic_load(&old->entries[i].site), target);
    }
    if (table)
        atomic_store(&table_now, table);
    return table;
}

static uint64_t first_of(uint64_t site)
{
    struct first_table *table = atomic_load(&table_now);
    return table ? atomic_load(&first_find(table, site)->target) : 0;
}

/* Returns the site's first target. If the site had no first target, TARGET becomes
   its first target. Returns 0 if the target cannot be stored now. */
static uint64_t first_keep(uint64_t site, uint64_t target)
{
    uint64_t known = first_of(site);

    if (known || !ccprof_lock_try(&busy))
        return known;
    known = first_of(site);
    if (!known) {
        struct first_table *table = first_grow();
        if (table) {
            first_put(table, site, target);
            known = target;
        }
    }
    ccprof_lock_release(&busy);
    return known;
}

bool ccprof_targets_is_first(uint64_t *word, const void *target)
{
    uint64_t to = (uintptr_t)target;
    uint64_t first = __atomic_load_n(word, __ATOMIC_RELAXED);

    if (first == 0 && to != 0) {
        /* The word may be 0 although the site has a first target: a module that is
           loaded again at the same address starts with 0. */
        first = first_keep((uintptr_t)word, to);
        if (first)
            __atomic_store_n(word, first, __ATOMIC_RELAXED);
    }
    return first != 0 && first == to;
}

/* Releases the lock. If another thread was adding an entry at the fork, the entry is
   still free. */
void ccprof_targets_forked(void)
{
    ccprof_lock_release(&busy);
}

int ccprof_targets_each_first(ccprof_targets_visit_first *visit, void *context)
{
    struct first_table *table = atomic_load(&table_now);
    int stop = 0;

    for (size_t i = 0; table && i < table->room && !stop; i++) {
        uint64_t target =
            atomic_load_explicit(&table->entries[i].target, memory_order_acquire);
        if (target)
            stop = visit(context, atomic_load(&table->entries[i].site), target);
    }
    return stop;
}

bool ccprof_targets_any_first(void)
{
    return atomic_load(&table_now) != NULL;
}
