/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes backwards from the end of the first thread. The waits of a thread are sorted by
   their start, and are found by a binary search. */

#include "mlprof/waiting/criticalpath.h"
#include "mlprof/waiting/waiting.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

/* A single wait, with its thread. */
struct item {
    uint32_t thread;
    const struct waitdata_single *single;
};

struct walk {
    const struct waitdata *waits;
    struct item *items; /* by thread, then by start */
    size_t count;
    uint32_t thread; /* where the walk is */
    uint64_t time;
    uint32_t jumps; /* number of changes of the thread since TIME has changed */
    /* The wait for a lock, of another thread, that the thread ended; or all zeros. */
    struct item lock;
};

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->single->start > b->single->start) - (a->single->start < b->single->start);
}

static void sort_items(struct walk *walk)
{
    const struct waitdata *waits = walk->waits;
    walk->items = buf_alloc(waits->longest.count * sizeof *walk->items);
    for (size_t i = 0; i < waits->longest.count; i++) {
        const struct waitdata_single *single = &waits->longest.list[i];
        const struct waitdata_wait *wait = &waits->waits.list[single->wait];
        if (wait->reason == CCPROF_WAIT_SPIN)
            continue;
        walk->items[walk->count++] =
            (struct item){waitdata_thread(waits, wait->stack), single};
    }
    qsort(walk->items, walk->count, sizeof *walk->items, compare_items);
}

/* Returns the last wait of the thread that began before the time, or NULL. */
static const struct waitdata_single *find_before(const struct walk *walk)
{
    size_t low = 0, high = walk->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct item *item = &walk->items[middle];
        if (item->thread < walk->thread ||
            (item->thread == walk->thread && item->single->start < walk->time))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && walk->items[low - 1].thread == walk->thread
               ? walk->items[low - 1].single
               : NULL;
}

/* Adds the step from FROM to the time of the walk, and moves the walk there. */
static void add_step(struct criticalpath *path, struct walk *walk, uint64_t from,
                     uint32_t wait)
{
    if (from >= walk->time)
        return;
    BUF_PUSH(path->steps) =
        (struct criticalpath_step){walk->thread, wait, from, walk->time};
    path->time += walk->time - from;
    walk->time = from;
    walk->jumps = 0;
}

/* Moves to the thread that ended the wait. Returns false if it is not known, or if
   threads seem to wake each other at the same time. */
static bool jump(struct walk *walk, const struct waitdata_single *single)
{
    const struct waitdata_wait *wait = &walk->waits->waits.list[single->wait];
    if (wait->end != CCPROF_WAIT_BY_THREAD || wait->cause == WAITDATA_NONE ||
        walk->jumps > walk->waits->states.count)
        return false;
    const uint32_t thread = waitdata_thread(walk->waits, wait->cause);
    if (thread == walk->thread)
        return false;
    walk->lock = waiting_is_for_lock(wait->reason) ? (struct item){walk->thread, single}
                                                   : (struct item){0};
    walk->thread = thread;
    walk->jumps++;
    return true;
}

/* Returns whether the thread held no lock for which others waited in the wait, which
   ended at END, and did not wait for the lock of the walk. It has then taken that lock
   later, while another thread waited for it. */
static bool is_before_lock(const struct walk *walk, const struct waitdata_wait *wait,
                           uint64_t end)
{
    if (!walk->lock.single || walk->lock.single->start >= end)
        return false;
    const uint32_t lock = walk->waits->waits.list[walk->lock.single->wait].object;
    return wait->held == WAITDATA_NONE && lock != WAITDATA_NONE &&
           !(waiting_is_for_lock(wait->reason) && wait->object == lock);
}

/* Goes back over one wait, and what the thread did after it. Returns false at the start
   of a thread. */
static bool step_back(struct criticalpath *path, struct walk *walk)
{
    const struct waitdata_single *single = find_before(walk);
    if (!single)
        return false;
    const struct waitdata_wait *wait = &walk->waits->waits.list[single->wait];
    uint64_t end = single->start + single->time;
    if (end > walk->time)
        end = walk->time;
    add_step(path, walk, end, WAITDATA_NONE);
    if (is_before_lock(walk, wait, end)) {
        /* Until then, others held the lock: nobody knows which ones. */
        single = walk->lock.single;
        walk->thread = walk->lock.thread;
        walk->lock = (struct item){0};
        add_step(path, walk, single->start, single->wait);
    } else if (!jump(walk, single)) {
        add_step(path, walk, single->start, single->wait);
    }
    return true;
}

static int compare_sums(const void *left, const void *right)
{
    const struct criticalpath_sum *a = left, *b = right;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->wait > b->wait) - (a->wait < b->wait);
}

static void add_up(struct criticalpath *path, const struct waitdata *waits)
{
    struct index numbers = {0};
    bool fresh;
    for (size_t i = 0; i < path->steps.count; i++) {
        const struct criticalpath_step *step = &path->steps.list[i];
        uint64_t place = 0, what = UINT64_MAX;
        if (step->wait != WAITDATA_NONE) {
            const struct waitdata_wait *wait = &waits->waits.list[step->wait];
            place = index_pair(wait->stack, wait->object);
            what = (uint64_t)wait->reason;
        }
        const uint32_t number = index_put(&numbers, step->thread, place, what, &fresh);
        if (fresh)
            BUF_PUSH(path->sums) =
                (struct criticalpath_sum){.thread = step->thread, .wait = step->wait};
        path->sums.list[number].time += step->to - step->from;
        path->sums.list[number].count++;
    }
    index_free(&numbers);
    if (path->sums.count)
        qsort(path->sums.list, path->sums.count, sizeof *path->sums.list, compare_sums);
}

void criticalpath_find(struct criticalpath *path, const struct waitdata *waits)
{
    struct walk walk = {.waits = waits};
    if (waits->longest.count == 0 || waits->states.count == 0)
        return;
    const struct waitdata_state *first = &waits->states.list[0];
    for (size_t i = 1; i < waits->states.count; i++)
        if (waits->states.list[i].start < first->start)
            first = &waits->states.list[i];
    sort_items(&walk);
    walk.thread = first->thread;
    walk.time = first->start + first->wall;
    for (;;) {
        while (step_back(path, &walk)) {
        }
        uint32_t state;
        const bool known = index_get(&waits->state_index, walk.thread, 0, 0, &state);
        add_step(path, &walk, known ? waits->states.list[state].start : 0, WAITDATA_NONE);
        if (walk.thread == first->thread || !known)
            break;
        /* Who created the thread is not known: most threads are the first one's. */
        walk.thread = first->thread;
        walk.lock = (struct item){0};
    }
    path->blur = waits->least;
    free(walk.items);
    add_up(path, waits);
}

void criticalpath_free(struct criticalpath *path)
{
    free(path->steps.list);
    free(path->sums.list);
}
