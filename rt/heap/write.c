/* SPDX-License-Identifier: MIT */
/* Writes the heap to mlmon.out, from a copy, so that the program need not wait for the
   disk and the file shows one moment. Owns the copy of a slice whose file is not
   complete yet. Called when files are written, by one thread at a time, with all
   signals blocked, also by handlers of fatal signals; and in the child of a fork.

   The next slice begins at the moment of the copy. If the file of a slice cannot be
   written, its copy is added to the heap again before the next copy is made, so that
   the next slice includes both. */

#include <stddef.h>
#include <stdint.h>

#include "rt/heap/heap.h"
#include "rt/heap/held.h"
#include "rt/heap/reach.h"
#include "rt/heap/times.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"
#include "rt/samples/tags.h"

/* A copied point. FIRST_CHILD is the number of the first point that this point has
   called, NEXT_SIBLING the number of the next point with the same caller. write_link
   sets both. 0 means no point. */
struct copied_point {
    uint64_t address;
    uint32_t caller, first_child, next_sibling;
    struct ccprof_heap_amount allocated, freed, live, at_peak;
    struct ccprof_heap_life life;
};

/* A copy of the heap at one moment. */
struct copy {
    struct ccprof_heap_state state; /* its sums are computed from the copied points */
    struct ccprof_pages pages;
    struct copied_point *point; /* indexed by number, including ROOT */
    uint32_t count;
    struct ccprof_heap_times_copy times; /* times of allocation and free */
    struct ccprof_pages reach_pages;
    struct ccprof_heap_reach *reach; /* indexed by number; null: not known */
};

/* The copy of the last slice, until the slice's file is complete. If it has no pages,
   there is no copy. */
static struct copy unwritten;

static void copy_free(struct copy *copy)
{
    ccprof_heap_times_copy_free(&copy->times);
    ccprof_pages_free(&copy->pages);
    ccprof_pages_free(&copy->reach_pages);
    copy->reach = NULL;
}

void ccprof_heap_slice_written(void)
{
    if (unwritten.pages.start)
        copy_free(&unwritten);
}

static void copy_add(struct ccprof_heap_amount *sum,
                     const struct ccprof_heap_amount *amount)
{
    sum->blocks += amount->blocks;
    sum->bytes += amount->bytes;
}

/* Returns the amount, or 0 if it is negative, since threads may not have counted all
   their allocations yet. If all blocks of the point have the same size, computes the
   bytes from the number of blocks. */
static struct ccprof_heap_amount copy_amount(const struct copied_point *point,
                                             struct ccprof_heap_amount amount)
{
    if ((int64_t)amount.blocks <= 0 || (int64_t)amount.bytes < 0)
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

/* Copies the details of the point's blocks. If these have more blocks than the point,
   a change was half done, and nothing is copied. */
static void copy_life(struct copied_point *to, const struct ccprof_heap_life *from)
{
    struct ccprof_heap_life life = *from;
    struct ccprof_heap_amount lived = {0, 0};

    life.temporary = copy_amount(to, life.temporary);
    for (unsigned i = 0; i < CCPROF_LIVES; i++) {
        life.lived[i] = copy_amount(to, life.lived[i]);
        copy_add(&lived, &life.lived[i]);
    }
    if (copy_is_within(&lived, &to->freed) && copy_is_within(&life.temporary, &to->freed))
        to->life = life;
}

static void copy_point(struct copied_point *to, const struct ccprof_heap_stacks *stacks,
                       const struct ccprof_heap_point *from)
{
    *to = (struct copied_point){.address = from->address, .caller = from->caller};
    to->allocated = copy_amount(to, from->allocated);
    to->freed = copy_amount(to, from->freed);
    to->live = copy_amount(to, from->live);
    to->at_peak = copy_amount(to, ccprof_heap_stacks_at_peak(stacks, from));
    if (from->life)
        copy_life(to, from->life);
}

/* Copies the points and sums up the copied points, so that the file is consistent even
   if the heap is not held and changes at the same time. If the heap changes, new
   points may be in a chunk that the copied state does not have. */
static void copy_points(struct copy *copy)
{
    struct ccprof_heap_stacks *stacks = &copy->state.stacks;
    const struct ccprof_heap_amount none = {0, 0};

    while (!stacks->chunk[(copy->count - 1) / CCPROF_HEAP_STACKS_CHUNK])
        copy->count--;
    stacks->allocated = stacks->freed = stacks->live = stacks->at_peak = none;
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < copy->count; i++) {
        struct copied_point *to = &copy->point[i];
        copy_point(to, stacks, ccprof_heap_stacks_point(stacks, i));
        copy_add(&stacks->allocated, &to->allocated);
        copy_add(&stacks->freed, &to->freed);
        copy_add(&stacks->live, &to->live);
        copy_add(&stacks->at_peak, &to->at_peak);
    }
}

static void copy_add_life(struct ccprof_heap_life *sum,
                          const struct ccprof_heap_life *life)
{
    copy_add(&sum->temporary, &life->temporary);
    for (unsigned i = 0; i < CCPROF_LIVES; i++)
        copy_add(&sum->lived[i], &life->lived[i]);
}

/* Makes the peak of the unwritten copy the peak of the heap. */
static void copy_restore_peak(struct ccprof_heap_state *state)
{
    struct ccprof_heap_stacks *stacks = &state->stacks;

    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        point->peak = stacks->peaks;
        point->at_peak = i < unwritten.count ? unwritten.point[i].at_peak
                                             : (struct ccprof_heap_amount){0, 0};
    }
    stacks->at_peak = unwritten.state.stacks.at_peak;
    stacks->peak_weight = unwritten.state.stacks.peak_weight;
    state->peak_time = unwritten.state.peak_time;
}

/* Adds the unwritten copy, except its times, to the current counts. The heap is held. */
static void copy_restore(void)
{
    struct ccprof_heap_state *state = &ccprof_heap->state;
    struct ccprof_heap_stacks *stacks = &state->stacks;

    if (!unwritten.pages.start)
        return;
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < unwritten.count; i++) {
        const struct copied_point *from = &unwritten.point[i];
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        copy_add(&point->allocated, &from->allocated);
        copy_add(&point->freed, &from->freed);
        if (point->life)
            copy_add_life(point->life, &from->life);
    }
    copy_add(&stacks->allocated, &unwritten.state.stacks.allocated);
    copy_add(&stacks->freed, &unwritten.state.stacks.freed);
    if ((int64_t)unwritten.state.stacks.peak_weight >= (int64_t)stacks->peak_weight)
        copy_restore_peak(state);
    ccprof_heap_add_unkept(unwritten.state.unkept, unwritten.state.unknown);
    state->times.count = 0;
    copy_free(&unwritten);
}

/* Maps memory for the points and cells of the state, and some more. */
static bool copy_make_room(struct copy *copy, uint32_t *room)
{
    ccprof_heap_copy_state(&copy->state);
    *room = copy->state.stacks.count + copy->state.stacks.count / 8;
    if (!ccprof_pages_make(&copy->pages, *room * sizeof *copy->point))
        return false;
    copy->point = (void *)copy->pages.start;
    if (ccprof_heap_times_copy_make(&copy->times, *room, &copy->state.times))
        return true;
    ccprof_pages_free(&copy->pages);
    return false;
}

/* Drops the result of the search for a point if it exceeds the point's amount in use. */
static void copy_reach_check(struct copy *copy)
{
    for (uint32_t i = 0; i < copy->count; i++) {
        struct ccprof_heap_amount sum = {0, 0};
        for (unsigned k = 0; k < CCPROF_HEAP_REACHES; k++)
            copy_add(&sum, &copy->reach[i].by_state[k]);
        if (!copy_is_within(&sum, &copy->point[i].live))
            copy->reach[i] = (struct ccprof_heap_reach){.by_state = {{0, 0}}};
    }
}

static void copy_find_reach(struct copy *copy)
{
    const uint64_t size = copy->count * sizeof *copy->reach;

    if (ccprof_pages_make(&copy->reach_pages, size) &&
        ccprof_heap_reach_find((void *)copy->reach_pages.start, copy->count)) {
        copy->reach = (void *)copy->reach_pages.start;
        copy_reach_check(copy);
    } else {
        ccprof_say(
            "no memory, or libc's allocator and /proc cannot be read: which blocks "
            "can be reached is not known",
            NULL);
    }
}

/* At the end of the program, computes how many bytes counted as in use are not in use
   in the allocator (only if every block is counted), and finds the reachable blocks. */
static void copy_examine(struct copy *copy)
{
    struct ccprof_heap_state *state = &copy->state;
    uint64_t in_use = state->size ? UINT64_MAX : ccprof_heap_in_use();

    if (state->stacks.live.bytes > in_use)
        state->excess = state->stacks.live.bytes - in_use;
    if (ccprof_heap_finds_reachable())
        copy_find_reach(copy);
}

/* Copies everything. Returns false if there is not enough room. Copies no times if
   the heap is not held. */
static bool copy_all(struct copy *copy, uint32_t room, bool held)
{
    ccprof_heap_copy_state(&copy->state);
    copy->count = copy->state.stacks.count;
    if (copy->count > room ||
        (held && !ccprof_heap_times_copy_fits(&copy->times, &copy->state.times)))
        return false;
    copy_points(copy);
    if (held && copy->state.times.count != 0)
        ccprof_heap_times_copy_fill(&copy->times, &copy->state.times,
                                    &copy->state.stacks);
    else
        copy->state.times.count = 0;
    return true;
}

/* Makes a copy. ENDED: nothing is counted afterwards. NEXT: the next slice begins
   here, and the copy is kept until its file is complete. Returns null, or the reason
   why there is no copy. */
static const char *copy_make(struct copy *copy, bool ended, bool next)
{
    bool enough = false;
    uint32_t room;

    /* The heap may outgrow the room before it is held. */
    while (!enough) {
        if (!copy_make_room(copy, &room))
            return "no memory";
        bool held = ccprof_heap_hold(ended);
        if (!held && !ended && (next || unwritten.pages.start)) {
            copy_free(copy);
            return "a thread that counts a block has stopped, or is in fork";
        }
        copy_restore();
        enough = copy_all(copy, room, held);
        if (enough && held && ended)
            copy_examine(copy);
        if (enough && next) {
            ccprof_heap_restart();
            ccprof_heap_add_unkept(-copy->state.unkept, -copy->state.unknown);
            unwritten = *copy;
        }
        if (held)
            ccprof_heap_release();
        if (!enough)
            copy_free(copy);
    }
    return NULL;
}

struct write {
    struct copy copy;
    struct ccprof_text *text;
    const struct ccprof_modules *modules;
};

/* Returns whether the point itself has counts. */
static bool write_has_counts(const struct copied_point *point)
{
    return point->allocated.blocks | point->freed.blocks | point->live.blocks |
           point->at_peak.blocks;
}

/* Links the points that have counts, and all their callers. Goes backwards, since
   each point has a higher number than its caller. Returns the number of linked
   points. */
static uint32_t write_link(struct write *write)
{
    uint32_t linked = 0;

    for (uint32_t i = write->copy.count - 1; i > CCPROF_HEAP_STACKS_ROOT; i--) {
        struct copied_point *point = &write->copy.point[i];
        if (!point->first_child && !write_has_counts(point))
            continue;
        point->next_sibling = write->copy.point[point->caller].first_child;
        write->copy.point[point->caller].first_child = i;
        linked++;
    }
    return linked;
}

static void write_amount(struct write *write, const struct ccprof_heap_amount *amount)
{
    ccprof_text_field(write->text, amount->blocks);
    ccprof_text_field(write->text, amount->bytes);
}

static void write_line(struct write *write, const char *word,
                       const struct ccprof_heap_amount *amount)
{
    ccprof_text_string(write->text, word);
    write_amount(write, amount);
    ccprof_text_char(write->text, '\n');
}

static void write_number_line(struct write *write, const char *word, uint64_t number)
{
    ccprof_text_string(write->text, word);
    ccprof_text_field(write->text, number);
    ccprof_text_char(write->text, '\n');
}

static void write_slice(struct write *write, const struct ccprof_heap_slice *slice)
{
    ccprof_text_string(write->text, "slice");
    ccprof_text_field(write->text, slice->number);
    ccprof_text_field(write->text, slice->process);
    ccprof_text_field(write->text, slice->time);
    ccprof_text_char(write->text, '\n');
}

static void write_reach(struct write *write, const struct ccprof_heap_reach *reach)
{
    ccprof_text_string(write->text, "reach");
    for (unsigned i = 0; i < CCPROF_HEAP_REACHES; i++)
        write_amount(write, &reach->by_state[i]);
    ccprof_text_char(write->text, '\n');
}

/* Writes the sums of reachable blocks of all stacks. */
static void write_reach_sum(struct write *write)
{
    struct ccprof_heap_reach sum = {.by_state = {{0, 0}}};

    for (uint32_t i = 0; write->copy.reach && i < write->copy.count; i++)
        for (unsigned k = 0; k < CCPROF_HEAP_REACHES; k++) {
            sum.by_state[k].blocks += write->copy.reach[i].by_state[k].blocks;
            sum.by_state[k].bytes += write->copy.reach[i].by_state[k].bytes;
        }
    if (write->copy.reach)
        write_reach(write, &sum);
}

static void write_head(struct write *write, const struct ccprof_heap_slice *slice,
                       bool ended, uint32_t points)
{
    const struct ccprof_heap_state *state = &write->copy.state;

    ccprof_text_string(write->text, "heap ");
    if (state->size) {
        ccprof_text_string(write->text, "sampled ");
        ccprof_text_decimal(write->text, state->size);
    } else {
        ccprof_text_string(write->text, "exact");
    }
    ccprof_text_string(write->text, ended ? " ended\n" : " running\n");
    if (slice)
        write_slice(write, slice);
    write_line(write, "allocated", &state->stacks.allocated);
    write_line(write, "freed", &state->stacks.freed);
    write_line(write, "alive", &state->stacks.live);
    ccprof_text_string(write->text, "peak");
    write_amount(write, &state->stacks.at_peak);
    ccprof_text_field(write->text,
                      state->peak_time ? state->peak_time - state->start : 0);
    ccprof_text_char(write->text, '\n');
    write_number_line(write, "unknown", state->unknown);
    write_number_line(write, "unkept", state->unkept);
    write_number_line(write, "memory", state->memory);
    write_line(write, "unseen",
               &(struct ccprof_heap_amount){state->unseen, state->excess});
    write_reach_sum(write);
    ccprof_heap_times_write_buckets(write->text, &state->times);
    write_number_line(write, "stacks", points);
}

static void write_place(struct write *write, uint64_t address)
{
    if (ccprof_tags_is_thread(address) || ccprof_tags_is_label(address)) {
        ccprof_text_string(write->text,
                           ccprof_tags_is_thread(address) ? " thread " : " label ");
        ccprof_text_hex(write->text, address & ~CCPROF_TAGS_KIND);
        return;
    }
    if (address & CCPROF_HEAP_STACKS_SIZE) {
        ccprof_text_string(write->text, " size ");
        ccprof_text_decimal(write->text, address & ~CCPROF_HEAP_STACKS_SIZE);
        return;
    }
    int module = ccprof_modules_find(write->modules, address);

    ccprof_text_char(write->text, ' ');
    if (module >= 0)
        ccprof_text_decimal(write->text, (uint64_t)module);
    else
        ccprof_text_char(write->text, '-');
    ccprof_text_char(write->text, ' ');
    ccprof_text_hex(write->text, module >= 0
                                     ? address - write->modules->module[module].bias
                                     : address);
}

static void write_life(struct write *write, const struct ccprof_heap_life *life)
{
    uint64_t any = life->temporary.blocks;

    for (unsigned i = 0; i < CCPROF_LIVES; i++)
        any |= life->lived[i].blocks;
    if (any == 0)
        return;
    ccprof_text_string(write->text, "life");
    write_amount(write, &life->temporary);
    for (unsigned i = 0; i < CCPROF_LIVES; i++)
        write_amount(write, &life->lived[i]);
    ccprof_text_char(write->text, '\n');
}

static void write_point(struct write *write, uint32_t number, unsigned depth)
{
    const struct copied_point *point = &write->copy.point[number];

    ccprof_text_decimal(write->text, depth);
    write_place(write, point->address);
    write_amount(write, &point->allocated);
    write_amount(write, &point->freed);
    write_amount(write, &point->live);
    write_amount(write, &point->at_peak);
    ccprof_text_char(write->text, '\n');
    write_life(write, &point->life);
    if (write->copy.reach && point->live.blocks)
        write_reach(write, &write->copy.reach[number]);
    ccprof_heap_times_write_stack(write->text, &write->copy.times, number);
}

/* Writes the points in preorder. */
static void write_points(struct write *write)
{
    uint32_t number = write->copy.point[CCPROF_HEAP_STACKS_ROOT].first_child;
    unsigned depth = 0;

    while (number != 0 && write->text->error == 0) {
        write_point(write, number, depth);
        if (write->copy.point[number].first_child) {
            number = write->copy.point[number].first_child;
            depth++;
            continue;
        }
        while (number != 0 && !write->copy.point[number].next_sibling) {
            number = write->copy.point[number].caller;
            depth--;
        }
        if (number != 0)
            number = write->copy.point[number].next_sibling;
    }
}

/* The file that is being written. It is large, and the stack of a handler may be
   small. */
static struct write written;

void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended, const struct ccprof_heap_slice *slice)
{
    struct write *write = &written;
    const bool next = slice && slice->next;
    memset(write, 0, sizeof *write);
    write->text = text;
    write->modules = modules;
    const char *reason = copy_make(&write->copy, ended, next);

    if (reason) {
        ccprof_say(reason, ": the file has no heap data", NULL);
        return;
    }
    write_head(write, slice, ended, write_link(write));
    write_points(write);
    if (!next)
        copy_free(&write->copy);
}
