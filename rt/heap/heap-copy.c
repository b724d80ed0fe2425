/* SPDX-License-Identifier: MIT */
/* Makes copies.  Owns the one that is told by a slice whose file is being written, or
   could not be.  Called by the writer of files, one thread at a time, with all signals
   blocked, handlers of fatal signals included; and by the child of a fork.  */

#include <stddef.h>
#include <stdint.h>

#include "rt/heap/heap-copy.h"
#include "rt/heap/heap.h"
#include "rt/os/text.h"

/* What the slice before has, until it is told; without pages there is none.  */
static struct ccprof_heap_copy untold;

static void copy_free(struct ccprof_heap_copy *copy)
{
    ccprof_heap_told_free(&copy->told);
    ccprof_pages_free(&copy->pages);
    ccprof_pages_free(&copy->reach_pages);
    copy->reach = NULL;
}

void ccprof_heap_slice_told(void)
{
    copy_free(&untold);
}

static void copy_add(struct ccprof_heap_amount *sum,
                     const struct ccprof_heap_amount *amount)
{
    sum->blocks += amount->blocks;
    sum->bytes += amount->bytes;
}

/* Whether there can be so much.  */
static bool copy_is_amount(const struct ccprof_heap_amount *amount)
{
    return (int64_t)amount->blocks > 0 && (int64_t)amount->bytes >= 0;
}

/* Returns the amount, or none if it is less than that: where threads have not yet counted
   all that they have allocated.  Of blocks of one size their number is told by that.  */
static struct ccprof_heap_amount copy_amount(const struct ccprof_heap_copied *point,
                                             struct ccprof_heap_amount amount)
{
    if (!copy_is_amount(&amount))
        return (struct ccprof_heap_amount){0, 0};
    if (point->address & CCPROF_HEAP_STACKS_SIZE)
        amount.bytes = amount.blocks * (point->address & ~CCPROF_HEAP_STACKS_SIZE);
    return amount;
}

static bool copy_is_within(const struct ccprof_heap_amount *some,
                           const struct ccprof_heap_amount *all)
{
    return some->blocks <= all->blocks && some->bytes <= all->bytes;
}

/* Copies what became of blocks of the point.  If that is more than there were, a change
   was not at its end, and nothing is told of it.  */
static void copy_life(struct ccprof_heap_copied *to, const struct ccprof_heap_life *from)
{
    struct ccprof_heap_life life = *from;
    struct ccprof_heap_amount lived = {0, 0};

    life.temporary = copy_amount(to, life.temporary);
    life.foreign = copy_amount(to, life.foreign);
    life.again = copy_amount(to, life.again);
    for (unsigned i = 0; i < CCPROF_LIVES; i++) {
        life.lived[i] = copy_amount(to, life.lived[i]);
        copy_add(&lived, &life.lived[i]);
    }
    if (copy_is_within(&lived, &to->freed) &&
        copy_is_within(&life.temporary, &to->freed) &&
        copy_is_within(&life.foreign, &to->freed) &&
        copy_is_within(&life.again, &to->allocated))
        to->life = life;
}

static void copy_point(struct ccprof_heap_copied *to,
                       const struct ccprof_heap_stacks *stacks,
                       const struct ccprof_heap_point *from)
{
    *to = (struct ccprof_heap_copied){.address = from->address, .caller = from->caller};
    to->allocated = copy_amount(to, from->allocated);
    to->freed = copy_amount(to, from->freed);
    to->alive = copy_amount(to, from->alive);
    to->at_peak = copy_amount(to, ccprof_heap_stacks_at_peak(stacks, from));
    if (from->life)
        copy_life(to, from->life);
}

/* Copies the points, and makes the sums those of what was copied, so that the file is
   right in itself even if something changes meanwhile: then points may have come whose
   chunk the copied state does not have.  */
static void copy_points(struct ccprof_heap_copy *copy)
{
    struct ccprof_heap_stacks *stacks = &copy->state.stacks;
    const struct ccprof_heap_amount none = {0, 0};

    while (!stacks->chunk[(copy->count - 1) / CCPROF_HEAP_STACKS_CHUNK])
        copy->count--;
    stacks->allocated = stacks->freed = stacks->alive = stacks->most = none;
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < copy->count; i++) {
        struct ccprof_heap_copied *to = &copy->point[i];
        copy_point(to, stacks, ccprof_heap_stacks_point(stacks, i));
        copy_add(&stacks->allocated, &to->allocated);
        copy_add(&stacks->freed, &to->freed);
        copy_add(&stacks->alive, &to->alive);
        copy_add(&stacks->most, &to->at_peak);
    }
}

static void copy_add_life(struct ccprof_heap_life *sum,
                          const struct ccprof_heap_life *life)
{
    copy_add(&sum->temporary, &life->temporary);
    copy_add(&sum->foreign, &life->foreign);
    copy_add(&sum->again, &life->again);
    for (unsigned i = 0; i < CCPROF_LIVES; i++)
        copy_add(&sum->lived[i], &life->lived[i]);
}

/* Makes the peak of the copy that of the heap.  */
static void copy_put_back_peak(struct ccprof_heap_state *state)
{
    struct ccprof_heap_stacks *stacks = &state->stacks;

    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        point->peak = stacks->peaks;
        point->at_peak = i < untold.count ? untold.point[i].at_peak
                                          : (struct ccprof_heap_amount){0, 0};
    }
    stacks->most = untold.state.stacks.most;
    stacks->most_weight = untold.state.stacks.most_weight;
    state->peak_time = untold.state.peak_time;
}

/* Adds what could not be told to what has come since, without times.  The heap is held.
 */
static void copy_put_back(void)
{
    struct ccprof_heap_state *state = ccprof_heap_held();
    struct ccprof_heap_stacks *stacks = &state->stacks;

    if (!untold.pages.at)
        return;
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < untold.count; i++) {
        const struct ccprof_heap_copied *from = &untold.point[i];
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        copy_add(&point->allocated, &from->allocated);
        copy_add(&point->freed, &from->freed);
        if (point->life)
            copy_add_life(point->life, &from->life);
    }
    copy_add(&stacks->allocated, &untold.state.stacks.allocated);
    copy_add(&stacks->freed, &untold.state.stacks.freed);
    if ((int64_t)untold.state.stacks.most_weight >= (int64_t)stacks->most_weight)
        copy_put_back_peak(state);
    ccprof_heap_count_else(untold.state.unkept, untold.state.unknown);
    state->times.count = 0;
    copy_free(&untold);
}

/* Begins the next slice.  The heap is held.  */
static void copy_restart(const struct ccprof_heap_copy *copy)
{
    ccprof_heap_restart();
    ccprof_heap_count_else(-copy->state.unkept, -copy->state.unknown);
    untold = *copy;
}

/* Maps room for the points and cells of the state, and some more.  */
static bool copy_make_room(struct ccprof_heap_copy *copy, uint32_t *room)
{
    ccprof_heap_get(&copy->state);
    *room = copy->state.stacks.count + copy->state.stacks.count / 8;
    if (!ccprof_pages_make(&copy->pages, *room * sizeof *copy->point))
        return false;
    copy->point = (void *)copy->pages.at;
    if (ccprof_heap_told_make(&copy->told, *room, &copy->state.times))
        return true;
    ccprof_pages_free(&copy->pages);
    return false;
}

/* Of a point nothing is told if it has more blocks than are alive in it.  */
static void copy_reach_check(struct ccprof_heap_copy *copy)
{
    for (uint32_t i = 0; i < copy->count; i++) {
        struct ccprof_heap_amount sum = {0, 0};
        for (unsigned k = 0; k < CCPROF_HEAP_REACHES; k++)
            copy_add(&sum, &copy->reach[i].of[k]);
        if (!copy_is_within(&sum, &copy->point[i].alive))
            copy->reach[i] = (struct ccprof_heap_reach){.of = {{0, 0}}};
    }
}

static void copy_find_reach(struct ccprof_heap_copy *copy)
{
    const uint64_t size = copy->count * sizeof *copy->reach;

    if (ccprof_pages_make(&copy->reach_pages, size) &&
        ccprof_heap_reach_find((void *)copy->reach_pages.at, copy->count)) {
        copy->reach = (void *)copy->reach_pages.at;
        copy_reach_check(copy);
    } else {
        ccprof_say(
            "no memory, or libc's allocator and /proc cannot be read: which blocks "
            "can be reached is not known",
            NULL);
    }
}

/* Asks at the program's end whether all is in use in the allocator that is alive in the
   copy, and what of it can be reached.  Each block must be counted.  */
static void copy_ask(struct ccprof_heap_copy *copy)
{
    struct ccprof_heap_state *state = &copy->state;
    uint64_t in_use = state->size ? UINT64_MAX : ccprof_heap_in_use();

    if (state->stacks.alive.bytes > in_use)
        state->excess = state->stacks.alive.bytes - in_use;
    if (ccprof_heap_asks_reach())
        copy_find_reach(copy);
}

/* Copies all if there is room for it.  Where the heap is not held nothing is told of
   times.  */
static bool copy_all(struct ccprof_heap_copy *copy, uint32_t room, bool held)
{
    ccprof_heap_get(&copy->state);
    copy->count = copy->state.stacks.count;
    if (copy->count > room ||
        (held && !ccprof_heap_told_fits(&copy->told, &copy->state.times)))
        return false;
    copy_points(copy);
    if (held && copy->state.times.count != 0)
        ccprof_heap_told_copy(&copy->told, &copy->state);
    else
        copy->state.times.count = 0;
    return true;
}

const char *ccprof_heap_copy_make(struct ccprof_heap_copy *copy, bool ended, bool next)
{
    bool enough = false;
    uint32_t room;

    /* More may come before the heap is held.  */
    while (!enough) {
        if (!copy_make_room(copy, &room))
            return "no memory";
        bool held = ccprof_heap_hold(ended);
        if (!held && !ended && (next || untold.pages.at)) {
            copy_free(copy);
            return "a thread that counts a block has stopped, or is in fork";
        }
        copy_put_back();
        enough = copy_all(copy, room, held);
        if (enough && held && ended)
            copy_ask(copy);
        if (enough && next)
            copy_restart(copy);
        if (held)
            ccprof_heap_release();
        if (!enough)
            copy_free(copy);
    }
    return NULL;
}

void ccprof_heap_copy_free(struct ccprof_heap_copy *copy, bool next)
{
    if (!next)
        copy_free(copy);
}
