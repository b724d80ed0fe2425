/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/heap-cells.c rt/heap/heap-changes.c rt/heap/heap-draw.c */
/* links: rt/heap/heap-stacks.c rt/heap/heap-times.c rt/heap/heap-write-times.c */
/* links: rt/os/pages.c rt/os/text.c */
/* The heap over time: what it keeps against a plain model, and what is written of it.  */

#include "rt_tests.h"
#include "rt/heap/heap-changes.h"
#include "rt/heap/heap-write-times.h"
#include "rt/os/resident.h"

#define START  4000000000u /* milliseconds, of which the lower bits wrap in the run */
#define STACKS 5
#define BLOCKS 20000
#define TEXT   (1 << 23)

static uint64_t memory;

/* Stands in for the kernel: each time it is asked the process has a byte more.  */
uint64_t ccprof_resident(void)
{
    return ++memory;
}

static uint64_t generator = 1;

/* Knuth's generator (MMIX).  */
static uint32_t random_below(uint32_t most)
{
    generator = generator * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(generator >> 33) % most;
}

static struct ccprof_heap_state *new_state(void)
{
    struct ccprof_heap_state *state = calloc(1, sizeof *state);

    memory = 0;
    ck_assert(ccprof_heap_stacks_start(&state->stacks));
    for (uint32_t i = 0; i < STACKS; i++)
        ccprof_heap_stacks_put(&state->stacks, CCPROF_HEAP_STACKS_ROOT, 0x401000 + i);
    ccprof_heap_times_start(&state->times, &state->stacks, START);
    return state;
}

static void make(struct ccprof_heap_state *state, uint32_t stack, uint64_t size,
                 uint32_t at)
{
    const struct ccprof_heap_change change = {.size = size,
                                              .stack = stack,
                                              .what = CCPROF_HEAP_MADE,
                                              .kept = true,
                                              .time = START + at};

    ccprof_heap_change_count(state, &change, 1);
}

static void release(struct ccprof_heap_state *state, uint32_t stack, uint64_t size,
                    uint32_t made, uint32_t at)
{
    const struct ccprof_heap_change change = {.size = size,
                                              .stack = stack,
                                              .what = CCPROF_HEAP_FREED,
                                              .time = START + at,
                                              .lived = at - made};

    ccprof_heap_change_count(state, &change, 1);
}

/* What is written of the state at a time, to be freed.  */
static char *written(struct ccprof_heap_state *state, uint32_t at)
{
    struct ccprof_heap_state *copy = calloc(1, sizeof *copy);
    struct ccprof_heap_told told = {.count = 0};
    char *text = calloc(1, TEXT);
    struct ccprof_text to;

    ccprof_heap_times_advance(&state->times, &state->stacks, START + at);
    *copy = *state;
    ck_assert(ccprof_heap_told_make(&told, state->stacks.count, &copy->times));
    ck_assert(ccprof_heap_told_fits(&told, &copy->times));
    ccprof_heap_told_copy(&told, copy);
    ccprof_text_open(&to, text, TEXT, NULL);
    ccprof_heap_told_write_buckets(&to, &copy->times);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < copy->stacks.count; i++) {
        ccprof_text_decimal(&to, i);
        ccprof_text_char(&to, '\n');
        ccprof_heap_told_write(&to, &told, i);
    }
    ck_assert_int_eq(ccprof_text_end(&to), 0);
    ccprof_heap_told_free(&told);
    free(copy);
    return text;
}

/* By hand: buckets of 4 ms.  */
TEST(a_small_heap)
{
    struct ccprof_heap_state *state = new_state();
    make(state, 2, 100, 0);
    make(state, 2, 10, 3);
    release(state, 2, 100, 0, 3);
    make(state, 3, 7, 5); /* the second bucket */
    release(state, 2, 10, 3, 7);
    make(state, 2, 1, 17); /* the fifth */
    release(state, 3, 7, 5, 18);
    char *text = written(state, 22);
    ck_assert_str_eq(text,
                     "times 4 6 stacks\n110 10 1\n17 7 2\n7 7 0\n7 7 0\n8 1 3\n1 1 4\n"
                     "1\n2\nborn 0 2 110 0 1 100 1 1 10\nborn 4 1 1\n"
                     "3\nborn 1 1 7 4 1 7\n4\n5\n6\n");
    free(text);
    free(state);
}

/* The width doubles until the time is in one of 64 buckets: 4 ms in 256 are 64 in 4096.
 */
TEST(a_longer_heap)
{
    struct ccprof_heap_state *state = new_state();
    make(state, 2, 100, 0);
    release(state, 2, 100, 0, 60);
    make(state, 2, 50, 63);
    make(state, 2, 30, 64);
    release(state, 2, 30, 64, 4000);
    ck_assert_uint_eq(state->times.shift, 6);
    char *text = written(state, 4095);
    ck_assert_int_eq(strncmp(text, "times 64 64 stacks\n100 50 ", 26), 0);
    ck_assert_ptr_nonnull(
        strstr(text, "2\nborn 0 2 150 0 1 100\nborn 1 1 30 62 1 30\n3\n"));
    free(text);
    text = written(state, 4096);
    ck_assert_int_eq(strncmp(text, "times 128 33 stacks\n100 80 ", 27), 0);
    ck_assert_ptr_nonnull(strstr(text, "2\nborn 0 3 180 0 1 100 31 1 30\n3\n"));
    free(text);
    free(state);
}

/* Blocks of a model: when each was made and freed.  */
struct block {
    uint32_t stack, size, made, freed;
};

static struct block blocks[BLOCKS];

static int by_event(const void *one, const void *other)
{
    const uint32_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

static struct ccprof_heap_amount cell_of(struct ccprof_heap_state *state, uint32_t stack,
                                         uint8_t born, uint8_t freed)
{
    struct ccprof_heap_amount sum = {0, 0};
    const struct ccprof_heap_cells *cells = &state->times.cells;
    const struct ccprof_heap_point *point =
        ccprof_heap_stacks_point(&state->stacks, stack);

    for (uint32_t i = 0; i < cells->places; i++) {
        const struct ccprof_heap_cell *cell = &cells->cell[i];
        if (cell->stack == stack && cell->born == born && cell->freed == freed)
            sum = cell->of;
    }
    if (born == point->bucket && freed == CCPROF_HEAP_CELLS_MADE) {
        sum.blocks += point->made.blocks;
        sum.bytes += point->made.bytes;
    }
    if (born == point->bucket && freed == born) {
        sum.blocks += point->gone.blocks;
        sum.bytes += point->gone.bytes;
    }
    return sum;
}

static void assert_cells(struct ccprof_heap_state *state)
{
    static struct ccprof_heap_amount want[STACKS + 2][64][65];
    const uint32_t shift = state->times.shift;

    memset(want, 0, sizeof want);
    for (unsigned i = 0; i < BLOCKS; i++) {
        const struct block *block = &blocks[i];
        ccprof_heap_stacks_add(&want[block->stack][block->made >> shift][64],
                               block->size);
        if (block->freed)
            ccprof_heap_stacks_add(
                &want[block->stack][block->made >> shift][block->freed >> shift],
                block->size);
    }
    for (uint32_t stack = 1; stack < STACKS + 2; stack++)
        for (uint8_t born = 0; born < state->times.count; born++)
            for (unsigned freed = born; freed < 65; freed++) {
                struct ccprof_heap_amount got =
                    cell_of(state, stack, born,
                            freed == 64 ? CCPROF_HEAP_CELLS_MADE : (uint8_t)freed);
                ck_assert_uint_eq(got.blocks, want[stack][born][freed].blocks);
                ck_assert_uint_eq(got.bytes, want[stack][born][freed].bytes);
            }
}

/* What was alive in each bucket, computed anew.  */
static void assert_buckets(struct ccprof_heap_state *state, uint32_t (*events)[2],
                           unsigned count)
{
    uint64_t alive = 0, most = 0;
    unsigned at = 0;

    ccprof_heap_times_end(&state->times, &state->stacks);
    for (uint32_t bucket = 0; bucket < state->times.count; bucket++) {
        most = alive;
        for (; at < count && events[at][0] >> state->times.shift == bucket; at++) {
            const struct block *block = &blocks[events[at][1] / 2];
            alive += events[at][1] % 2 ? -(uint64_t)block->size : block->size;
            if (alive > most)
                most = alive;
        }
        ck_assert_uint_eq(state->times.bucket[bucket].alive, alive);
        ck_assert_uint_eq(state->times.bucket[bucket].most, most);
    }
    ck_assert_uint_eq(at, count);
}

TEST(as_in_a_model)
{
    struct ccprof_heap_state *state = new_state();
    static uint32_t events[2 * BLOCKS][2];
    unsigned count = 0;

    for (unsigned i = 0; i < BLOCKS; i++) {
        uint32_t life = random_below(4) ? random_below(5) : random_below(200000);
        blocks[i] = (struct block){.stack = 2 + random_below(STACKS),
                                   .size = random_below(100),
                                   .made = random_below(300000)};
        events[count][0] = blocks[i].made;
        events[count++][1] = 2 * i;
        if (i % 5 == 0)
            continue;
        blocks[i].freed = blocks[i].made + life + 1;
        events[count][0] = blocks[i].freed;
        events[count++][1] = 2 * i + 1;
    }
    qsort(events, count, sizeof *events, by_event);
    for (unsigned i = 0; i < count; i++) {
        const struct block *block = &blocks[events[i][1] / 2];
        if (events[i][1] % 2)
            release(state, block->stack, block->size, block->made, block->freed);
        else
            make(state, block->stack, block->size, block->made);
    }
    ck_assert_uint_gt(state->times.count, 32);
    assert_cells(state);
    assert_buckets(state, events, count);
    ck_assert_uint_ge(state->times.cells.memory,
                      state->times.cells.count * sizeof(struct ccprof_heap_cell));
    free(state);
}

/* Threads tell what they have done later, in any order.  */
TEST(told_late)
{
    struct ccprof_heap_state *state = new_state();

    make(state, 2, 5, 100);
    release(state, 2, 3, 20, 30);
    make(state, 2, 3, 20);
    release(state, 2, 5, 100, 101);
    make(state, 2, 8, 21);
    char *text = written(state, 101);
    ck_assert_ptr_nonnull(strstr(text, "2\nborn 5 2 11 7 1 3\nborn 25 1 5 25 1 5\n3\n"));
    free(text);
    free(state);
}

/* In the child of a fork what is alive was made before the start.  */
TEST(a_fork)
{
    struct ccprof_heap_state *state = new_state();
    make(state, 2, 5, 100);
    make(state, 2, 6, 120);
    ccprof_heap_times_start(&state->times, &state->stacks, START + 200);
    release(state, 2, 6, 120, 201);
    make(state, 3, 9, 202);
    release(state, 2, 5, 100, 210);
    char *text = written(state, 211);
    ck_assert_str_eq(text, "times 4 3 stacks\n14 14 4\n14 14 0\n14 9 5\n"
                           "1\n2\n3\nborn 0 1 9\n4\n5\n6\n");
    free(text);
    free(state);
}

/* Adds a cell of each of COUNT stacks, until there is no room.  */
static void add_cells(struct ccprof_heap_state *state, uint32_t count, uint8_t born,
                      uint8_t freed)
{
    const struct ccprof_heap_amount amount = {1, 1};

    for (uint32_t i = 0; i < count; i++)
        if (!ccprof_heap_cells_add(&state->times.cells, 2 + STACKS + i, born, freed,
                                   &amount))
            return;
}

/* More cells than there is room for make buckets wider, until there is one; then it is
   told that there are none.  */
TEST(crowded)
{
    struct ccprof_heap_state *state = new_state();
    const uint32_t most = CCPROF_HEAP_CELLS_MOST;
    char *text;

    for (uint32_t i = 0; i < most / 2; i++)
        ccprof_heap_stacks_put(&state->stacks, CCPROF_HEAP_STACKS_ROOT, 0x501000 + i);
    for (uint32_t i = 0; i < 16; i++)
        make(state, 2, 1, 4 * i);
    for (uint8_t born = 0; born < 4; born++)
        add_cells(state, most / 4, born, CCPROF_HEAP_CELLS_MADE);
    ck_assert_uint_eq(state->times.cells.count, most / 4 * 3);
    ck_assert_uint_eq(state->times.cells.memory, most * sizeof(struct ccprof_heap_cell));
    make(state, 2, 1, 4 * 16);
    ck_assert_uint_eq(state->times.shift, CCPROF_HEAP_TIMES_SHIFT + 1);
    ck_assert_uint_eq(state->times.count, 9);
    make(state, 2, 1, 4 * 18);
    ck_assert(!state->times.crowded);
    ck_assert_uint_eq(cell_of(state, 2, 0, CCPROF_HEAP_CELLS_MADE).blocks, 2);
    ck_assert_uint_eq(cell_of(state, 2, 8, CCPROF_HEAP_CELLS_MADE).blocks, 1);
    ck_assert_uint_eq(cell_of(state, 2, 9, CCPROF_HEAP_CELLS_MADE).blocks, 1);
    for (uint32_t i = 0; i < 3; i++) {
        add_cells(state, most / 2, 0, CCPROF_HEAP_CELLS_MADE);
        add_cells(state, most / 2, 0, 0);
        make(state, 2, 1, 80u << 6 * i);
    }
    ck_assert(state->times.crowded);
    ck_assert_uint_eq(state->times.cells.memory, 0);
    text = written(state, 80u << 12);
    ck_assert_ptr_nonnull(strstr(text, " crowded\n"));
    ck_assert_ptr_null(strstr(text, "born"));
    free(text);
    free(state);
}

TEST_MAIN(NULL, NULL)
