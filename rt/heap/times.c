/* SPDX-License-Identifier: MIT */
/* Implements the heap over time. Owns the pages of cells and of copies. Called in
   any thread that allocates or frees. The functions that write are called with all
   signals blocked, also by handlers of fatal signals. */

#include <stddef.h>

#include "rt/heap/times.h"
#include "rt/os/proc.h"

#define CELLS_LEAST 4096

static struct ccprof_heap_cell *cells_find(const struct ccprof_heap_cells *cells,
                                           uint32_t stack, uint8_t born, uint8_t freed)
{
    uint64_t key = (uint64_t)stack << 16 | (uint64_t)born << 8 | freed;
    uint32_t index = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (;; index++) {
        struct ccprof_heap_cell *cell = &cells->cell[index & (cells->places - 1)];
        if (cell->stack == 0 ||
            (cell->stack == stack && cell->born == born && cell->freed == freed))
            return cell;
    }
}

static void cells_put(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                      uint8_t freed, const struct ccprof_heap_amount *amount)
{
    struct ccprof_heap_cell *cell = cells_find(cells, stack, born, freed);

    if (cell->stack == 0) {
        *cell = (struct ccprof_heap_cell){.stack = stack, .born = born, .freed = freed};
        cells->count++;
    }
    cell->amount.blocks += amount->blocks;
    cell->amount.bytes += amount->bytes;
}

/* Moves all cells into a table with PLACES entries, and shifts their bucket numbers
   right by SHIFT. Returns false, and changes nothing, if there is no memory. */
static bool cells_move(struct ccprof_heap_cells *cells, uint32_t places, unsigned shift)
{
    struct ccprof_pages old = {(void *)cells->cell, cells->places * sizeof *cells->cell};
    struct ccprof_heap_cells next = {.places = places};
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, places * sizeof *next.cell))
        return false;
    next.cell = (void *)pages.start;
    next.memory = pages.size;
    for (uint32_t i = 0; i < cells->places; i++) {
        const struct ccprof_heap_cell *cell = &cells->cell[i];
        bool made = cell->freed == CCPROF_HEAP_CELLS_MADE;
        if (cell->stack != 0)
            cells_put(&next, cell->stack, cell->born >> shift,
                      made ? cell->freed : cell->freed >> shift, &cell->amount);
    }
    *cells = next;
    ccprof_pages_free(&old);
    return true;
}

static bool cells_make_room(struct ccprof_heap_cells *cells)
{
    if (cells->count < cells->places / 4 * 3)
        return true;
    if (cells->places == CCPROF_HEAP_CELLS_MOST)
        return false;
    return cells_move(cells, cells->places ? 2 * cells->places : CELLS_LEAST, 0);
}

bool ccprof_heap_cells_add(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                           uint8_t freed, const struct ccprof_heap_amount *amount)
{
    if (!cells_make_room(cells))
        return false;
    cells_put(cells, stack, born, freed, amount);
    return true;
}

static void cells_clear(struct ccprof_heap_cells *cells)
{
    struct ccprof_pages old = {(void *)cells->cell, cells->places * sizeof *cells->cell};

    *cells = (struct ccprof_heap_cells){.cell = NULL};
    ccprof_pages_free(&old);
}

/* Returns the bytes in use. The sum may be negative while some threads have not
   counted all their allocations yet. */
static uint64_t times_live(const struct ccprof_heap_stacks *stacks)
{
    return (int64_t)stacks->live_weight > 0 ? stacks->live_weight : 0;
}

static uint64_t times_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void ccprof_heap_times_start(struct ccprof_heap_times *times,
                             struct ccprof_heap_stacks *stacks, uint32_t start)
{
    cells_clear(&times->cells);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        if (point->made.blocks | point->gone.blocks)
            point->made = point->gone = (struct ccprof_heap_amount){0, 0};
        if (point->bucket)
            point->bucket = 0;
    }
    *times = (struct ccprof_heap_times){.start = start,
                                        .shift = CCPROF_HEAP_TIMES_SHIFT,
                                        .count = 1,
                                        .most = times_live(stacks)};
    times->bucket[0].resident = ccprof_resident();
}

/* Keeps no cells from now on. */
static void times_give_up(struct ccprof_heap_times *times)
{
    times->crowded = true;
    cells_clear(&times->cells);
}

/* Merges each two buckets into one. */
static void times_merge_pairs(struct ccprof_heap_times *times,
                              struct ccprof_heap_stacks *stacks)
{
    struct ccprof_heap_bucket *bucket = times->bucket;

    if (times->cells.places != 0 && !cells_move(&times->cells, times->cells.places, 1))
        times_give_up(times);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        if (point->bucket)
            point->bucket /= 2;
    }
    for (uint32_t i = 0; i < times->count; i++) {
        struct ccprof_heap_bucket *to = &bucket[i / 2];
        if (i % 2 == 0) {
            *to = bucket[i];
            continue;
        }
        to->most = times_max(to->most, bucket[i].most);
        to->live = bucket[i].live;
        to->resident = times_max(to->resident, bucket[i].resident);
    }
    /* The last bucket continues. If the number of buckets is even, the bucket before
       it becomes a part of the last bucket. */
    if (times->count % 2 == 0)
        times->most = times_max(times->most, bucket[times->count / 2 - 1].most);
    times->count = (times->count + 1) / 2;
    times->shift++;
}

/* Stores the final numbers of the last bucket. */
static void times_end(struct ccprof_heap_times *times,
                      const struct ccprof_heap_stacks *stacks)
{
    struct ccprof_heap_bucket *last = &times->bucket[times->count - 1];

    last->most = times->most;
    last->live = times_live(stacks);
}

void ccprof_heap_times_advance(struct ccprof_heap_times *times,
                               struct ccprof_heap_stacks *stacks, uint32_t time)
{
    if (times->count == 0 || (int32_t)(time - times->start) < 0)
        return;
    while (ccprof_heap_times_bucket(times, time) >= CCPROF_HEAP_TIMES_MOST)
        times_merge_pairs(times, stacks);
    uint32_t bucket = ccprof_heap_times_bucket(times, time);
    if (bucket < times->count)
        return;
    times_end(times, stacks);
    const uint64_t live = times->bucket[times->count - 1].live;
    while (times->count <= bucket)
        times->bucket[times->count++] =
            (struct ccprof_heap_bucket){.most = live, .live = live};
    times->most = live;
    times->bucket[bucket].resident = ccprof_resident();
}

/* Adds AMOUNT to a cell. If there is no room, doubles the width of the buckets until
   there is. */
static void times_add(struct ccprof_heap_times *times, struct ccprof_heap_stacks *stacks,
                      uint32_t stack, uint8_t born, uint8_t freed,
                      const struct ccprof_heap_amount *amount)
{
    while (!times->crowded &&
           !ccprof_heap_cells_add(&times->cells, stack, born, freed, amount)) {
        if (times->count == 1) {
            times_give_up(times);
            return;
        }
        times_merge_pairs(times, stacks);
        born /= 2;
        if (freed != CCPROF_HEAP_CELLS_MADE)
            freed /= 2;
    }
}

void ccprof_heap_times_change_bucket(struct ccprof_heap_times *times,
                                     struct ccprof_heap_stacks *stacks, uint32_t stack,
                                     uint32_t bucket)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);
    const struct ccprof_heap_amount none = {0, 0}, made = point->made, gone = point->gone;
    const uint32_t shift = times->shift;
    uint8_t last = (uint8_t)point->bucket;

    point->made = point->gone = none;
    point->bucket = bucket;
    if (made.blocks)
        times_add(times, stacks, stack, last, CCPROF_HEAP_CELLS_MADE, &made);
    last >>= times->shift - shift;
    if (gone.blocks)
        times_add(times, stacks, stack, last, last, &gone);
}

void ccprof_heap_times_free_older(struct ccprof_heap_times *times,
                                  struct ccprof_heap_stacks *stacks, uint32_t stack,
                                  uint32_t born, uint32_t freed, uint64_t bytes)
{
    const struct ccprof_heap_amount amount = {1, bytes};

    if (born <= freed && freed < times->count)
        times_add(times, stacks, stack, (uint8_t)born, (uint8_t)freed, &amount);
}

bool ccprof_heap_times_copy_make(struct ccprof_heap_times_copy *copy, uint32_t stacks,
                                 const struct ccprof_heap_times *times)
{
    const size_t buckets = CCPROF_HEAP_TIMES_MOST * sizeof *copy->bucket;
    const uint32_t cells = times->cells.count + times->cells.count / 8 + 1;
    const size_t all = (size_t)cells + 2 * stacks + 1;

    if (!ccprof_pages_make(&copy->pages, buckets + all * sizeof *copy->cell +
                                             stacks * sizeof *copy->first))
        return false;
    copy->bucket = (void *)copy->pages.start;
    copy->cell = (void *)(copy->pages.start + buckets);
    copy->first = (void *)&copy->cell[all];
    copy->count = 0;
    copy->cells = cells;
    return true;
}

void ccprof_heap_times_copy_free(struct ccprof_heap_times_copy *copy)
{
    ccprof_pages_free(&copy->pages);
}

bool ccprof_heap_times_copy_fits(const struct ccprof_heap_times_copy *copy,
                                 const struct ccprof_heap_times *times)
{
    return times->cells.count <= copy->cells;
}

static void copy_cell(struct ccprof_heap_times_copy *copy,
                      const struct ccprof_heap_cell *cell)
{
    copy->cell[++copy->count] =
        (struct ccprof_heap_copied_cell){.cell = *cell, .next = copy->first[cell->stack]};
    copy->first[cell->stack] = copy->count;
}

/* Copies the point's counts for its latest bucket. */
static void copy_times_point(struct ccprof_heap_times_copy *copy, uint32_t stack,
                             const struct ccprof_heap_point *point)
{
    struct ccprof_heap_cell cell = {
        .stack = stack, .born = (uint8_t)point->bucket, .freed = CCPROF_HEAP_CELLS_MADE};

    cell.amount = point->made;
    if (cell.amount.blocks)
        copy_cell(copy, &cell);
    cell.freed = cell.born;
    cell.amount = point->gone;
    if (cell.amount.blocks)
        copy_cell(copy, &cell);
}

void ccprof_heap_times_copy_fill(struct ccprof_heap_times_copy *copy,
                                 struct ccprof_heap_times *times,
                                 const struct ccprof_heap_stacks *stacks)
{
    const struct ccprof_heap_cells *cells = &times->cells;

    times_end(times, stacks);
    if (times->crowded)
        return;
    for (uint32_t i = 0; i < cells->places; i++)
        if (cells->cell[i].stack != 0)
            copy_cell(copy, &cells->cell[i]);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++)
        copy_times_point(copy, i, ccprof_heap_stacks_point(stacks, i));
}

static void write_born_amount(struct ccprof_text *text,
                              const struct ccprof_heap_amount *amount)
{
    ccprof_text_field(text, amount->blocks);
    ccprof_text_field(text, amount->bytes);
}

void ccprof_heap_times_write_buckets(struct ccprof_text *text,
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
        ccprof_text_field(text, times->bucket[i].live);
        ccprof_text_field(text, times->bucket[i].resident);
        ccprof_text_char(text, '\n');
    }
}

static void write_add(struct ccprof_heap_born *bucket, uint8_t freed,
                      const struct ccprof_heap_amount *amount)
{
    struct ccprof_heap_amount *to =
        freed == CCPROF_HEAP_CELLS_MADE ? &bucket->made : &bucket->freed[freed];

    to->blocks += amount->blocks;
    to->bytes += amount->bytes;
}

/* Returns whether the amount freed is at most the amount allocated. The amount freed
   may be greater if a thread could not count its allocations. */
static bool write_is_consistent(const struct ccprof_heap_born *bucket)
{
    uint64_t blocks = 0, bytes = 0;

    for (uint32_t i = 0; i < CCPROF_HEAP_TIMES_MOST; i++) {
        blocks += bucket->freed[i].blocks;
        bytes += bucket->freed[i].bytes;
    }
    return blocks <= bucket->made.blocks && bytes <= bucket->made.bytes;
}

static void write_born_line(struct ccprof_text *text,
                            const struct ccprof_heap_born *bucket, uint32_t number)
{
    ccprof_text_string(text, "born");
    ccprof_text_field(text, number);
    write_born_amount(text, &bucket->made);
    for (uint32_t i = number; i < CCPROF_HEAP_TIMES_MOST; i++)
        if (bucket->freed[i].blocks) {
            ccprof_text_field(text, i);
            write_born_amount(text, &bucket->freed[i]);
        }
    ccprof_text_char(text, '\n');
}

void ccprof_heap_times_write_stack(struct ccprof_text *text,
                                   struct ccprof_heap_times_copy *copy, uint32_t stack)
{
    uint64_t any = 0;

    for (uint32_t index = copy->first[stack]; index != 0;
         index = copy->cell[index].next) {
        const struct ccprof_heap_cell *cell = &copy->cell[index].cell;
        write_add(&copy->bucket[cell->born], cell->freed, &cell->amount);
        any |= UINT64_C(1) << cell->born;
    }
    for (uint32_t i = 0; i < CCPROF_HEAP_TIMES_MOST; i++) {
        if ((any >> i & 1) == 0)
            continue;
        if (write_is_consistent(&copy->bucket[i]))
            write_born_line(text, &copy->bucket[i], i);
        copy->bucket[i] = (struct ccprof_heap_born){.made = {0, 0}};
    }
}
