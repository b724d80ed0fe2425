/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/times.c rt/heap/changes.c rt/heap/sampling.c rt/heap/stacks.c
   rt/os/memory.c rt/os/text.c rt/os/file.c rt/os/lock.c */
/* The heap over time: the written lines for changes whose buckets were computed by
   hand, and for more changes than there is room for. (The sums: heap-times.) */

#include "heap_state.h"

#include "rt/heap/times.h"
#include "rt/os/proc.h"

#define START 4000000000u /* milliseconds; the lower bits overflow during the run */
#define TEXT  (1 << 23)
#define MADE  CCPROF_HEAP_CELLS_MADE

static struct ccprof_heap_state *state;
static uint64_t memory;

/* Replaces the kernel's value: each call returns one byte more for the process. */
uint64_t ccprof_resident(void)
{
    return ++memory;
}

static void setup(void)
{
    state = new_state();
    memory = 0;
    ccprof_heap_times_start(&state->times, &state->stacks, START);
}

static void teardown(void)
{
    free(state);
}

static void make(uint32_t stack, uint64_t size, uint32_t at)
{
    const struct ccprof_heap_change change = {.size = size,
                                              .stack = stack,
                                              .kind = CCPROF_HEAP_MADE,
                                              .in_table = true,
                                              .time = START + at};

    ccprof_heap_change_count(state, &change, 1);
}

static void release(uint32_t stack, uint64_t size, uint32_t made, uint32_t at)
{
    const struct ccprof_heap_change change = {.size = size,
                                              .stack = stack,
                                              .kind = CCPROF_HEAP_FREED,
                                              .time = START + at,
                                              .lived = at - made};

    ccprof_heap_change_count(state, &change, 1);
}

/* STACK+SIZE@TIME allocates a block, STACK-SIZE@MADE:TIME frees one, !TIME is a fork. */
static void play(const char *script)
{
    uint32_t stack, size, made, at;

    for (int length; *script; script += length)
        if (sscanf(script, "%u+%u@%u %n", &stack, &size, &at, &length) == 3)
            make(stack, size, at);
        else if (sscanf(script, "%u-%u@%u:%u %n", &stack, &size, &made, &at, &length) ==
                 4)
            release(stack, size, made, at);
        else if (sscanf(script, "!%u %n", &at, &length) == 1)
            ccprof_heap_times_start(&state->times, &state->stacks, START + at);
        else
            ck_abort_msg("%s", script);
}

/* Returns the lines written for the state at a time. The caller frees them. */
static char *written(uint32_t at)
{
    struct ccprof_heap_state *copy = calloc(1, sizeof *copy);
    struct ccprof_heap_times_copy cells = {.count = 0};
    char *text = calloc(1, TEXT);
    struct ccprof_text to;

    ccprof_heap_times_advance(&state->times, &state->stacks, START + at);
    *copy = *state;
    ck_assert(ccprof_heap_times_copy_make(&cells, state->stacks.count, &copy->times));
    ck_assert(ccprof_heap_times_copy_fits(&cells, &copy->times));
    ccprof_heap_times_copy_fill(&cells, &copy->times, &copy->stacks);
    ccprof_text_open(&to, text, TEXT, NULL);
    ccprof_heap_times_write_buckets(&to, &copy->times);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < copy->stacks.count; i++) {
        ccprof_text_decimal(&to, i);
        ccprof_text_char(&to, '\n');
        ccprof_heap_times_write_stack(&to, &cells, i);
    }
    ck_assert_int_eq(ccprof_text_end(&to), 0);
    ccprof_heap_times_copy_free(&cells);
    free(copy);
    return text;
}

/* The lines written at TIME after a script: their beginning, and a text that they
   contain, both computed by hand. */
#define LONG "2+100@0 2-100@0:60 2+50@63 2+30@64 2-30@64:4000"
static const struct {
    const char *script;
    uint32_t time;
    const char *begins, *has;
} heaps[] = {
    /* Buckets of 4 ms. The third block is in the second bucket, the fourth in the
       fifth. */
    {"2+100@0 2+10@3 2-100@0:3 3+7@5 2-10@3:7 2+1@17 3-7@5:18", 22,
     "times 4 6 stacks\n110 10 1\n17 7 2\n7 7 0\n7 7 0\n8 1 3\n1 1 4\n"
     "1\n2\nborn 0 2 110 0 1 100 1 1 10\nborn 4 1 1\n"
     "3\nborn 1 1 7 4 1 7\n4\n5\n6\n",
     ""},
    /* The width doubles until the time falls into one of 64 buckets: 256 ms have 64
       buckets of 4 ms, and so have 4096 ms of 64 ms. */
    {LONG, 4095, "times 64 64 stacks\n100 50 ",
     "2\nborn 0 2 150 0 1 100\nborn 1 1 30 62 1 30\n3\n"},
    {LONG, 4096, "times 128 33 stacks\n100 80 ", "2\nborn 0 3 180 0 1 100 31 1 30\n3\n"},
    /* Threads report their changes late and in any order. */
    {"2+5@100 2-3@20:30 2+3@20 2-5@100:101 2+8@21", 101, "",
     "2\nborn 5 2 11 7 1 3\nborn 25 1 5 25 1 5\n3\n"},
    /* In the child of a fork, blocks in use count as allocated before the start. */
    {"2+5@100 2+6@120 !200 2-6@120:201 3+9@202 2-5@100:210", 211,
     "times 4 3 stacks\n14 14 4\n14 14 0\n14 9 5\n1\n2\n3\nborn 0 1 9\n4\n5\n6\n", ""},
};

TEST_ROWS(as_by_hand, heaps)
{
    play(heaps[_i].script);
    char *text = written(heaps[_i].time);
    size_t length = strlen(heaps[_i].begins);
    /* BEGINS is the whole text if HAS is empty. */
    if (!*heaps[_i].has)
        ck_assert_str_eq(text, heaps[_i].begins);
    ck_assert_msg(strncmp(text, heaps[_i].begins, length) == 0, "%s", text);
    ck_assert_msg(strstr(text, heaps[_i].has) != NULL, "%s", text);
    free(text);
}

/* Returns the blocks allocated in bucket BORN and still in use. */
static uint64_t made_blocks(uint32_t stack, uint8_t born)
{
    const struct ccprof_heap_cells *cells = &state->times.cells;
    const struct ccprof_heap_point *point =
        ccprof_heap_stacks_point(&state->stacks, stack);
    uint64_t sum = born == point->bucket ? point->made.blocks : 0;

    for (uint32_t i = 0; i < cells->places; i++) {
        const struct ccprof_heap_cell *cell = &cells->cell[i];
        if (cell->stack == stack && cell->born == born && cell->freed == MADE)
            sum += cell->amount.blocks;
    }
    return sum;
}

/* Adds a cell for each of COUNT stacks, until no room is left. */
static void add_cells(uint32_t count, uint8_t born, uint8_t freed)
{
    const struct ccprof_heap_amount amount = {1, 1};

    for (uint32_t i = 0; i < count; i++)
        if (!ccprof_heap_cells_add(&state->times.cells, 2 + STACKS + i, born, freed,
                                   &amount))
            return;
}

/* If there are more cells than fit, buckets become wider until only one is left. Then the
   file says that there are no cells. */
TEST(crowded)
{
    const uint32_t most = CCPROF_HEAP_CELLS_MOST;

    for (uint32_t i = 0; i < most / 2; i++)
        ccprof_heap_stacks_put(&state->stacks, CCPROF_HEAP_STACKS_ROOT, 0x501000 + i);
    for (uint32_t i = 0; i < 16; i++)
        make(2, 1, 4 * i);
    for (uint8_t born = 0; born < 4; born++)
        add_cells(most / 4, born, MADE);
    ck_assert_uint_eq(state->times.cells.count, most / 4 * 3);
    ck_assert_uint_eq(state->times.cells.memory, most * sizeof(struct ccprof_heap_cell));
    make(2, 1, 4 * 16);
    ck_assert_uint_eq(state->times.shift, CCPROF_HEAP_TIMES_SHIFT + 1);
    ck_assert_uint_eq(state->times.count, 9);
    make(2, 1, 4 * 18);
    ck_assert(!state->times.crowded);
    ck_assert_uint_eq(made_blocks(2, 0), 2);
    ck_assert_uint_eq(made_blocks(2, 8), 1);
    ck_assert_uint_eq(made_blocks(2, 9), 1);
    for (uint32_t i = 0; i < 3; i++) {
        add_cells(most / 2, 0, MADE);
        add_cells(most / 2, 0, 0);
        make(2, 1, 80u << 6 * i);
    }
    ck_assert(state->times.crowded);
    ck_assert_uint_eq(state->times.cells.memory, 0);
    char *text = written(80u << 12);
    ck_assert_ptr_nonnull(strstr(text, " crowded\n"));
    ck_assert_ptr_null(strstr(text, "born"));
    free(text);
}

TEST_AROUND(setup, teardown)
