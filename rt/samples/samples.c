/* SPDX-License-Identifier: MIT */
/* Adds samples to the table of a run, and presents the table as a tree. Owns no data:
   the table belongs to the run. The SIGPROF handler calls add, in any thread. To
   write a profile, one thread freezes the table, reads its tree and thaws it.

   A point is in one of two buckets. The hash of its caller's number and its address
   gives the first bucket. The second bucket is TABLE_SECOND buckets after the first
   and is used if the first has no room. A point may be in both, each with a part of
   its samples.

   The flag of a bucket in `busy' protects the points of the bucket. The `uses' of a
   point count the points below it and the handlers that work on it. While a point has
   uses, its address and its caller do not change. Uses are increased only with the
   flag held, but may be decreased without it. Therefore a handler that steps from a
   point to a point below holds a use of the upper point. A thread that holds the flag
   of a bucket waits for no other flag: it tries the flags of the overflow log's shards
   only once each.

   A handler that never continues may hold the flag of a bucket, and a running handler
   may change points while the tree exists. Therefore the tree has only points that
   cannot change any more: the points of frozen buckets, and all points above them, in
   which they hold uses. */

#include <stddef.h>

#include "rt/os/sys.h"
#include "rt/samples/tags.h"
#include "rt/samples/samples.h"

/* Limits for making room in one add: points with samples that are moved to the
   overflow log, and buckets that are searched. */
#define TABLE_MOVES 8
#define TABLE_SWEEP 64

/* Distance from the first bucket of a point to its second bucket. */
#define TABLE_SECOND 8191

/* The state of one call of ccprof_samples_add. */
struct table_add {
    struct ccprof_samples *table;
    struct ccprof_overflow *overflow;
    uint64_t lost;
    int moves; /* remaining moves to the overflow log */
};

static uint32_t table_number(unsigned bucket, int way)
{
    return CCPROF_POINT_BASE + bucket * CCPROF_TABLE_WAYS + (unsigned)way;
}

/* Multiplicative hashing with the golden ratio (Knuth, TAOCP 3, 6.4), done twice. */
static unsigned table_hash(uint32_t caller, uint64_t address)
{
    const uint64_t ratio = 0x9e3779b97f4a7c15u;
    uint64_t hash = (address * ratio) ^ caller;
    hash = (hash ^ hash >> 32) * ratio;
    return (unsigned)((hash >> 32) * CCPROF_TABLE_BUCKETS >> 32);
}

static void table_use(struct ccprof_samples *table, uint32_t number)
{
    if (number != CCPROF_POINT_ROOT)
        atomic_fetch_add_explicit(&ccprof_samples_point(table, number)->uses, 1,
                                  memory_order_relaxed);
}

static bool table_is_used(const struct ccprof_point *point)
{
    return atomic_load_explicit(&point->uses, memory_order_acquire) != 0;
}

/* Gives back a use of the point. If the point now has no samples and no uses, frees
   it and gives back its use of its caller, and so on upwards. */
static void table_leave(struct ccprof_samples *table, uint32_t number)
{
    while (number != CCPROF_POINT_ROOT) {
        struct ccprof_point *point = ccprof_samples_point(table, number);
        ccprof_spin *busy =
            &table->busy[(number - CCPROF_POINT_BASE) / CCPROF_TABLE_WAYS];

        if (atomic_fetch_sub_explicit(&point->uses, 1, memory_order_acq_rel) != 1)
            return;
        if (!ccprof_spin_try(busy))
            return;
        uint32_t caller = CCPROF_POINT_ROOT;
        /* Another point may be in this slot by now. */
        if (point->caller != CCPROF_POINT_NONE && point->count == 0 &&
            !table_is_used(point)) {
            caller = point->caller;
            point->caller = CCPROF_POINT_NONE;
        }
        ccprof_spin_release(busy);
        number = caller;
    }
}

/* Adds the point's samples to the overflow log. The caller holds the bucket's flag. */
static void table_log_point(struct table_add *add, const struct ccprof_point *point)
{
    struct ccprof_overflow_shard *shard = ccprof_overflow_begin(add->overflow);
    uint32_t depth = 0;

    if (!shard) {
        add->lost += point->count;
        return;
    }
    const struct ccprof_point *caller = point;
    for (;;) {
        shard->next[depth++] = caller->address;
        if (caller->caller == CCPROF_POINT_ROOT)
            break;
        caller = ccprof_samples_point(add->table, caller->caller);
    }
    add->lost += ccprof_overflow_end(shard, depth, point->count);
}

static void table_log_stack(struct table_add *add, const struct ccprof_stack *stack,
                            uint64_t weight)
{
    struct ccprof_overflow_shard *shard = ccprof_overflow_begin(add->overflow);
    if (!shard) {
        add->lost += weight;
        return;
    }
    for (uint32_t i = 0; i < stack->depth; i++)
        shard->next[i] = stack->address[i];
    add->lost += ccprof_overflow_end(shard, stack->depth, weight);
}

/* Returns a free way; otherwise the way of the point with the fewest samples among the
   points without uses; otherwise -1. */
static int table_find_victim(const struct ccprof_bucket *bucket)
{
    int least = -1;
    for (int way = 0; way < CCPROF_TABLE_WAYS; way++) {
        const struct ccprof_point *point = &bucket->point[way];
        if (point->caller == CCPROF_POINT_NONE)
            return way;
        if (!table_is_used(point) &&
            (least < 0 || point->count < bucket->point[least].count))
            least = way;
    }
    return least;
}

/* Frees the slot. Returns the caller of the point that was in it, or the root if it
   was free. */
static uint32_t table_free(struct table_add *add, struct ccprof_point *point)
{
    uint32_t caller = point->caller;
    if (caller == CCPROF_POINT_NONE)
        return CCPROF_POINT_ROOT;
    if (point->count != 0) {
        table_log_point(add, point);
        add->moves--;
    }
    point->caller = CCPROF_POINT_NONE;
    return caller;
}

static int table_find(const struct ccprof_bucket *bucket, uint32_t caller,
                      uint64_t address)
{
    for (int way = 0; way < CCPROF_TABLE_WAYS; way++)
        if (bucket->point[way].caller == caller && bucket->point[way].address == address)
            return way;
    return -1;
}

/* Makes the point with this CALLER and ADDRESS. Returns its way, or -1 if there is no
   room. *ORPHAN is set to the caller of the point that was removed to make room, or
   to the root. */
static int table_make(struct table_add *add, struct ccprof_bucket *bucket,
                      uint32_t caller, uint64_t address, uint32_t *orphan)
{
    int way = table_find_victim(bucket);
    if (way < 0 || (bucket->point[way].caller != CCPROF_POINT_NONE &&
                    bucket->point[way].count != 0 && add->moves == 0))
        return -1;
    struct ccprof_point *point = &bucket->point[way];
    *orphan = table_free(add, point);
    point->address = address;
    point->count = 0;
    point->caller = caller;
    table_use(add->table, caller);
    return way;
}

/* Finds or makes, in bucket INDEX, the point with this CALLER and ADDRESS. Adds WEIGHT
   samples to the point; if WEIGHT is 0, takes a use of the point instead. Returns the
   number of the point, or CCPROF_POINT_NONE if there is no room. */
static uint32_t table_put(struct table_add *add, unsigned index, uint32_t caller,
                          uint64_t address, uint64_t weight)
{
    struct ccprof_samples *table = add->table;
    struct ccprof_bucket *bucket = &table->bucket[index];
    _Atomic bool *used = &table->used[index / CCPROF_TABLE_GROUP];
    uint32_t orphan = CCPROF_POINT_ROOT, number = CCPROF_POINT_NONE;
    int way = -1;

    if (!ccprof_spin_try(&table->busy[index]))
        return CCPROF_POINT_NONE;
    if (!*used && !table->closed)
        *used = true;
    if (*used) {
        way = table_find(bucket, caller, address);
        if (way < 0)
            way = table_make(add, bucket, caller, address, &orphan);
    }
    if (way >= 0) {
        number = table_number(index, way);
        bucket->point[way].count += weight;
        if (weight == 0)
            table_use(table, number);
    }
    ccprof_spin_release(&table->busy[index]);
    table_leave(table, orphan);
    return number;
}

/* Frees the slot of one point without uses, in the next bucket that has such a point.
   Without this, a table full of deep stacks that do not recur would stay full, since
   nearly all of its points have points below them. */
static void table_free_one(struct table_add *add)
{
    unsigned from =
        atomic_fetch_add_explicit(&add->table->hand, TABLE_SWEEP, memory_order_relaxed);

    for (unsigned i = 0; i < TABLE_SWEEP; i++) {
        unsigned index = (from + i) % CCPROF_TABLE_BUCKETS;
        struct ccprof_bucket *bucket = &add->table->bucket[index];
        uint32_t orphan = CCPROF_POINT_NONE;

        if (!ccprof_spin_try_once(&add->table->busy[index]))
            continue;
        int way = table_find_victim(bucket);
        if (way >= 0 && bucket->point[way].caller != CCPROF_POINT_NONE)
            orphan = table_free(add, &bucket->point[way]);
        ccprof_spin_release(&add->table->busy[index]);
        if (orphan != CCPROF_POINT_NONE) {
            table_leave(add->table, orphan);
            return;
        }
    }
}

static void table_note_weight(struct ccprof_samples *table, uint64_t weight)
{
    uint64_t heaviest = atomic_load_explicit(&table->heaviest, memory_order_relaxed);

    while (heaviest < weight &&
           !atomic_compare_exchange_weak(&table->heaviest, &heaviest, weight))
        ;
    atomic_fetch_add_explicit(&table->excess, weight * (weight - 1),
                              memory_order_relaxed);
}

void ccprof_samples_add(struct ccprof_samples *table, struct ccprof_overflow *overflow,
                        const struct ccprof_stack *stack, uint64_t weight)
{
    struct table_add add = {table, overflow, 0, TABLE_MOVES};
    uint32_t number = CCPROF_POINT_ROOT;

    ccprof_assert(weight != 0);
    ccprof_assert(stack->depth != 0 && stack->depth <= CCPROF_STACK_DEPTH);
    atomic_fetch_add_explicit(&table->samples, weight, memory_order_relaxed);
    if (weight > 1)
        table_note_weight(table, weight);

    /* Walks from the root to the innermost point. Only the innermost point gets the
       samples. */
    for (uint32_t i = stack->depth; i-- > 0 && number != CCPROF_POINT_NONE;) {
        uint32_t caller = number;
        uint64_t address = stack->address[i], here = i == 0 ? weight : 0;
        unsigned index = table_hash(caller, address);

        number = table_put(&add, index, caller, address, here);
        if (number == CCPROF_POINT_NONE) {
            index = (index + TABLE_SECOND) % CCPROF_TABLE_BUCKETS;
            number = table_put(&add, index, caller, address, here);
        }
        table_leave(table, caller);
    }
    if (number == CCPROF_POINT_NONE) {
        table_log_stack(&add, stack, weight);
        table_free_one(&add);
    }
    if (add.lost)
        atomic_fetch_add_explicit(&table->lost, add.lost, memory_order_relaxed);
}

void ccprof_samples_lose(struct ccprof_samples *table, uint64_t weight)
{
    atomic_fetch_add_explicit(&table->samples, weight, memory_order_relaxed);
    atomic_fetch_add_explicit(&table->lost, weight, memory_order_relaxed);
}

/* Skips groups of buckets that are not in use. This is safe since no add uses a new
   group of a closed table. */
void ccprof_samples_freeze(struct ccprof_samples *table)
{
    atomic_store(&table->closed, true);
    for (unsigned i = 0; (i = ccprof_samples_used(table, i)) < CCPROF_TABLE_BUCKETS; i++)
        if (!ccprof_samples_is_frozen(table, i) && ccprof_spin_try(&table->busy[i]))
            table->frozen[i / CCPROF_TABLE_GROUP] |= (uint64_t)1
                                                     << i % CCPROF_TABLE_GROUP;
}

/* Frees the point if it has no samples and no uses, then its caller under the same
   condition, and so on upwards. */
static void table_free_unused(struct ccprof_samples *table, uint32_t number)
{
    while (number != CCPROF_POINT_ROOT) {
        struct ccprof_point *point = ccprof_samples_point(table, number);
        if (point->caller == CCPROF_POINT_NONE || point->count != 0 ||
            table_is_used(point))
            return;
        number = point->caller;
        point->caller = CCPROF_POINT_NONE;
        if (number != CCPROF_POINT_ROOT)
            atomic_fetch_sub(&ccprof_samples_point(table, number)->uses, 1);
    }
}

void ccprof_samples_thaw(struct ccprof_samples *table)
{
    for (unsigned i = 0; (i = ccprof_samples_used(table, i)) < CCPROF_TABLE_BUCKETS; i++)
        for (int way = 0; way < CCPROF_TABLE_WAYS; way++)
            table_free_unused(table, table_number(i, way));
    for (unsigned i = 0; (i = ccprof_samples_used(table, i)) < CCPROF_TABLE_BUCKETS;
         i++) {
        bool frozen = ccprof_samples_is_frozen(table, i);
        table->frozen[i / CCPROF_TABLE_GROUP] &= ~((uint64_t)1 << i % CCPROF_TABLE_GROUP);
        if (frozen)
            ccprof_spin_release(&table->busy[i]);
    }
    atomic_store(&table->closed, false);
}

/* Value of `next_sibling' in the last point of a list. 0 means that the point is not
   linked. */
#define TREE_LAST CCPROF_POINT_ROOT

static uint32_t *tree_first(struct ccprof_samples *table, uint32_t caller)
{
    return caller == CCPROF_POINT_ROOT
               ? &table->roots
               : &ccprof_samples_point(table, caller)->first_child;
}

/* Links the point and all points above it. */
static void tree_link(struct ccprof_samples *table, uint32_t number)
{
    while (number != CCPROF_POINT_ROOT) {
        struct ccprof_point *point = ccprof_samples_point(table, number);
        uint32_t *first = tree_first(table, point->caller);

        if (point->next_sibling != 0)
            return;
        point->next_sibling = *first ? *first : TREE_LAST;
        *first = number;
        number = point->caller;
    }
}

static bool tree_is_frozen(const struct ccprof_samples *table, uint32_t number)
{
    return ccprof_samples_is_frozen(table,
                                    (number - CCPROF_POINT_BASE) / CCPROF_TABLE_WAYS);
}

/* Returns the first number of a point, from NUMBER on, that is in a group in use, or
   CCPROF_POINT_NONE. */
static uint32_t tree_used(const struct ccprof_samples *table, uint32_t number)
{
    uint32_t index = number - CCPROF_POINT_BASE;
    unsigned bucket = index / CCPROF_TABLE_WAYS,
             used = ccprof_samples_used(table, bucket);

    if (used == CCPROF_TABLE_BUCKETS)
        return CCPROF_POINT_NONE;
    return used == bucket ? number : CCPROF_POINT_BASE + used * CCPROF_TABLE_WAYS;
}

void ccprof_tree_build(struct ccprof_samples *table)
{
    uint32_t number = tree_used(table, CCPROF_POINT_BASE);

    for (; number != CCPROF_POINT_NONE; number = tree_used(table, number + 1)) {
        const struct ccprof_point *point = ccprof_samples_point(table, number);
        if (tree_is_frozen(table, number) && point->caller != CCPROF_POINT_NONE &&
            point->count != 0)
            tree_link(table, number);
    }
}

static uint64_t *tree_count(struct ccprof_samples *table, uint32_t number)
{
    static uint64_t none;
    return tree_is_frozen(table, number) ? &ccprof_samples_point(table, number)->count
                                         : &none;
}

/* Returns the next point in preorder, or CCPROF_POINT_NONE. */
static uint32_t tree_next(struct ccprof_samples *table, uint32_t number, unsigned *depth)
{
    const struct ccprof_point *point = ccprof_samples_point(table, number);

    if (point->first_child != CCPROF_POINT_NONE) {
        ++*depth;
        return point->first_child;
    }
    while (point->next_sibling == TREE_LAST && point->caller != CCPROF_POINT_ROOT) {
        point = ccprof_samples_point(table, point->caller);
        --*depth;
    }
    return point->next_sibling == TREE_LAST ? CCPROF_POINT_NONE : point->next_sibling;
}

int ccprof_tree_each(struct ccprof_samples *table, ccprof_visit *visit, void *context)
{
    uint32_t number = table->roots;
    unsigned depth = 0;
    int stop = 0;

    while (!stop && number != CCPROF_POINT_NONE) {
        const struct ccprof_point *point = ccprof_samples_point(table, number);
        stop = visit(context, depth, point->address, *tree_count(table, number));
        number = tree_next(table, number, &depth);
    }
    return stop;
}

uint64_t ccprof_tree_take(struct ccprof_samples *table, uint64_t dataset)
{
    uint32_t number = table->roots;
    uint64_t taken = 0;
    unsigned depth = 0;
    bool inside = false;

    while (number != CCPROF_POINT_NONE) {
        const struct ccprof_point *point = ccprof_samples_point(table, number);
        uint64_t *count = tree_count(table, number);
        if (depth == 0)
            inside = dataset == CCPROF_DATASETS_ALL ||
                     ccprof_tags_dataset(point->address) == dataset;
        if (inside) {
            taken += *count;
            *count = 0;
        }
        number = tree_next(table, number, &depth);
    }
    return taken;
}

void ccprof_tree_forget(struct ccprof_samples *table)
{
    uint32_t number = tree_used(table, CCPROF_POINT_BASE);

    for (; number != CCPROF_POINT_NONE; number = tree_used(table, number + 1)) {
        struct ccprof_point *point = ccprof_samples_point(table, number);
        /* Writes only if one of the links is not 0: an unconditional store would write
           to pages that were never used. */
        if (point->first_child | point->next_sibling)
            point->first_child = point->next_sibling = 0;
    }
    table->roots = 0;
}
