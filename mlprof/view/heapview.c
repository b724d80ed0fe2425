/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what functions have allocated and what of it was alive, for -heap.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/table/table.h"
#include "mlprof/view/heapwords.h"
#include "mlprof/view/measured.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum heapdata_measure asked_measure(const struct view *view)
{
    const struct measure *asked = view->style.heap;
    return heapdata_known(&view->profile->heap, asked ? asked->heap : HEAPDATA_LIVE);
}

static bool is_asked(const struct view *view, enum heapdata_measure measure)
{
    return view->style.heap && view->style.heap->heap == measure;
}

/* The rows that are shown: functions, or what -by asks for.  */
static const struct rows *rows_of(const struct view *view)
{
    return view->grouped ? view->grouped : view->rows;
}

static size_t number_of(const struct view *view, const struct rows_row *row)
{
    return (size_t)(row - rows_of(view)->rows);
}

static const struct amounts_row *amounts_of(const struct view *view,
                                            const struct rows_row *row)
{
    return &rows_of(view)->amounts.rows[number_of(view, row)];
}

static bool is_of_functions(const void *of)
{
    return !((const struct view *)of)->grouped;
}

static bool is_of_others(const void *of)
{
    return !is_of_functions(of);
}

/* Types are on no stack, and threads on no other's.  */
static bool has_stack(const void *of)
{
    return rows_of(of)->stack;
}

static uint64_t total_bytes(const struct view *view)
{
    return view->profile->heap.sums[asked_measure(view)].bytes;
}

static struct table_value least(const struct view *view, const struct rows_row *row,
                                enum heapdata_measure measure, bool stack, bool bytes)
{
    struct statistics_interval range = amounts_interval(
        &rows_of(view)->amounts, number_of(view, row), measure, stack, bytes);
    return table_integer((uint64_t)round(range.least));
}

/* That of no blocks has no upper bound if some may have been missed: how many depends on
   their size.  */
static struct table_value most(const struct view *view, const struct rows_row *row,
                               enum heapdata_measure measure, bool stack, bool bytes)
{
    const struct amounts *amounts = &rows_of(view)->amounts;
    size_t number = number_of(view, row);
    const struct amounts_row *row_of = &amounts->rows[number];
    bool known = bytes || !amounts->sample ||
                 (stack ? row_of->stack : row_of->own)[measure].blocks;
    struct statistics_interval range =
        amounts_interval(amounts, number, measure, stack, bytes);
    return table_integer_if(known, (uint64_t)round(range.most));
}

static char *own_range_text(const struct view *view, const struct rows_row *row)
{
    enum heapdata_measure measure = asked_measure(view);
    if (amounts_of(view, row)->own[measure].blocks == 0)
        return buf_copy("-");
    struct statistics_interval interval = amounts_interval(
        &rows_of(view)->amounts, number_of(view, row), measure, false, true);
    return heapwords_range(&interval);
}

static bool is_temporary(const void *of)
{
    return is_asked(of, HEAPDATA_TEMPORARY);
}

static bool is_of_leaks(const void *of)
{
    const struct view *view = of;
    return is_asked(view, HEAPDATA_LEAKED) && !view->profile->heap.reach &&
           heaptimes_young(&view->profile->heap.times) != HEAPTIMES_ALIVE;
}

static bool is_of_indirect(const void *of)
{
    const struct view *view = of;
    return asked_measure(view) == HEAPDATA_LEAKED &&
           view->profile->heap.sums[HEAPDATA_INDIRECT].blocks != 0;
}

static bool is_lifetimes(const void *of)
{
    return is_asked(of, HEAPDATA_FREED);
}

static bool is_sampled(const void *of)
{
    const struct view *view = of;
    return view->profile->heap.sample != 0;
}

static struct table_value reach(const struct view *view, uint64_t amount)
{
    return table_integer_if(view->profile->heap.reach, amount);
}

static struct table_value young(const struct view *view, uint64_t amount)
{
    bool known = heaptimes_young(&view->profile->heap.times) != HEAPTIMES_ALIVE;
    return table_integer_if(known, amount);
}

#define OF_ROW                                                                           \
    const struct view *view = of;                                                        \
    const struct rows_row *row = at;                                                     \
    const struct amounts_row *amounts = amounts_of(view, row);                           \
    const struct heapdata_amount *own = &amounts->own[asked_measure(view)];              \
    const struct heapdata_amount *stack = &amounts->stack[asked_measure(view)];          \
    (void)amounts, (void)own, (void)stack

#define VALUE(name, expression) TABLE_VALUE(name, OF_ROW, expression)
#define CELL(name, expression)  TABLE_CELL(name, OF_ROW, expression)

#define BOUNDS(name, stack, measure, bytes)                                              \
    VALUE(name##_least, least(view, row, measure, stack, bytes))                         \
    VALUE(name##_most, most(view, row, measure, stack, bytes))

/* What a measure has in CSV and JSON: four amounts.  */
#define AMOUNTS(name, measure)                                                           \
    VALUE(name##_bytes, table_integer(amounts->own[measure].bytes))                      \
    VALUE(name##_blocks, table_integer(amounts->own[measure].blocks))                    \
    VALUE(name##_stack_bytes, table_integer(amounts->stack[measure].bytes))              \
    VALUE(name##_stack_blocks, table_integer(amounts->stack[measure].blocks))

/* The same, and the bounds of each.  */
#define MEASURE(name, measure)                                                           \
    AMOUNTS(name, measure)                                                               \
    BOUNDS(name##_bytes, false, measure, true)                                           \
    BOUNDS(name##_blocks, false, measure, false)                                         \
    BOUNDS(name##_stack, true, measure, true)

VALUE(function, measured_name(view, row))
VALUE(symbol,
      table_text(row->source.symbol && * row->source.symbol ? row->source.symbol : NULL))
VALUE(place, table_text_freed(row->place ? text_plain(row->place) : NULL))
VALUE(file, measured_file(row))
VALUE(line, measured_line(row))
MEASURE(live, HEAPDATA_LIVE)
MEASURE(peak, HEAPDATA_PEAK)
MEASURE(all, HEAPDATA_TOTAL)
AMOUNTS(freed, HEAPDATA_FREED)

VALUE(own_bytes, table_integer(own->bytes))
CELL(own_bytes, text_commas((double)own->bytes, 0))
AMOUNTS(temp, HEAPDATA_TEMPORARY)
CELL(temporary_share, view_percent_of(amounts->own[HEAPDATA_TEMPORARY].blocks,
                                      amounts->own[HEAPDATA_TOTAL].blocks))
VALUE(foreign_bytes, table_integer(amounts->own[HEAPDATA_FOREIGN].bytes))
VALUE(foreign_blocks, table_integer(amounts->own[HEAPDATA_FOREIGN].blocks))
VALUE(again_bytes, table_integer(amounts->own[HEAPDATA_AGAIN].bytes))
VALUE(again_blocks, table_integer(amounts->own[HEAPDATA_AGAIN].blocks))

/* The blocks of a class of lifetimes, and their share of all that were freed.  */
#define LIVED(number)                                                                    \
    VALUE(lived_##number, table_integer(amounts->own[HEAPDATA_LIVED + number].blocks))   \
    CELL(lived_##number, view_percent_of(amounts->own[HEAPDATA_LIVED + number].blocks,   \
                                         amounts->own[HEAPDATA_FREED].blocks))
VALUE(young_bytes, young(view, amounts->own[HEAPDATA_YOUNG].bytes))
VALUE(young_blocks, young(view, amounts->own[HEAPDATA_YOUNG].blocks))
CELL(young_share, view_percent_of(amounts->own[HEAPDATA_YOUNG].bytes,
                                  amounts->own[HEAPDATA_LIVE].bytes))
VALUE(leaked_bytes, reach(view, amounts->own[HEAPDATA_LEAKED].bytes))
VALUE(leaked_blocks, reach(view, amounts->own[HEAPDATA_LEAKED].blocks))
VALUE(indirect_bytes, reach(view, amounts->own[HEAPDATA_INDIRECT].bytes))
CELL(indirect_share, view_percent_of(amounts->own[HEAPDATA_INDIRECT].bytes,
                                     amounts->own[HEAPDATA_LEAKED].bytes))
VALUE(possible_bytes, reach(view, amounts->own[HEAPDATA_POSSIBLE].bytes))
LIVED(0)
LIVED(1)
LIVED(2)
LIVED(3)
LIVED(4)
LIVED(5)
LIVED(6)

CELL(own_range, own_range_text(view, row))
CELL(own_share, view_percent_of(own->bytes, total_bytes(view)))
VALUE(own_blocks, table_integer(own->blocks))
CELL(own_blocks, text_commas((double)own->blocks, 0))
VALUE(on_stack_bytes, table_integer(stack->bytes))
CELL(on_stack_bytes, text_commas((double)stack->bytes, 0))
CELL(on_stack_share, view_percent_of(stack->bytes, total_bytes(view)))

/* On the terminal the share of the blocks that were freed.  */
#define LIVED_COLUMN(column_id, number, column_head, column_means)                       \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = lived_##number,                 \
        .head = column_head, .place = 60 + number, .there = is_lifetimes,                \
        .cell = lived_##number##_cell                                                    \
    }

/* The columns of AMOUNTS and of BOUNDS.  */
#define AMOUNT_COLUMNS(name, own_means, stack_means)                                     \
    TABLE_DATA(#name "_bytes", own_means, name##_bytes),                                 \
        TABLE_DATA(#name "_blocks", "blocks of these", name##_blocks),                   \
        TABLE_DATA(#name "_stack_bytes", stack_means, name##_stack_bytes),               \
        TABLE_DATA(#name "_stack_blocks", "blocks of these", name##_stack_blocks)
#define BOUND_COLUMNS_OF(name, of)                                                       \
    TABLE_DATA(#name "_least", "lower end of the 95 % interval of " of, name##_least),   \
        TABLE_DATA(#name "_most", "its upper end", name##_most)
#define BOUND_COLUMNS(name)                                                              \
    BOUND_COLUMNS_OF(name##_bytes, #name "_bytes"),                                      \
        BOUND_COLUMNS_OF(name##_blocks, #name "_blocks"),                                \
        BOUND_COLUMNS_OF(name##_stack, #name "_stack_bytes")

/* The bounds of what was counted block by block are the amount.
   The order of the columns with an id is part of the formats.  */
static const struct table_column columns[] = {
    {"function", "its name", function, .sort = VIEW_NAME, .order = view_by_name,
     .in_data = is_of_functions},
    {"name", "the name of a row, with -by", function, .in_data = is_of_others},
    {"symbol", "for the assembler", symbol, .in_data = is_of_functions},
    {"place", "where a row is, or what it is, with -by", place, .in_data = is_of_others},
    TABLE_DATA("file", "where the function, or with -by the row, is", file),
    TABLE_DATA("line", "where the function, or with -by the row, starts", line),
    AMOUNT_COLUMNS(live,
                   "alive when the file was written, allocated while it was the "
                   "innermost",
                   "alive then, allocated while it was on the stack"),
    AMOUNT_COLUMNS(peak,
                   "alive when the program had most, allocated while it was the "
                   "innermost",
                   "alive then, allocated while it was on the stack"),
    AMOUNT_COLUMNS(all, "allocated in total, while it was the innermost",
                   "allocated in total, while it was on the stack"),
    AMOUNT_COLUMNS(freed, "freed of what was allocated while it was the innermost",
                   "freed of what was allocated while it was on the stack"),
    BOUND_COLUMNS(live),
    BOUND_COLUMNS(peak),
    BOUND_COLUMNS(all),
    AMOUNT_COLUMNS(
        temp,
        "freed before their thread allocated or freed another, allocated while it was "
        "the innermost",
        "freed before their thread allocated or freed another, allocated while it was "
        "on the stack"),
    TABLE_DATA("foreign_bytes",
               "freed by another thread, allocated while it was the innermost",
               foreign_bytes),
    TABLE_DATA("foreign_blocks", "blocks of these", foreign_blocks),
    TABLE_DATA("again_bytes",
               "allocated by realloc in place of other blocks while it was the innermost",
               again_bytes),
    TABLE_DATA("again_blocks", "blocks of these", again_blocks),
    LIVED_COLUMN("lived_10ms", 0, "10ms", "blocks that were freed within 10 ms"),
    LIVED_COLUMN("lived_100ms", 1, "0.1s",
                 "blocks that were freed within 100 ms, and not within 10 ms"),
    LIVED_COLUMN("lived_1s", 2, "1s",
                 "blocks that were freed within 1 s, and not within 100 ms"),
    LIVED_COLUMN("lived_10s", 3, "10s",
                 "blocks that were freed within 10 s, and not within 1 s"),
    LIVED_COLUMN("lived_100s", 4, "100s",
                 "blocks that were freed within 100 s, and not within 10 s"),
    LIVED_COLUMN("lived_1000s", 5, "1000s",
                 "blocks that were freed within 1000 s, and not within 100 s"),
    LIVED_COLUMN("lived_longer", 6, "longer", "blocks that were freed later"),
    TABLE_DATA("young_bytes",
               "alive when the file was written and allocated in the last tenth of the "
               "run, while it was the innermost",
               young_bytes),
    TABLE_DATA("young_blocks", "blocks of these", young_blocks),
    TABLE_DATA(
        "leaked_bytes",
        "alive at the end and not reachable, allocated while it was the innermost, "
        "with reachable=yes",
        leaked_bytes),
    TABLE_DATA("leaked_blocks", "blocks of these", leaked_blocks),
    TABLE_DATA("indirect_bytes", "of leaked_bytes, what other lost blocks refer to",
               indirect_bytes),
    TABLE_DATA("possible_bytes",
               "alive at the end, perhaps reachable: by pointers into blocks",
               possible_bytes),
    {.means = "of its bytes, what other lost blocks refer to, with leaks",
     .value = indirect_bytes,
     .head = "indirect",
     .place = 23,
     .there = is_of_indirect,
     .cell = indirect_share_cell},
    {.means = "of its bytes, allocated in the last tenth of the run, with leaks",
     .value = young_bytes,
     .head = "young",
     .place = 22,
     .there = is_of_leaks,
     .cell = young_share_cell},
    {.means = "of all its blocks, with temporary",
     .value = temp_blocks,
     .head = "of its",
     .place = 35,
     .there = is_temporary,
     .cell = temporary_share_cell},
    /* The following columns are only on the terminal: of what was asked for.  */
    {.means = "of all bytes, allocated while it was the innermost",
     .value = own_bytes,
     .head = "self",
     .place = 10,
     .cell = own_share_cell},
    {.means = "allocated while it was the innermost",
     .value = own_bytes,
     .head = "bytes",
     .place = 20,
     .cell = own_bytes_cell,
     .sort = VIEW_BYTES},
    {.means = "the 95 % interval of these, where blocks were sampled",
     .value = own_bytes,
     .head = "95% range",
     .place = 25,
     .there = is_sampled,
     .cell = own_range_cell,
     .gives_way = 2},
    {.means = "blocks of these",
     .value = own_blocks,
     .head = "blocks",
     .place = 30,
     .cell = own_blocks_cell,
     .sort = VIEW_BLOCKS},
    {.means = "of all bytes, allocated while it was on the stack",
     .value = on_stack_bytes,
     .head = "total",
     .place = 40,
     .there = has_stack,
     .cell = on_stack_share_cell,
     .sort = VIEW_STACK},
    {.means = "allocated while it was on the stack",
     .value = on_stack_bytes,
     .head = "bytes",
     .place = 50,
     .there = has_stack,
     .cell = on_stack_bytes_cell,
     .gives_way = 1},
    {0}};

static const char *noun(const void *of)
{
    return view_key_noun(rows_of(of)->key);
}

static double percent_of(const void *of, const void *at)
{
    return rows_percent(amounts_of(of, at)->own[asked_measure(of)].bytes,
                        total_bytes(of));
}

static const struct table_view heap_table = {.name = "heap",
                                             .columns = columns,
                                             .names = {noun, view_put_name},
                                             .share = percent_of};

/* A row with its amounts, for sorting.  */
struct sorted {
    const struct rows_row *row;
    const struct heapdata_amount *own, *stack;
};

static int by_bytes(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;
    int order = (a->own->bytes < b->own->bytes) - (a->own->bytes > b->own->bytes);
    if (order == 0)
        order = (a->stack->bytes < b->stack->bytes) - (a->stack->bytes > b->stack->bytes);
    if (order == 0)
        order = (a->own->blocks < b->own->blocks) - (a->own->blocks > b->own->blocks);
    return order ? order : view_by_name(a->row, b->row);
}

/* The rows by decreasing amounts of what was asked for; to be freed.  */
static struct sorted *sort(const struct view *view)
{
    const struct rows *rows = rows_of(view);
    enum heapdata_measure measure = asked_measure(view);
    struct sorted *sorted = buf_alloc((rows->whole + 1) * sizeof *sorted);
    for (size_t i = 0; i < rows->whole; i++) {
        const struct amounts_row *amounts = amounts_of(view, &rows->rows[i]);
        sorted[i] = (struct sorted){&rows->rows[i], &amounts->own[measure],
                                    &amounts->stack[measure]};
    }
    if (rows->whole)
        qsort(sorted, rows->whole, sizeof *sorted, by_bytes);
    return sorted;
}

static void fill(struct table *table, const struct view *view,
                 const struct pattern *asked)
{
    (void)asked;
    if (!view->profile->heap.shown)
        view = view->of_heap;
    if (!view)
        return;
    table->of = view;
    BUF_OWN struct sorted *sorted = sort(view);
    for (size_t i = 0; i < rows_of(view)->whole; i++)
        table_add(table, sorted[i].row);
}

/* What is alive and was allocated where no profiled function was on the stack is kept by
   a library, and is no leak of the program's.  By module it is in a row of the library's,
   which has nothing else.  */
static bool is_leak(const struct view *view, const struct rows_row *row)
{
    const struct profile *profile = view->profile;
    for (size_t i = 0; rows_of(view)->key == ROWS_MODULES && i < profile->module_count;
         i++)
        if (strcmp(profile->modules[i].path, row->source.name) == 0)
            return view->program->tables[i] != NULL;
    return strcmp(row->source.name, STACKS_UNPROFILED) != 0;
}

static bool is_shown(const struct view *view, const struct rows_row *row)
{
    enum heapdata_measure measure = asked_measure(view);
    if (is_asked(view, HEAPDATA_LEAKED) && measure == HEAPDATA_LIVE &&
        !is_leak(view, row))
        return false;
    return amounts_of(view, row)->stack[measure].blocks &&
           percent_of(view, row) >= view->style.thresh;
}

static bool check(const struct view *view, const struct views_asked *asked,
                  struct fault *fault)
{
    const struct heapdata *heap = &view->profile->heap;
    const struct measure *measure = &measure_all[asked->choice];
    if (!heap->measured)
        return fault_set(fault, FAULT_MISMATCH, "-heap", HEAPWORDS_NONE);
    if (measure->lives && !heap->lives)
        return fault_set(fault, FAULT_MISMATCH, "-heap",
                         "the data do not tell what became of blocks: an older runtime "
                         "has written them");
    if (measure->derived && !heap->ended)
        return fault_set(fault, FAULT_MISMATCH, "-heap",
                         "leaks are what is alive when a program ends, and this was "
                         "written before: -heap live");
    if (measure->derived && heap->unseen.bytes)
        return fault_set(fault, FAULT_MISMATCH, "-heap",
                         "leaks were not measured: the program has freed blocks by calls "
                         "that were not seen, which are alive here: -heap live");
    return true;
}

static void head(FILE *out, const struct view *view)
{
    heapwords_head(out, &view->profile->heap, asked_measure(view));
}

static void print(FILE *out, const struct view *view, const struct views_asked *asked,
                  const bool *wanted)
{
    struct table table = {.view = &heap_table, .of = view};
    size_t kept = 0;
    (void)asked, (void)wanted;
    fill(&table, view, NULL);
    for (size_t i = 0; i < table.count; i++)
        if (is_shown(view, table.rows[i]))
            table.rows[kept++] = table.rows[i];
    table.count = kept;
    table_sort(&table, view->style.order);
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

const struct views_entry heapview_entry = {
    .name = "heap",
    .topic = TOPIC_MEMORY,
    .use = 2,
    .help = "who has what was alive, or was allocated",
    .details =
        "Needs data of a run with CCPROF=heap or CCPROF=heap=exact. live: what was\n"
        "alive when the file was written; peak: when most was; leaks: at the end,\n"
        "without what libraries keep for themselves; allocated: all that was;\n"
        "temporary: freed before the same thread allocated or freed another;\n"
        "lifetimes: how long blocks were alive that were freed, by a clock that is a\n"
        "few milliseconds coarse. With -by the rows are of types of blocks, copies,\n"
        "lines, expressions, files, modules, phases or threads. What is told from\n"
        "stacks beside it, as -flame or -callers, is of the same. -compare, -growth\n"
        "and -gate compare it, of two moments of one run, say.",
    .takes = VIEWS_MEASURE,
    .goes_by = VIEWS_BY_STACKS VIEWS_BY_ROWS "by measure merge-builds range show-line "
                                             "show-wrappers",
    .beside = "compare growth gate gate-write",
    .facts = VIEWS_HEAP,
    .columns = &heap_table,
    .data = {{&heap_table, fill, 14}},
    .check = check,
    .head = head,
    .print = print,
    .foot = heapwords_foot,
};
