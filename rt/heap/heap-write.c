/* SPDX-License-Identifier: MIT */
/* Writes the heap to mlmon.out.  Owns nothing.  Called where files are written, with all
   signals blocked, handlers of fatal signals included.

   The points are copied while the lock is held, and written from the copy: the program
   need not wait for the disk, and what is written is of one moment.  Where the lock
   cannot be had nothing is told of times.  */

#define _GNU_SOURCE
#include <stddef.h>

#include "rt/heap/heap.h"
#include "rt/heap/heap-inside.h"
#include "rt/heap/heap-write-times.h"
#include "rt/os/pages.h"
#include "rt/os/say.h"

/* A point of the copy.  BELOW is the first point that it has called, BESIDE the next one
   of the same caller: numbers, or 0.  */
struct write_point {
    uint64_t address;
    uint32_t caller, below, beside;
    struct ccprof_heap_amount allocated, freed, alive, at_peak;
    struct ccprof_heap_life life;
};

struct write {
    struct ccprof_heap_state state;
    struct ccprof_pages pages;
    struct write_point *point; /* by number, ROOT included */
    uint32_t count;
    struct ccprof_heap_told told;
    struct ccprof_text *text;
    const struct ccprof_modules *modules;
};

/* Returns the amount, or none if it is less than that: where threads have not yet counted
   all that they have allocated.  Adds it to SUM.  */
static struct ccprof_heap_amount write_least(struct ccprof_heap_amount amount,
                                             struct ccprof_heap_amount *sum)
{
    if ((int64_t)amount.blocks <= 0 || (int64_t)amount.bytes < 0)
        return (struct ccprof_heap_amount){0, 0};
    sum->blocks += amount.blocks;
    sum->bytes += amount.bytes;
    return amount;
}

static void write_copy_points(struct write *write)
{
    struct ccprof_heap_stacks *stacks = &write->state.stacks;

    stacks->alive = stacks->most = (struct ccprof_heap_amount){0, 0};

    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < write->count; i++) {
        const struct ccprof_heap_point *from = ccprof_heap_stacks_point(stacks, i);
        write->point[i] = (struct write_point){
            .address = from->address,
            .caller = from->caller,
            .allocated = from->allocated,
            .freed = from->freed,
            .alive = write_least(from->alive, &stacks->alive),
            .at_peak =
                write_least(ccprof_heap_stacks_at_peak(stacks, from), &stacks->most)};
        if (from->life)
            write->point[i].life = *from->life;
    }
}

static void write_free(struct write *write)
{
    ccprof_heap_told_free(&write->told);
    ccprof_pages_free(&write->pages);
}

/* Maps pages for all points and copies them.  More points may come between the two; then
   it is tried again.  */
static bool write_copy(struct write *write)
{
    bool enough = false;

    while (!enough) {
        ccprof_heap_get(&write->state);
        uint32_t room = write->state.stacks.count + write->state.stacks.count / 8;
        if (!ccprof_pages_make(&write->pages, room * sizeof *write->point))
            return false;
        if (!ccprof_heap_told_make(&write->told, room, &write->state.times)) {
            ccprof_pages_free(&write->pages);
            return false;
        }
        write->point = (void *)write->pages.at;
        bool held = ccprof_heap_hold();
        ccprof_heap_get(&write->state);
        write->count = write->state.stacks.count;
        enough = write->count <= room &&
                 (!held || ccprof_heap_told_fits(&write->told, &write->state.times));
        if (enough)
            write_copy_points(write);
        if (enough && held)
            ccprof_heap_told_copy(&write->told, &write->state);
        else
            write->state.times.count = 0;
        if (held)
            ccprof_heap_release();
        if (!enough)
            write_free(write);
    }
    return true;
}

/* Whether anything was counted in the point itself.  */
static bool write_has(const struct write_point *point)
{
    return point->allocated.blocks | point->freed.blocks | point->alive.blocks |
           point->at_peak.blocks;
}

/* Links the points that have anything, and all points above them, from the last one on:
   each stands behind its caller.  Returns how many they are.  */
static uint32_t write_link(struct write *write)
{
    uint32_t linked = 0;

    for (uint32_t i = write->count - 1; i > CCPROF_HEAP_STACKS_ROOT; i--) {
        struct write_point *point = &write->point[i];
        if (!point->below && !write_has(point))
            continue;
        point->beside = write->point[point->caller].below;
        write->point[point->caller].below = i;
        linked++;
    }
    return linked;
}

static void write_number(struct write *write, uint64_t number)
{
    ccprof_text_char(write->text, ' ');
    ccprof_text_decimal(write->text, number);
}

static void write_amount(struct write *write, const struct ccprof_heap_amount *amount)
{
    write_number(write, amount->blocks);
    write_number(write, amount->bytes);
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
    write_number(write, number);
    ccprof_text_char(write->text, '\n');
}

static void write_head(struct write *write, bool ended, uint32_t points)
{
    const struct ccprof_heap_state *state = &write->state;

    ccprof_text_string(write->text, "heap ");
    if (state->size) {
        ccprof_text_string(write->text, "sampled ");
        ccprof_text_decimal(write->text, state->size);
    } else {
        ccprof_text_string(write->text, "exact");
    }
    ccprof_text_string(write->text, ended ? " ended\n" : " running\n");
    write_line(write, "allocated", &state->stacks.allocated);
    write_line(write, "freed", &state->stacks.freed);
    write_line(write, "alive", &state->stacks.alive);
    ccprof_text_string(write->text, "peak");
    write_amount(write, &state->stacks.most);
    write_number(write, state->peak_time ? state->peak_time - state->start : 0);
    ccprof_text_char(write->text, '\n');
    write_number_line(write, "unknown", state->unknown);
    write_number_line(write, "unkept", state->unkept);
    write_number_line(write, "memory", state->memory);
    ccprof_heap_told_write_buckets(write->text, &state->times);
    write_number_line(write, "stacks", points);
}

static void write_place(struct write *write, uint64_t address)
{
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
    uint64_t any = life->temporary.blocks | life->foreign.blocks | life->again.blocks;

    for (unsigned i = 0; i < CCPROF_LIVES; i++)
        any |= life->lived[i].blocks;
    if (any == 0)
        return;
    ccprof_text_string(write->text, "life");
    write_amount(write, &life->temporary);
    write_amount(write, &life->foreign);
    write_amount(write, &life->again);
    for (unsigned i = 0; i < CCPROF_LIVES; i++)
        write_amount(write, &life->lived[i]);
    ccprof_text_char(write->text, '\n');
}

static void write_point(struct write *write, uint32_t number, unsigned depth)
{
    const struct write_point *point = &write->point[number];

    ccprof_text_decimal(write->text, depth);
    write_place(write, point->address);
    write_amount(write, &point->allocated);
    write_amount(write, &point->freed);
    write_amount(write, &point->alive);
    write_amount(write, &point->at_peak);
    ccprof_text_char(write->text, '\n');
    write_life(write, &point->life);
    ccprof_heap_told_write(write->text, &write->told, number);
}

/* Writes the points in preorder.  */
static void write_points(struct write *write)
{
    uint32_t at = write->point[CCPROF_HEAP_STACKS_ROOT].below;
    unsigned depth = 0;

    while (at != 0 && write->text->error == 0) {
        write_point(write, at, depth);
        if (write->point[at].below) {
            at = write->point[at].below;
            depth++;
            continue;
        }
        while (at != 0 && !write->point[at].beside) {
            at = write->point[at].caller;
            depth--;
        }
        if (at != 0)
            at = write->point[at].beside;
    }
}

void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended)
{
    struct write write = {.text = text, .modules = modules};

    if (!write_copy(&write)) {
        ccprof_say("no memory: the file does not tell of the heap", NULL);
        return;
    }
    write_head(&write, ended, write_link(&write));
    write_points(&write);
    write_free(&write);
}
