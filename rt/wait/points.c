/* SPDX-License-Identifier: MIT */
/* Implements the tree of stacks, the sums, the heap of the longest waits (the smallest
   element first: R. W. Floyd, "Treesort", 1964), and the objects. Owns the objects. */

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/os/memory.h"
#include "rt/wait/points.h"

/* Number of entries of the table of objects in which an object is searched for. */
#define OBJECTS_TRIES 16

static struct objects {
    _Atomic uint32_t count;
    _Atomic uint64_t address[CCPROF_OBJECTS_MOST]; /* 0: free */
    struct ccprof_wait_object object[CCPROF_OBJECTS_MOST];
} * objects;

static size_t points_size(uint32_t kept)
{
    return sizeof(struct ccprof_points) +
           (size_t)kept * sizeof(struct ccprof_wait_single);
}

static void points_begin(struct ccprof_points *points, uint32_t kept)
{
    points->kept = kept;
    points->points = CCPROF_POINTS_ROOT + 1;
    points->known = CCPROF_POINTS_MOST;
}

struct ccprof_points *ccprof_points_make(uint32_t kept)
{
    struct ccprof_points *points = ccprof_pages_map(points_size(kept));

    if (points)
        points_begin(points, kept);
    return points;
}

bool ccprof_points_clear(struct ccprof_points *points)
{
    const uint32_t kept = points->kept;

    if (!ccprof_pages_clear(points, points_size(kept)))
        return false;
    points_begin(points, kept);
    return true;
}

void ccprof_points_free(struct ccprof_points *points)
{
    munmap(points, points_size(points->kept));
}

static uint64_t points_mix(uint64_t a, uint64_t b)
{
    const uint64_t mixed =
        (a + b * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);

    return mixed ^ mixed >> 32;
}

/* Returns the number of the point at ADDRESS that CALLER has called, or 0. *INDEX is the
   place of its number in the hash table. Without the lock, a new point may be missed. */
static uint32_t points_find_one(const struct ccprof_points *points, uint32_t caller,
                                uint64_t address, uint32_t *index)
{
    const uint32_t mask = 2 * CCPROF_POINTS_MOST - 1;
    uint32_t number;

    *index = (uint32_t)points_mix(address, caller) & mask;
    while ((number = atomic_load_explicit(&points->point_hash[*index],
                                          memory_order_acquire)) != 0) {
        const struct ccprof_wait_point *point = &points->point[number];
        if (point->address == address && point->caller == caller)
            return number;
        *index = (*index + 1) & mask;
    }
    return 0;
}

/* Does the same, and adds the point if it is missing. Returns 0 if there is no room. */
static uint32_t points_put_one(struct ccprof_points *points, uint32_t caller,
                               uint64_t address)
{
    uint32_t index, number = points_find_one(points, caller, address, &index);

    if (number || points->points == CCPROF_POINTS_MOST)
        return number;
    number = points->points++;
    points->point[number] = (struct ccprof_wait_point){
        address, caller,
        ccprof_tags_is_thread(address) && caller == CCPROF_POINTS_ROOT
            ? (uint32_t)(address & ~CCPROF_TAGS_KIND)
            : points->point[caller].thread};
    atomic_store_explicit(&points->point_hash[index], number, memory_order_release);
    return number;
}

uint32_t ccprof_points_find(const struct ccprof_points *points, const uint64_t *address,
                            uint32_t count)
{
    uint32_t number = CCPROF_POINTS_ROOT, index;

    while (count-- > 0) {
        number = points_find_one(points, number, address[count], &index);
        if (number == 0)
            return 0;
    }
    return number;
}

uint32_t ccprof_points_put(struct ccprof_points *points, const uint64_t *address,
                           uint32_t count)
{
    uint32_t number = CCPROF_POINTS_ROOT;

    while (count-- > 0) {
        number = points_put_one(points, number, address[count]);
        if (number == 0)
            return 0;
    }
    return number;
}

static bool kinds_are_equal(const struct ccprof_wait_kind *a,
                            const struct ccprof_wait_kind *b)
{
    return a->stack == b->stack && a->taken == b->taken && a->cause == b->cause &&
           a->object == b->object && a->held == b->held && a->reason == b->reason &&
           a->end == b->end;
}

/* Returns the index of the sum, or UINT32_MAX. *INDEX is the place of its number in the
   hash table. */
static uint32_t sums_find(const struct ccprof_points *points,
                          const struct ccprof_wait_kind *kind, uint32_t *index)
{
    const uint32_t mask = 2 * CCPROF_SUMS_MOST - 1;
    uint64_t hash = points_mix(kind->taken, (uint64_t)kind->stack << 32 | kind->cause);
    uint32_t number;

    hash = points_mix(hash, (uint64_t)kind->object << 32 | kind->held);
    hash = points_mix(hash, (uint64_t)kind->reason << 16 | kind->end);
    *index = (uint32_t)hash & mask;
    while ((number = points->sum_hash[*index]) != 0) {
        if (kinds_are_equal(&points->sum[number - 1].kind, kind))
            return number - 1;
        *index = (*index + 1) & mask;
    }
    return UINT32_MAX;
}

/* Does the same, and adds the sum if it is missing. Returns UINT32_MAX if there is no
   room. */
static uint32_t sums_put(struct ccprof_points *points,
                         const struct ccprof_wait_kind *kind)
{
    uint32_t index, number = sums_find(points, kind, &index);

    if (number != UINT32_MAX || points->sums == CCPROF_SUMS_MOST)
        return number;
    points->sum[points->sums] = (struct ccprof_wait_sum){.kind = *kind};
    points->sum_hash[index] = ++points->sums;
    return points->sums - 1;
}

struct ccprof_wait_sum *ccprof_points_sum(struct ccprof_points *points,
                                          const struct ccprof_wait_kind *kind)
{
    uint32_t index, number = sums_find(points, kind, &index);

    return number == UINT32_MAX ? NULL : &points->sum[number];
}

/* The hash tables are filled anew, so that a small copy touches few pages. */
struct ccprof_points *ccprof_points_copy(const struct ccprof_points *points)
{
    struct ccprof_points *copy = ccprof_pages_map(points_size(points->kept));

    if (!copy)
        return NULL;
    copy->unrecorded = points->unrecorded;
    copy->points = copy->known = points->points;
    copy->sums = points->sums;
    copy->singles = points->singles;
    copy->kept = points->kept;
    copy->dropped = points->dropped;
    memcpy(copy->state, points->state, sizeof copy->state);
    memcpy(copy->point, points->point, points->points * sizeof *points->point);
    memcpy(copy->sum, points->sum, points->sums * sizeof *points->sum);
    memcpy(copy->single, points->single, points->singles * sizeof *points->single);
    for (uint32_t i = CCPROF_POINTS_ROOT + 1; i < copy->points; i++) {
        uint32_t index;
        points_find_one(copy, copy->point[i].caller, copy->point[i].address, &index);
        atomic_store_explicit(&copy->point_hash[index], i, memory_order_relaxed);
    }
    for (uint32_t i = 0; i < copy->sums; i++) {
        uint32_t index;
        sums_find(copy, &copy->sum[i].kind, &index);
        copy->sum_hash[index] = i + 1;
    }
    return copy;
}

/* Moves the element at INDEX down to its place. */
static void singles_sink(struct ccprof_points *points, uint32_t index)
{
    struct ccprof_wait_single *single = points->single, moved = single[index];

    for (uint32_t child; (child = 2 * index + 1) < points->singles; index = child) {
        if (child + 1 < points->singles && single[child + 1].time < single[child].time)
            child++;
        if (moved.time <= single[child].time)
            break;
        single[index] = single[child];
    }
    single[index] = moved;
}

static void singles_add(struct ccprof_points *points,
                        const struct ccprof_wait_single *added)
{
    struct ccprof_wait_single *single = points->single;

    if (points->singles == points->kept) {
        points->dropped = true;
        if (points->kept == 0 || added->time <= single[0].time)
            return;
        single[0] = *added;
        singles_sink(points, 0);
        return;
    }
    uint32_t index = points->singles++;
    for (; index > 0 && single[(index - 1) / 2].time > added->time;
         index = (index - 1) / 2)
        single[index] = single[(index - 1) / 2];
    single[index] = *added;
}

void ccprof_points_add(struct ccprof_points *points, const struct ccprof_wait_kind *kind,
                       uint64_t start, uint64_t length, uint64_t time)
{
    struct ccprof_wait_kind known = *kind;

    /* Holders in new processes must not use up the room. */
    if (points->sums >= CCPROF_SUMS_MOST / 2 && ccprof_points_is_process(kind->taken))
        known.taken = 0;
    const uint32_t index = kind->stack ? sums_put(points, &known) : UINT32_MAX;

    if (index == UINT32_MAX) {
        points->unrecorded++;
        return;
    }
    struct ccprof_wait_sum *sum = &points->sum[index];
    sum->count++;
    sum->time += time;
    if (time > sum->longest)
        sum->longest = time;
    singles_add(points, &(struct ccprof_wait_single){start, length, time, index});
}

bool ccprof_objects_start(void)
{
    objects = ccprof_pages_map(sizeof *objects);
    return objects != NULL;
}

bool ccprof_objects_clear(void)
{
    return ccprof_pages_clear(objects, sizeof *objects);
}

struct ccprof_wait_object *ccprof_objects_at(uint32_t number)
{
    return &objects->object[number - 1];
}

uint64_t ccprof_objects_address(uint32_t number)
{
    return objects->address[number - 1];
}

/* Returns the number of the object, or 0. If MAKE, adds it if it is missing. */
static uint32_t objects_search(uint64_t address, bool make)
{
    const uint32_t first = (uint32_t)points_mix(address, 0);

    for (uint32_t i = 0; i < OBJECTS_TRIES; i++) {
        const uint32_t index = (first + i) % CCPROF_OBJECTS_MOST;
        uint64_t existing =
            atomic_load_explicit(&objects->address[index], memory_order_acquire);
        if (existing == 0 && !make)
            return 0;
        if (existing == 0 && atomic_compare_exchange_strong(&objects->address[index],
                                                            &existing, address)) {
            objects->count++;
            return index + 1;
        }
        if (existing == address)
            return index + 1;
    }
    return 0;
}

uint32_t ccprof_objects_find(uint64_t address)
{
    return objects_search(address, false);
}

uint32_t ccprof_objects_put(uint64_t address)
{
    const bool is_file = (address & CCPROF_TAGS_KIND) == CCPROF_OBJECTS_FILE;

    return objects_search(address, !is_file || objects->count < CCPROF_OBJECTS_MOST / 2);
}
