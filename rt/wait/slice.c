/* SPDX-License-Identifier: MIT */
/* The waits of a slice: those of the run, less those that earlier slices have. Owns a
   copy of the latter. Called by the writer, in one thread at a time. */

#include <stddef.h>
#include <string.h>
#include <time.h>

#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/wait/wait-inside.h"

/* All waits until the end of a slice, TIME nanoseconds after BEGUN, which is another time
   in the child of a fork. */
static struct slice {
    struct ccprof_points *points; /* null: there is no slice */
    uint64_t begun, time;
} earlier, current;

static void slice_free(struct slice *slice)
{
    if (slice->points)
        ccprof_points_free(slice->points);
    slice->points = NULL;
}

/* Subtracts the greatest part of *AMOUNT from *FROM. */
static void slice_take(uint64_t *from, uint64_t *amount)
{
    const uint64_t part = *amount < *from ? *amount : *from;

    *from -= part;
    *amount -= part;
}

/* A wait is in each slice in which it lasted. */
static void slice_take_sum(struct ccprof_wait_sum *from, uint64_t *count, uint64_t *time)
{
    slice_take(&from->time, time);
    slice_take(&from->count, count);
    if (from->time == 0)
        from->count = 0;
    else if (from->count == 0)
        from->count = 1;
    if (from->longest > from->time)
        from->longest = from->time;
    if (from->count && from->longest < from->time / from->count)
        from->longest = from->time / from->count + (from->time % from->count != 0);
}

/* Returns the number in POINTS of a stack of EARLIER. Only those of waits that had not
   been settled can have another number. ADDRESS has room for a stack. */
static uint32_t slice_stack(struct ccprof_points *points, uint32_t number,
                            uint64_t *address)
{
    const struct ccprof_wait_point *point = earlier.points->point;
    uint32_t count = 0;

    if (number < earlier.points->known)
        return number;
    for (; number != CCPROF_POINTS_ROOT; number = point[number].caller)
        address[count++] = point[number].address;
    return ccprof_points_put(points, address, count);
}

/* Subtracts an earlier sum: from the same waits, and what is left from waits of the same
   stack for the same thing, because a wait that had not ended has got another end. Of one
   for a descriptor, the thing and the reason are known at its end. */
static void slice_subtract_sum(struct ccprof_points *points, uint32_t index,
                               uint64_t *address)
{
    const struct ccprof_wait_sum *sum = &earlier.points->sum[index];
    struct ccprof_wait_kind kind = sum->kind;
    uint64_t count = kind.end == CCPROF_WAIT_OPEN ? 0 : sum->count, time = sum->time;

    kind.stack = slice_stack(points, kind.stack, address);
    kind.cause = slice_stack(points, kind.cause, address);
    struct ccprof_wait_sum *equal = ccprof_points_sum(points, &kind);
    if (equal)
        slice_take_sum(equal, &count, &time);
    const bool is_any = kind.end == CCPROF_WAIT_OPEN && kind.object == 0;
    for (int any = 0; any <= is_any; any++)
        for (uint32_t i = 0; time && i < points->sums; i++) {
            const struct ccprof_wait_kind *other = &points->sum[i].kind;
            if (other->stack == kind.stack &&
                (any || (other->object == kind.object && other->reason == kind.reason)))
                slice_take_sum(&points->sum[i], &count, &time);
        }
}

static void slice_subtract_states(struct ccprof_points *points)
{
    for (uint32_t i = 0; i <= CCPROF_THREADNAMES_MAX; i++) {
        struct ccprof_wait_state *state = &points->state[i],
                                 before = earlier.points->state[i];
        state->start += before.wall;
        slice_take(&state->wall, &before.wall);
        slice_take(&state->cpu, &before.cpu);
        slice_take(&state->ready, &before.ready);
        state->any &= state->wall != 0;
    }
}

/* For each sum: its number among those that are left, and what its single waits can still
   have. */
struct slice_left {
    uint64_t count, time;
    uint32_t number;
};

/* Removes the part of the single wait that earlier slices have. Returns false if nothing
   is left. */
static bool slice_shorten(struct ccprof_wait_single *single, struct slice_left *left)
{
    const uint64_t length = single->length, end = single->start + length;

    if (end <= earlier.time || left->count == 0)
        return false;
    if (single->start < earlier.time) {
        single->start = earlier.time;
        single->length = end - earlier.time;
        single->time =
            (uint64_t)((unsigned __int128)single->time * single->length / length);
    }
    if (single->time > left->time)
        single->time = left->time;
    left->time -= single->time;
    left->count--;
    single->sum = left->number;
    return true;
}

/* Removes the sums without waits, and the single waits that ended earlier. LEFT has room
   for each sum. The shortest single wait stays if it says which ones are missing. */
static void slice_shrink(struct ccprof_points *points, struct slice_left *left)
{
    uint32_t sums = 0, singles = points->dropped && points->singles;

    for (uint32_t i = 0; i < points->sums; i++) {
        const struct ccprof_wait_sum sum = points->sum[i];
        left[i] = (struct slice_left){sum.count, sum.time, sums};
        if (sum.count)
            points->sum[sums++] = sum;
    }
    points->sums = sums;
    for (uint32_t i = singles; i < points->singles; i++) {
        struct ccprof_wait_single single = points->single[i];
        if (!slice_shorten(&single, &left[single.sum]))
            continue;
        if (single.time > points->sum[single.sum].longest)
            points->sum[single.sum].longest = single.time;
        points->single[singles++] = single;
    }
    points->singles = singles;
}

static bool slice_subtract(struct ccprof_points *points)
{
    struct ccprof_pages pages = {0};
    uint64_t unrecorded = earlier.points->unrecorded;

    if (!ccprof_pages_make(&pages, CCPROF_POINTS_MOST * sizeof(uint64_t) +
                                       CCPROF_SUMS_MOST * sizeof(struct slice_left)))
        return false;
    for (uint32_t i = 0; i < earlier.points->sums; i++)
        slice_subtract_sum(points, i, (void *)pages.start);
    slice_subtract_states(points);
    slice_take(&points->unrecorded, &unrecorded);
    slice_shrink(points, (void *)pages.start);
    ccprof_pages_free(&pages);
    return true;
}

struct ccprof_points *wait_slice_of(struct ccprof_points *points, bool is_slice)
{
    struct ccprof_points *copy;

    slice_free(&current);
    if (earlier.begun != wait_begun)
        slice_free(&earlier);
    if (!points || (!is_slice && !earlier.points))
        return points;
    copy = ccprof_points_copy(points);
    current = (struct slice){points, wait_begun,
                             ccprof_sys_clock(CLOCK_MONOTONIC) - wait_begun};
    if (copy && earlier.points && !slice_subtract(copy)) {
        ccprof_points_free(copy);
        copy = NULL;
    }
    if (!is_slice)
        slice_free(&current);
    return copy;
}

void ccprof_wait_slice_done(void)
{
    if (!current.points)
        return;
    slice_free(&earlier);
    earlier = current;
    current.points = NULL;
}
