/* SPDX-License-Identifier: MIT */
/* Writes when blocks were made and freed.  Owns nothing.  Called where files are written,
   with all signals blocked, handlers of fatal signals included.  */

#include <stddef.h>

#include "rt/heap/heap-write-times.h"

bool ccprof_heap_told_make(struct ccprof_heap_told *told, uint32_t stacks,
                           const struct ccprof_heap_times *times)
{
    const size_t buckets = CCPROF_HEAP_TIMES_MOST * sizeof *told->bucket;
    const uint32_t cells = times->cells.count + times->cells.count / 8 + 1;
    const size_t all = (size_t)cells + 2 * stacks + 1;

    if (!ccprof_pages_make(&told->pages, buckets + all * sizeof *told->cell +
                                             stacks * sizeof *told->first))
        return false;
    told->bucket = (void *)told->pages.at;
    told->cell = (void *)(told->pages.at + buckets);
    told->first = (void *)&told->cell[all];
    told->count = 0;
    told->cells = cells;
    return true;
}

void ccprof_heap_told_free(struct ccprof_heap_told *told)
{
    ccprof_pages_free(&told->pages);
}

bool ccprof_heap_told_fits(const struct ccprof_heap_told *told,
                           const struct ccprof_heap_times *times)
{
    return times->cells.count <= told->cells;
}

static void told_copy(struct ccprof_heap_told *told, const struct ccprof_heap_cell *cell)
{
    told->cell[++told->count] =
        (struct ccprof_heap_told_cell){.cell = *cell, .next = told->first[cell->stack]};
    told->first[cell->stack] = told->count;
}

/* Copies what the point has of its last bucket.  */
static void told_copy_point(struct ccprof_heap_told *told, uint32_t stack,
                            const struct ccprof_heap_point *point)
{
    struct ccprof_heap_cell cell = {
        .stack = stack, .born = (uint8_t)point->bucket, .freed = CCPROF_HEAP_CELLS_MADE};

    cell.of = point->made;
    if (cell.of.blocks)
        told_copy(told, &cell);
    cell.freed = cell.born;
    cell.of = point->gone;
    if (cell.of.blocks)
        told_copy(told, &cell);
}

void ccprof_heap_told_copy(struct ccprof_heap_told *told, struct ccprof_heap_state *state)
{
    const struct ccprof_heap_cells *cells = &state->times.cells;

    ccprof_heap_times_end(&state->times, &state->stacks);
    if (state->times.crowded)
        return;
    for (uint32_t i = 0; i < cells->places; i++)
        if (cells->cell[i].stack != 0)
            told_copy(told, &cells->cell[i]);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < state->stacks.count; i++)
        told_copy_point(told, i, ccprof_heap_stacks_point(&state->stacks, i));
}

static void told_amount(struct ccprof_text *text, const struct ccprof_heap_amount *amount)
{
    ccprof_text_field(text, amount->blocks);
    ccprof_text_field(text, amount->bytes);
}

void ccprof_heap_told_write_buckets(struct ccprof_text *text,
                                    const struct ccprof_heap_times *times)
{
    if (times->count == 0)
        return;
    ccprof_text_string(text, "times");
    ccprof_text_field(text, UINT64_C(1) << times->shift);
    ccprof_text_field(text, times->count);
    ccprof_text_string(text, times->crowded ? " crowded\n" : " stacks\n");
    for (uint32_t i = 0; i < times->count; i++) {
        ccprof_text_decimal(text, times->bucket[i].most);
        ccprof_text_field(text, times->bucket[i].alive);
        ccprof_text_field(text, times->bucket[i].resident);
        ccprof_text_char(text, '\n');
    }
}

static void told_put(struct ccprof_heap_told_bucket *bucket, uint8_t freed,
                     const struct ccprof_heap_amount *amount)
{
    struct ccprof_heap_amount *to =
        freed == CCPROF_HEAP_CELLS_MADE ? &bucket->made : &bucket->freed[freed];

    to->blocks += amount->blocks;
    to->bytes += amount->bytes;
}

/* Whether no more was freed than made: otherwise a thread could not tell what it had
   made.  */
static bool told_is_whole(const struct ccprof_heap_told_bucket *bucket)
{
    uint64_t blocks = 0, bytes = 0;

    for (uint32_t i = 0; i < CCPROF_HEAP_TIMES_MOST; i++) {
        blocks += bucket->freed[i].blocks;
        bytes += bucket->freed[i].bytes;
    }
    return blocks <= bucket->made.blocks && bytes <= bucket->made.bytes;
}

static void told_line(struct ccprof_text *text,
                      const struct ccprof_heap_told_bucket *bucket, uint32_t number)
{
    ccprof_text_string(text, "born");
    ccprof_text_field(text, number);
    told_amount(text, &bucket->made);
    for (uint32_t i = number; i < CCPROF_HEAP_TIMES_MOST; i++)
        if (bucket->freed[i].blocks) {
            ccprof_text_field(text, i);
            told_amount(text, &bucket->freed[i]);
        }
    ccprof_text_char(text, '\n');
}

void ccprof_heap_told_write(struct ccprof_text *text, struct ccprof_heap_told *told,
                            uint32_t stack)
{
    uint64_t any = 0;

    for (uint32_t at = told->first[stack]; at != 0; at = told->cell[at].next) {
        const struct ccprof_heap_cell *cell = &told->cell[at].cell;
        told_put(&told->bucket[cell->born], cell->freed, &cell->of);
        any |= UINT64_C(1) << cell->born;
    }
    for (uint32_t i = 0; i < CCPROF_HEAP_TIMES_MOST; i++) {
        if ((any >> i & 1) == 0)
            continue;
        if (told_is_whole(&told->bucket[i]))
            told_line(text, &told->bucket[i], i);
        told->bucket[i] = (struct ccprof_heap_told_bucket){.made = {0, 0}};
    }
}
