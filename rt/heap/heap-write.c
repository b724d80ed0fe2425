/* SPDX-License-Identifier: MIT */
/* Writes a copy of the heap to mlmon.out.  Owns nothing.  Called where files are written,
   with all signals blocked, handlers of fatal signals included.  */

#include <stddef.h>

#include "rt/heap/heap.h"
#include "rt/heap/heap-copy.h"
#include "rt/os/text.h"
#include "rt/table/scope.h"

struct write {
    struct ccprof_heap_copy copy;
    struct ccprof_text *text;
    const struct ccprof_modules *modules;
};

/* Whether anything was counted in the point itself.  */
static bool write_has(const struct ccprof_heap_copied *point)
{
    return point->allocated.blocks | point->freed.blocks | point->alive.blocks |
           point->at_peak.blocks;
}

/* Links the points that have anything, and all points above them, from the last one on:
   each stands behind its caller.  Returns how many they are.  */
static uint32_t write_link(struct write *write)
{
    uint32_t linked = 0;

    for (uint32_t i = write->copy.count - 1; i > CCPROF_HEAP_STACKS_ROOT; i--) {
        struct ccprof_heap_copied *point = &write->copy.point[i];
        if (!point->below && !write_has(point))
            continue;
        point->beside = write->copy.point[point->caller].below;
        write->copy.point[point->caller].below = i;
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
        write_amount(write, &reach->of[i]);
    ccprof_text_char(write->text, '\n');
}

/* Writes how all blocks together can be reached.  */
static void write_reach_sum(struct write *write)
{
    struct ccprof_heap_reach sum = {.of = {{0, 0}}};

    for (uint32_t i = 0; write->copy.reach && i < write->copy.count; i++)
        for (unsigned k = 0; k < CCPROF_HEAP_REACHES; k++) {
            sum.of[k].blocks += write->copy.reach[i].of[k].blocks;
            sum.of[k].bytes += write->copy.reach[i].of[k].bytes;
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
    write_line(write, "alive", &state->stacks.alive);
    ccprof_text_string(write->text, "peak");
    write_amount(write, &state->stacks.most);
    ccprof_text_field(write->text,
                      state->peak_time ? state->peak_time - state->start : 0);
    ccprof_text_char(write->text, '\n');
    write_number_line(write, "unknown", state->unknown);
    write_number_line(write, "unkept", state->unkept);
    write_number_line(write, "memory", state->memory);
    write_line(write, "unseen",
               &(struct ccprof_heap_amount){state->unseen, state->excess});
    write_reach_sum(write);
    ccprof_heap_told_write_buckets(write->text, &state->times);
    write_number_line(write, "stacks", points);
}

static void write_place(struct write *write, uint64_t address)
{
    if (ccprof_scope_is_thread(address) || ccprof_scope_is_label(address)) {
        ccprof_text_string(write->text,
                           ccprof_scope_is_thread(address) ? " thread " : " label ");
        ccprof_text_hex(write->text, address & ~CCPROF_SCOPE_KIND);
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
    const struct ccprof_heap_copied *point = &write->copy.point[number];

    ccprof_text_decimal(write->text, depth);
    write_place(write, point->address);
    write_amount(write, &point->allocated);
    write_amount(write, &point->freed);
    write_amount(write, &point->alive);
    write_amount(write, &point->at_peak);
    ccprof_text_char(write->text, '\n');
    write_life(write, &point->life);
    if (write->copy.reach && point->alive.blocks)
        write_reach(write, &write->copy.reach[number]);
    ccprof_heap_told_write(write->text, &write->copy.told, number);
}

/* Writes the points in preorder.  */
static void write_points(struct write *write)
{
    uint32_t at = write->copy.point[CCPROF_HEAP_STACKS_ROOT].below;
    unsigned depth = 0;

    while (at != 0 && write->text->error == 0) {
        write_point(write, at, depth);
        if (write->copy.point[at].below) {
            at = write->copy.point[at].below;
            depth++;
            continue;
        }
        while (at != 0 && !write->copy.point[at].beside) {
            at = write->copy.point[at].caller;
            depth--;
        }
        if (at != 0)
            at = write->copy.point[at].beside;
    }
}

void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended, const struct ccprof_heap_slice *slice)
{
    struct write write = {.text = text, .modules = modules};
    const bool next = slice && slice->next;
    const char *why = ccprof_heap_copy_make(&write.copy, ended, next);

    if (why) {
        ccprof_say(why, ": the file does not tell of the heap", NULL);
        return;
    }
    write_head(&write, slice, ended, write_link(&write));
    write_points(&write);
    ccprof_heap_copy_free(&write.copy, next);
}
