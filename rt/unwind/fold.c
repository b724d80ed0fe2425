/* SPDX-License-Identifier: MIT */
/* Folds the outer part of a deep stack. Owns no data: all data belong to the caller,
   which is stack.c in the SIGPROF handler. */

#include <string.h>

#include "rt/unwind/fold.h"

/* Finds the entry of the address, or the free entry for it. Hashing with linear
   probing. */
static uint16_t *fold_entry(struct ccprof_fold *fold, uint64_t address)
{
    uint64_t hash = address * 0x9e3779b97f4a7c15u >> 32;

    while (fold->table[hash % CCPROF_FOLD_ENTRIES] != 0 &&
           fold->frame[fold->table[hash % CCPROF_FOLD_ENTRIES] - 1].address != address)
        hash++;
    return &fold->table[hash % CCPROF_FOLD_ENTRIES];
}

void ccprof_fold_clear(struct ccprof_fold *fold)
{
    if (fold->count != 0)
        memset(fold->table, 0, sizeof fold->table);
    fold->count = 0;
    fold->innermost_first = 0;
    fold->full = false;
}

static void fold_keep(struct ccprof_fold *fold, const struct ccprof_fold_frame *frame)
{
    uint16_t *entry = fold_entry(fold, frame->address);
    bool first = *entry == 0;

    if (fold->full)
        return;
    if (fold->count == CCPROF_FOLD_MOST) {
        fold->full = true;
        fold->full_at = frame->place;
        return;
    }
    fold->frame[fold->count] = *frame;
    fold->frame[fold->count].first = first;
    if (first)
        fold->innermost_first = fold->count;
    *entry = (uint16_t)++fold->count;
}

static bool fold_has_last(const struct ccprof_fold *fold)
{
    return fold->count == 0 || fold->frame[fold->count - 1].place == fold->last.place;
}

void ccprof_fold_add(struct ccprof_fold *fold, const struct ccprof_fold_frame *frame)
{
    uint32_t before;

    /* In a recursion most frames are at the same call as the previous frame. */
    if (frame->address == fold->last.address && fold->count != 0) {
        fold->last = *frame;
        return;
    }
    before = *fold_entry(fold, frame->address);
    if (before == 0) {
        if (!fold_has_last(fold))
            fold_keep(fold, &fold->last);
        fold_keep(fold, frame);
    } else if (before - 1 < fold->innermost_first) {
        fold_keep(fold, frame);
    }
    fold->last = *frame;
}

void ccprof_fold_append(struct ccprof_fold *fold, const struct ccprof_fold *inner,
                        int32_t shift)
{
    struct ccprof_fold_frame frame;

    for (uint32_t i = 0; i < inner->count; i++) {
        frame = inner->frame[i];
        frame.place += shift;
        ccprof_fold_add(fold, &frame);
    }
    frame = inner->last;
    frame.place += shift;
    if (inner->count != 0)
        fold->last = frame;
    if (inner->full && !fold->full) {
        fold->full = true;
        fold->full_at = inner->full_at + shift;
    }
}

uint32_t ccprof_fold_count(const struct ccprof_fold *fold, int32_t place)
{
    uint32_t low = 0, high = fold->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fold->frame[middle].place <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ccprof_fold_cut(struct ccprof_fold *fold, const struct ccprof_fold_frame *last)
{
    fold->count = ccprof_fold_count(fold, last->place);
    if (fold->full_at > last->place)
        fold->full = false;
    memset(fold->table, 0, sizeof fold->table);
    fold->innermost_first = 0;
    for (uint32_t i = 0; i < fold->count; i++) {
        if (fold->frame[i].first)
            fold->innermost_first = i;
        *fold_entry(fold, fold->frame[i].address) = (uint16_t)(i + 1);
    }
    fold->last = *last;
}
