/* SPDX-License-Identifier: MIT */
/* Owns the tables of targets of indirect calls, and the list of threads that have a
   table. The lock is held while a thread joins or leaves the list, and while all
   tables are read. A thread's table is written only by the thread itself. When a
   larger table replaces it, it stays mapped until the thread ends, since another
   thread may be reading it. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "rt/count/targets.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/count/counts.h"

#define TARGETS_FIRST  256  /* entries of a thread's first table; a power of 2 */
#define TARGETS_SHARED 1024 /* entries of the table shared by all threads */

/* How long to wait for the lock, in nanoseconds. The limit matters if a fatal signal
   interrupted the holder. */
#define TARGETS_PATIENCE 100000000

struct targets_entry {
    _Atomic uint64_t site, target; /* target 0: free entry */
    _Atomic uint64_t count;
};

/* A hash table with open addressing. At least half of its entries are free. */
struct targets_table {
    /* The smaller table that this one replaced. */
    struct targets_table *outgrown;
    size_t room, used;
    struct targets_entry entries[];
};

/* A thread that counts. The struct is in the thread's own thread-local storage. */
struct targets_thread {
    struct targets_thread *next, **link; /* LINK null: not in the list */
    struct targets_table *_Atomic table;
    bool busy; /* the thread is in the middle of a count */
};

static struct targets_thread *threads;
static struct targets_table *_Atomic ended; /* counts of threads that have ended */
static struct targets_entry shared[TARGETS_SHARED];
static _Atomic uint64_t lost;

/* EARLIER: counts in earlier slices. PENDING: the value that EARLIER gets when the
   slice being written is complete. */
static struct {
    struct targets_table *_Atomic table;
    uint64_t lost;
} earlier, pending;

static _Atomic bool any;
static ccprof_lock busy;
static __thread struct targets_thread self;

static bool targets_lock(void)
{
    return ccprof_lock_wait(&busy, TARGETS_PATIENCE);
}

static size_t targets_size(size_t room)
{
    return sizeof(struct targets_table) + room * sizeof(struct targets_entry);
}

static struct targets_table *targets_make(size_t room)
{
    struct targets_table *table = ccprof_pages_map(targets_size(room));

    if (table)
        table->room = room;
    return table;
}

static void targets_free(struct targets_table *table)
{
    while (table) {
        struct targets_table *outgrown = table->outgrown;
        munmap(table, targets_size(table->room));
        table = outgrown;
    }
}

/* Multiplicative hashing with the golden ratio (Knuth, TAOCP 3, 6.4). */
static size_t targets_hash(uint64_t site, uint64_t target)
{
    return (size_t)((site + target * 31) * 0x9e3779b97f4a7c15 >> 32);
}

static uint64_t targets_load(const _Atomic uint64_t *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

static void targets_store(_Atomic uint64_t *number, uint64_t value)
{
    atomic_store_explicit(number, value, memory_order_relaxed);
}

/* Returns the entry of the pair, or the free entry for it. */
static struct targets_entry *targets_find(struct targets_table *table, uint64_t site,
                                          uint64_t target)
{
    size_t i = targets_hash(site, target);

    for (;; i++) {
        struct targets_entry *entry = &table->entries[i & (table->room - 1)];
        uint64_t there = targets_load(&entry->target);
        if (there == 0 || (there == target && targets_load(&entry->site) == site))
            return entry;
    }
}

/* Adds COUNT to the pair. Needs no lock: only this thread writes the table. The
   target is stored last, so that readers see only complete entries. */
static void targets_count(struct targets_table *table, uint64_t site, uint64_t target,
                          uint64_t count)
{
    struct targets_entry *entry = targets_find(table, site, target);

    targets_store(&entry->count, targets_load(&entry->count) + count);
    if (targets_load(&entry->target) != 0)
        return;
    table->used++;
    targets_store(&entry->site, site);
    atomic_store_explicit(&entry->target, target, memory_order_release);
}

static void targets_add_table(struct targets_table *into,
                              const struct targets_table *from)
{
    for (size_t i = 0; i < from->room; i++) {
        const struct targets_entry *entry = &from->entries[i];
        if (targets_load(&entry->target))
            targets_count(into, targets_load(&entry->site), targets_load(&entry->target),
                          targets_load(&entry->count));
    }
}

/* Makes room for MORE additional pairs in *PLACE. Returns false if there is no
   memory. */
static bool targets_grow(struct targets_table *_Atomic *place, size_t more)
{
    struct targets_table *old = atomic_load(place), *table;
    size_t needed = 2 * ((old ? old->used : 0) + more);
    size_t room = old ? old->room : TARGETS_FIRST;

    if (old && needed <= room)
        return true;
    while (room < needed)
        room *= 2;
    table = targets_make(room);
    if (!table)
        return false;
    if (old)
        targets_add_table(table, old);
    table->outgrown = old;
    atomic_store(place, table);
    return true;
}

static void targets_lose(uint64_t count)
{
    atomic_fetch_add_explicit(&lost, count, memory_order_relaxed);
}

/* Takes the entry for the pair if the entry is free. Returns whether the entry
   belongs to the pair. The target is stored after the site. */
static bool targets_claim(struct targets_entry *entry, uint64_t site, uint64_t target)
{
    uint64_t none = 0;

    if (atomic_load(&entry->target) == 0 &&
        atomic_compare_exchange_strong(&entry->site, &none, site))
        atomic_store(&entry->target, target);
    return atomic_load(&entry->target) == target && atomic_load(&entry->site) == site;
}

static void targets_add_shared(uint64_t site, uint64_t target)
{
    size_t first = targets_hash(site, target);

    for (size_t i = first; i < first + TARGETS_SHARED; i++) {
        struct targets_entry *entry = &shared[i % TARGETS_SHARED];
        if (!targets_claim(entry, site, target))
            continue;
        atomic_fetch_add_explicit(&entry->count, 1, memory_order_relaxed);
        return;
    }
    targets_lose(1);
}

static bool targets_enlist(void)
{
    if (!ccprof_counts_thread_is_registered() || !targets_lock())
        return false;
    self.next = threads;
    self.link = &threads;
    if (threads)
        threads->link = &self.next;
    threads = &self;
    ccprof_lock_release(&busy);
    return true;
}

/* Counts in the thread's own table. Returns false if that is not possible. */
static bool targets_add_own(uint64_t site, uint64_t target)
{
    if (self.busy)
        return false;
    self.busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    bool good = (self.link || targets_enlist()) && targets_grow(&self.table, 1);
    if (good)
        targets_count(atomic_load_explicit(&self.table, memory_order_relaxed), site,
                      target, 1);
    atomic_signal_fence(memory_order_seq_cst);
    self.busy = false;
    return good;
}

/* The fast path, sufficient in most cases: looks only at the first entry in which the
   thread's own table may have the pair. If this is the pair's entry, counts the pair
   there. Returns false otherwise. */
static inline bool targets_add_fast(uint64_t site, uint64_t target)
{
    struct targets_table *table = atomic_load_explicit(&self.table, memory_order_relaxed);
    struct targets_entry *entry;
    bool hit;

    if (!table || self.busy)
        return false;
    self.busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    /* Reads the table again, since a signal handler may have replaced it. */
    table = atomic_load_explicit(&self.table, memory_order_relaxed);
    entry = &table->entries[targets_hash(site, target) & (table->room - 1)];
    hit = targets_load(&entry->target) == target && targets_load(&entry->site) == site;
    if (hit)
        targets_store(&entry->count, targets_load(&entry->count) + 1);
    atomic_signal_fence(memory_order_seq_cst);
    self.busy = false;
    return hit;
}

static __attribute__((noinline)) void targets_add(uint64_t from, uint64_t to)
{
    if (from == 0 || to == 0)
        return;
    if (!atomic_load_explicit(&any, memory_order_relaxed))
        atomic_store(&any, true);
    if (!targets_add_own(from, to))
        targets_add_shared(from, to);
}

void ccprof_targets_add(const void *site, const void *target)
{
    uint64_t from = (uintptr_t)site, to = (uintptr_t)target;

    if (!targets_add_fast(from, to))
        targets_add(from, to);
}

/* Adds COUNT to the counts of threads that have ended. */
static void targets_add_ended(uint64_t site, uint64_t target, uint64_t count)
{
    if (count == 0)
        return;
    bool locked = targets_lock();
    atomic_store(&any, true);
    if (targets_grow(&ended, 1))
        targets_count(atomic_load(&ended), site, target, count);
    if (locked)
        ccprof_lock_release(&busy);
}

void ccprof_targets_gather(void)
{
    ccprof_counts_called(targets_add_ended, false);
}

static void targets_lose_all(const struct targets_table *table)
{
    for (size_t i = 0; i < table->room; i++)
        targets_lose(targets_load(&table->entries[i].count));
}

static void targets_delist(void)
{
    *self.link = self.next;
    if (self.next)
        self.next->link = self.link;
    self.link = NULL;
}

void ccprof_targets_thread_end(void)
{
    struct targets_table *table = atomic_load(&self.table);

    ccprof_counts_called(targets_add_ended, true);
    if (!self.link)
        return;
    ccprof_lock_take(&busy);
    self.busy = true;
    if (table && targets_grow(&ended, table->used))
        targets_add_table(atomic_load(&ended), table);
    else if (table)
        targets_lose_all(table);
    targets_delist();
    atomic_store(&self.table, NULL);
    targets_free(table);
    self.busy = false;
    ccprof_lock_release(&busy);
}

static void targets_clear(struct targets_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        targets_store(&entries[i].count, 0);
}

/* Removes each table from its variable before it is freed: another thread may fork at
   any moment, and the child frees the tables in these variables. */
static void targets_drop_pending(void)
{
    targets_free(atomic_exchange(&pending.table, NULL));
    pending.lost = 0;
}

static void targets_forget_earlier(void)
{
    targets_drop_pending();
    targets_free(atomic_exchange(&earlier.table, NULL));
    earlier.lost = 0;
}

/* Does not free the tables of the parent's other threads. */
void ccprof_targets_drop(void)
{
    struct targets_table *table = atomic_load(&self.table), *old = atomic_load(&ended);

    ccprof_lock_release(&busy);
    targets_forget_earlier();
    /* The tables would be copied for the child, page by page. */
    if (!atomic_load(&any))
        return;
    threads = self.link ? &self : NULL;
    if (self.link) {
        self.link = &threads;
        self.next = NULL;
    }
    if (table)
        targets_clear(table->entries, table->room);
    if (old)
        targets_clear(old->entries, old->room);
    targets_clear(shared, TARGETS_SHARED);
    targets_store(&lost, 0);
    /* The pairs of this thread's table are counted without setting ANY. */
    atomic_store(&any, table != NULL);
}

static int targets_visit(const struct targets_entry *entries, size_t count,
                         ccprof_targets_visit *visit, void *context)
{
    int stop = 0;

    for (size_t i = 0; i < count && !stop; i++) {
        uint64_t target = atomic_load_explicit(&entries[i].target, memory_order_acquire);
        uint64_t calls = targets_load(&entries[i].count);
        if (target && calls)
            stop = visit(context, targets_load(&entries[i].site), target, calls);
    }
    return stop;
}

static int targets_visit_table(struct targets_table *_Atomic *place,
                               ccprof_targets_visit *visit, void *context)
{
    const struct targets_table *table = atomic_load(place);
    return table ? targets_visit(table->entries, table->room, visit, context) : 0;
}

static int targets_visit_all(ccprof_targets_visit *visit, void *context)
{
    int stop = targets_visit(shared, TARGETS_SHARED, visit, context);

    if (!stop)
        stop = targets_visit_table(&ended, visit, context);
    for (struct targets_thread *t = threads; t && !stop; t = t->next)
        stop = targets_visit_table(&t->table, visit, context);
    if (!stop && targets_load(&lost))
        stop = visit(context, 0, 0, targets_load(&lost));
    return stop;
}

/* Adds a count to `pending'. Used as a ccprof_targets_visit. */
static int targets_add_pending(void *context, uint64_t site, uint64_t target,
                               uint64_t count)
{
    (void)context;
    if (target == 0)
        pending.lost += count;
    else if (targets_grow(&pending.table, 1))
        targets_count(atomic_load(&pending.table), site, target, count);
    else
        return -1;
    return 0;
}

static uint64_t targets_earlier_of(uint64_t site, uint64_t target)
{
    struct targets_table *table = atomic_load(&earlier.table);
    return table ? targets_load(&targets_find(table, site, target)->count) : 0;
}

/* Visits the counts of `pending' minus the counts of `earlier'. */
static int targets_visit_new(ccprof_targets_visit *visit, void *context)
{
    const struct targets_table *table = atomic_load(&pending.table);
    int stop = 0;

    for (size_t i = 0; table && i < table->room && !stop; i++) {
        uint64_t site = targets_load(&table->entries[i].site);
        uint64_t target = targets_load(&table->entries[i].target);
        uint64_t count = target ? targets_load(&table->entries[i].count) -
                                      targets_earlier_of(site, target)
                                : 0;
        if (count)
            stop = visit(context, site, target, count);
    }
    if (!stop && pending.lost != earlier.lost)
        stop = visit(context, 0, 0, pending.lost - earlier.lost);
    return stop;
}

int ccprof_targets_each(ccprof_targets_visit *visit, void *context, bool slice)
{
    bool locked = targets_lock();
    int stop;

    if (!slice && !atomic_load(&earlier.table) && earlier.lost == 0) {
        stop = targets_visit_all(visit, context);
    } else {
        targets_drop_pending();
        stop = targets_visit_all(targets_add_pending, NULL);
        if (!stop)
            stop = targets_visit_new(visit, context);
        if (stop || !slice)
            targets_drop_pending();
    }
    if (locked)
        ccprof_lock_release(&busy);
    return stop;
}

/* If the visit was incomplete, `pending' is empty, and the next file will contain the
   counts. */
void ccprof_targets_slice_done(void)
{
    if (!atomic_load(&pending.table) && pending.lost == 0)
        return;
    targets_free(atomic_exchange(&earlier.table, NULL));
    atomic_store(&earlier.table, atomic_exchange(&pending.table, NULL));
    earlier.lost = pending.lost;
    pending.lost = 0;
}

bool ccprof_targets_any(void)
{
    return atomic_load(&any);
}
