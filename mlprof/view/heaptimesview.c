/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the heap over time, for -heap-times. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/profile/heapranges.h"
#include "mlprof/view/heapwords.h"
#include "mlprof/view/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width of a line if the output is not a terminal, and the minimum width of a bar. */
#define COLUMNS   80
#define BAR_LEAST 10

/* Blanks between two columns. */
#define GAP 2

struct bucket {
    uint32_t number;
    struct heaptimes_bucket of;
    struct heapranges_sum sum;
};

/* The context of the columns. */
struct line {
    const struct view *view;
    struct bucket *buckets;
    size_t count;
    uint64_t most; /* maximum of all buckets */
    size_t bar;    /* length of the bar for MOST */
};

static const struct heaptimes *times_of(const struct line *line)
{
    return &line->view->profile->heap.times;
}

#define OF_ROW                                                                           \
    const struct line *line = of;                                                        \
    const struct bucket *bucket = at;                                                    \
    const struct heaptimes *times = times_of(line);                                      \
    (void)times

#define MADE(name, amount) VIEW_VALUE(name, table_integer_if(times->cells_known, amount))

VIEW_VALUE(start, table_number_if(true, (double)(bucket->number * times->width) / 1000))
VIEW_CELL(start, text_commas((double)(bucket->number * times->width) / 1000,
                             times->width < 100 ? 3 : 1))
VIEW_VALUE(most, table_integer(bucket->of.most))
VIEW_VALUE(alive, table_integer(bucket->of.alive))
MADE(made_bytes, bucket->sum.made.bytes)
MADE(made_blocks, bucket->sum.made.blocks)
MADE(left_bytes, bucket->sum.left.bytes)
MADE(left_blocks, bucket->sum.left.blocks)
VIEW_VALUE(resident, table_integer_if(bucket->of.resident != 0, bucket->of.resident))

TABLE_PRESENT(has_cells, const struct line *line, times_of(line)->cells_known)

/* The order of the columns is part of the formats. */
static const struct table_column columns[] = {
    {"seconds", "from the start of the run to that of the bucket", start, "from",
     .cell = start_cell},
    {"alive_bytes", "alive at the end of the bucket; the bar's #", alive, "alive",
     .drop_rank = 0},
    TABLE_DATA("most_bytes", "the most that was alive in it; the end of the bar", most),
    {"made_bytes", "allocated in it", made_bytes, "allocated", .present = has_cells},
    TABLE_DATA("made_blocks", "blocks of these", made_blocks),
    {"left_bytes", "of what was allocated in it, alive when the file was written",
     left_bytes, "left", .present = has_cells},
    TABLE_DATA("left_blocks", "blocks of these", left_blocks),
    {"resident_bytes", "memory that the process had at its start, as the kernel says it",
     resident, "resident", .drop_rank = 1},
    {0}};

static size_t length_of(const struct line *line, uint64_t bytes)
{
    double part = line->most ? (double)bytes / (double)line->most : 0;
    return (size_t)round(part * (double)line->bar);
}

/* Puts the bar into SHEET: # for memory in use at the end of the bucket, then dots up
   to the maximum in use during the bucket. */
static void put_bar(const void *of, struct sheet *sheet, const void *at)
{
    const struct line *line = of;
    const struct bucket *bucket = at;
    size_t alive = length_of(line, bucket->of.alive),
           most = length_of(line, bucket->of.most);
    char *bar = buf_alloc(most + 1);
    memset(bar, '#', alive);
    memset(bar + alive, '.', most - alive);
    sheet_put(sheet, bar);
}

static const struct table_view times_table = {
    .name = "heap_times", .columns = columns, .names = {"alive", put_bar}};

static void free_line(void *own)
{
    BUF_OWN struct line *line = own;
    free(line->buckets);
}

static void fill_heap_times(struct table *table, const struct view *view,
                            const struct pattern *pattern)
{
    const struct heapdata *heap = &view->profile->heap;
    struct heapranges_sum sums[CCPROF_SPANS];
    struct line *line = buf_alloc(sizeof *line);
    (void)pattern;
    *line = (struct line){.view = view,
                          .count = heap->times.count,
                          .bar = BAR_LEAST,
                          .buckets =
                              buf_alloc((heap->times.count + 1) * sizeof *line->buckets)};
    heapranges_add_up(sums, heap);
    for (uint32_t i = 0; i < heap->times.count; i++) {
        line->buckets[i] = (struct bucket){i, heap->times.buckets[i], sums[i]};
        if (heap->times.buckets[i].most > line->most)
            line->most = heap->times.buckets[i].most;
        table_add(table, &line->buckets[i]);
    }
    table->of = table->own = line;
    table->release = free_line;
}

static bool check_heap_times(const struct view *view, const char *option,
                             struct fault *fault)
{
    const struct heapdata *heap = &view->profile->heap;
    if (!heap->measured)
        return fault_set(fault, FAULT_MISMATCH, option, HEAPWORDS_NONE);
    return heapwords_check_times(heap, view->profile->runs.files, option, fault);
}

static void head(FILE *out, const struct view *view)
{
    const struct heapdata *heap = &view->profile->heap;
    heapwords_head(out, heap, HEAPDATA_PEAK);
}

static void print_heap_times(FILE *out, const struct view *view)
{
    struct table table = {.view = &times_table};
    fill_heap_times(&table, view, NULL);
    struct line *line = table.own;
    size_t most = terminal_columns(out), width = 0; /* WIDTH: before the bar */
    for (const struct table_column *column = columns; table_is_column(column); column++) {
        if (!column->head ||
            (column->present && !column->present(table.of, column->which)))
            continue;
        size_t widest = strlen(column->head);
        for (size_t i = 0; i < table.count; i++) {
            BUF_OWN char *cell = table_cell_at(&table, column, table.rows[i]);
            widest = strlen(cell) > widest ? strlen(cell) : widest;
        }
        width += widest + GAP;
    }
    if (!most || most > 2 * COLUMNS)
        most = COLUMNS;
    line->bar = most > width + BAR_LEAST ? most - width : BAR_LEAST;
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

const struct views_entry heaptimes_entry = {
    .name = "heap-times",
    .topic = TOPIC_MEMORY,
    .use = 3,
    .help = "print the heap over time",
    .details =
        "Needs data of one run with CCPROF=heap or CCPROF=heap=exact. The run is\n"
        "divided into at most 64 buckets of equal length. A leak leaves blocks from\n"
        "every bucket, a cache only from the first ones.",
    .takes = VIEWS_NOTHING,
    .kind = OUTPUTS_HEAP_TIMES,
    .facts = VIEWS_HEAP,
    .data = {{&times_table, fill_heap_times}},
    .check = check_heap_times,
    .head = head,
    .print = print_heap_times,
};
