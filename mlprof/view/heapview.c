/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how much memory each function has allocated, and how much of it is in use,
   freed or leaked, for -heap. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"
#include "mlprof/view/views.h"

#include <math.h>
#include <string.h>

static enum heapdata_measure shown_measure(const struct view *view)
{
    const struct measure *pattern = view->style.heap;
    return heapdata_known(&view->profile->heap,
                          pattern ? pattern->heap.number : HEAPDATA_LIVE);
}

static bool is_requested(const struct view *view, enum heapdata_measure measure)
{
    return view->style.heap && view->style.heap->heap.number == measure;
}

/* The context of all columns. */
#define VIEW ((const struct view *)of)

/* Returns the rows to show: functions, or other groups with -by. */
static const struct rows *rows_of(const struct view *view)
{
    return view->grouped ? view->grouped : view->rows;
}

TABLE_PRESENT(is_of_functions, const struct view *view, !view->grouped)
TABLE_PRESENT(is_of_others, const struct view *view, view->grouped)
TABLE_PRESENT(has_types, const struct view *view,
              rows_of(view)->key == ROWS_SITES || rows_of(view)->key == ROWS_PATHS)
TABLE_PRESENT(has_called, const struct view *view, rows_of(view)->key == ROWS_PATHS)
/* Types have no stacks, and a thread is never on the stack of another. */
TABLE_PRESENT(has_stack, const struct view *view, rows_of(view)->stack)
TABLE_PRESENT(is_temporary, const struct view *view,
              is_requested(view, HEAPDATA_TEMPORARY))
TABLE_PRESENT(is_lifetimes, const struct view *view, is_requested(view, HEAPDATA_FREED))
TABLE_PRESENT(is_sampled, const struct view *view, view->profile->heap.sample != 0)
TABLE_PRESENT(knows_young, const struct view *view,
              heaptimes_young(&view->profile->heap.times) != HEAPTIMES_ALIVE)
TABLE_PRESENT(is_of_leaks, const struct view *view,
              is_requested(view, HEAPDATA_LEAKED) && !view->profile->heap.reach &&
                  knows_young(view, 0))
TABLE_PRESENT(is_of_indirect, const struct view *view,
              shown_measure(view) == HEAPDATA_LEAKED &&
                  view->profile->heap.sums[HEAPDATA_INDIRECT].blocks != 0)

static uint64_t total_bytes(const struct view *view)
{
    return view->profile->heap.sums[shown_measure(view)].bytes;
}

/* Selects the value of a column. The value is an amount of one measure, or of the
   requested measure (REQUESTED), in bytes or blocks. It is allocated by the row
   itself or while the row was on the stack. Instead of the amount, the value can be a
   bound of its confidence interval. */
enum {
    REQUESTED = HEAPDATA_MEASURES,
    MEASURE = 0xff,
    BLOCKS = 0x100,
    STACK = 0x200,
    LEAST = 0x400,
    MOST = 0x800
};

static enum heapdata_measure measure_of(const struct view *view, unsigned which)
{
    return (which & MEASURE) == REQUESTED ? shown_measure(view) : which & MEASURE;
}

static enum measured_part part_of(unsigned which)
{
    return which & STACK ? MEASURED_TOTAL : MEASURED_SELF;
}

static uint64_t amount_of(const struct view *view, const struct rows_row *row,
                          unsigned which)
{
    return measured_whole(row->measured, row->number,
                          measure_of_heap(measure_of(view, which)), part_of(which),
                          which & BLOCKS);
}

static struct statistics_interval
sources_range(const struct view *view, const struct rows_row *row, unsigned which)
{
    return measured_interval(row->measured, row->number,
                             measure_of_heap(measure_of(view, which)), part_of(which),
                             which & BLOCKS);
}

/* Returns the value of a column. If blocks were not sampled, both bounds equal the
   amount. If blocks were sampled but the row has no sampled block, the number of
   blocks has no upper bound, because the bound would depend on the unknown size of the
   missed blocks. */
static struct table_value amount(const void *of, const void *row, unsigned which)
{
    enum heapdata_measure measure = which & MEASURE;
    if (which & (LEAST | MOST)) {
        struct statistics_interval range = sources_range(of, row, which);
        bool known = which & LEAST || !(which & BLOCKS) || !VIEW->profile->heap.sample ||
                     amount_of(of, row, which);
        return table_integer_if(
            known, (uint64_t)round(which & LEAST ? range.least : range.most));
    }
    bool by_reach = measure >= HEAPDATA_LOST && measure <= HEAPDATA_LEAKED;
    bool known = (!by_reach || VIEW->profile->heap.reach) &&
                 (measure != HEAPDATA_YOUNG || knows_young(of, 0));
    return table_integer_if(known, amount_of(of, row, which));
}

/* Returns a share in percent. For the requested measure it is the share of all bytes.
   For another measure it is the share of the measure that contains it. */
static char *share(const void *of, const void *row, unsigned which)
{
    unsigned measure = which & MEASURE;
    return view_percent_of(
        amount_of(of, row, which),
        measure == REQUESTED
            ? total_bytes(of)
            : amount_of(of, row, which - measure + measure_of_heap(measure)->heap.whole));
}

static char *range(const void *of, const void *row, unsigned which)
{
    return amount_of(of, row, which | BLOCKS)
               ? heapwords_range(sources_range(of, row, which))
               : buf_copy("-");
}

#define OF_ROW const struct rows_row *row = at

VIEW_VALUE(function, view_value_name(of, row))
VIEW_VALUE(symbol, view_value_symbol(row))
VIEW_VALUE(place, view_value_place(row))
VIEW_VALUE(file, view_value_file(row))
VIEW_VALUE(line, view_value_line(row))

VIEW_VALUE(type, table_text(row->type))
VIEW_CELL(type, view_text_cell(row->type))
VIEW_VALUE(called, table_text(row->called))
VIEW_CELL(called, view_text_cell(row->called))

/* Columns of an amount: AMOUNT for CSV and JSON, SHOWN for the terminal. */
#define AMOUNT(column_id, column_which, column_means)                                    \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = amount, .which = column_which   \
    }
#define SHOWN(column_head, column_which, column_means, ...)                              \
    {                                                                                    \
        .head = column_head, .means = column_means, .value = amount,                     \
        .which = column_which, __VA_ARGS__                                               \
    }

/* The four amounts of a measure, and the bounds of one amount and of all. */
#define AMOUNTS(name, measure, how)                                                      \
    AMOUNT(name "_bytes", measure, how " while it was the innermost"),                   \
        AMOUNT(name "_blocks", measure | BLOCKS, "blocks of these")
#define STACK_AMOUNTS(name, measure, how)                                                \
    AMOUNT(name "_stack_bytes", measure | STACK, how " while it was on the stack"),      \
        AMOUNT(name "_stack_blocks", measure | STACK | BLOCKS, "blocks of these")
#define BOUNDS_OF(name, which, of)                                                       \
    AMOUNT(name "_least", which | LEAST, "lower end of the 95 % interval of " of),       \
        AMOUNT(name "_most", which | MOST, "its upper end")
#define BOUNDS(name, measure)                                                            \
    BOUNDS_OF(name "_bytes", measure, name "_bytes"),                                    \
        BOUNDS_OF(name "_blocks", measure | BLOCKS, name "_blocks"),                     \
        BOUNDS_OF(name "_stack", measure | STACK, name "_stack_bytes")

/* A class of lifetimes. The terminal shows the share of the freed blocks. */
#define LIVED(column_id, number, column_head, column_means)                              \
    {                                                                                    \
        .id = column_id, .means = "blocks that were freed " column_means,                \
        .value = amount, .which = (HEAPDATA_LIVED + number) | BLOCKS,                    \
        .head = column_head, .present = is_lifetimes, .cell = share                      \
    }

static const struct table_column columns[] = {
    {"function", "its name", function, .sort = VIEW_NAME, .order = view_by_name,
     .in_data = is_of_functions},
    {"name", "the name of a row, with -by", function, .in_data = is_of_others},
    {"symbol", "for the assembler", symbol, .in_data = is_of_functions},
    {"place", "where a row is, or what it is, with -by", place, .in_data = is_of_others},
    TABLE_DATA("file", "where the function, or with -by the row, is", file),
    TABLE_DATA("line", "where the function, or with -by the row, starts", line),
    AMOUNTS("live", HEAPDATA_LIVE, "alive when the file was written, allocated"),
    STACK_AMOUNTS("live", HEAPDATA_LIVE, "alive then, allocated"),
    AMOUNTS("peak", HEAPDATA_PEAK, "alive when the program had most, allocated"),
    STACK_AMOUNTS("peak", HEAPDATA_PEAK, "alive then, allocated"),
    AMOUNTS("all", HEAPDATA_TOTAL, "allocated in total,"),
    STACK_AMOUNTS("all", HEAPDATA_TOTAL, "allocated in total,"),
    AMOUNTS("freed", HEAPDATA_FREED, "freed of what was allocated"),
    STACK_AMOUNTS("freed", HEAPDATA_FREED, "freed of what was allocated"),
    BOUNDS("live", HEAPDATA_LIVE),
    BOUNDS("peak", HEAPDATA_PEAK),
    BOUNDS("all", HEAPDATA_TOTAL),
    AMOUNTS("temp", HEAPDATA_TEMPORARY,
            "freed before their thread allocated or freed another, allocated"),
    STACK_AMOUNTS("temp", HEAPDATA_TEMPORARY,
                  "freed before their thread allocated or freed another, allocated"),
    AMOUNTS(
        "young", HEAPDATA_YOUNG,
        "alive when the file was written and allocated in the last tenth of the run,"),
    AMOUNT("leaked_bytes", HEAPDATA_LEAKED,
           "alive at the end and not reachable, allocated while it was the innermost, "
           "with reachable=yes"),
    AMOUNT("leaked_blocks", HEAPDATA_LEAKED | BLOCKS, "blocks of these"),
    AMOUNT("indirect_bytes", HEAPDATA_INDIRECT,
           "of leaked_bytes, what other lost blocks refer to"),
    AMOUNT("possible_bytes", HEAPDATA_POSSIBLE,
           "alive at the end, perhaps reachable: by pointers into blocks"),
    SHOWN("self", REQUESTED, "of all bytes, allocated while it was the innermost",
          .cell = share),
    SHOWN("bytes", REQUESTED, "allocated while it was the innermost", .sort = VIEW_BYTES),
    SHOWN("young", HEAPDATA_YOUNG,
          "of its bytes, allocated in the last tenth of the run, with leaks",
          .present = is_of_leaks, .cell = share),
    SHOWN("indirect", HEAPDATA_INDIRECT,
          "of its bytes, what other lost blocks refer to, with leaks",
          .present = is_of_indirect, .cell = share),
    SHOWN("95% range", REQUESTED, "the 95 % interval of these, where blocks were sampled",
          .present = is_sampled, .cell = range, .drop_rank = 2),
    SHOWN("blocks", REQUESTED | BLOCKS, "blocks of these", .sort = VIEW_BLOCKS),
    SHOWN("of its", HEAPDATA_TEMPORARY | BLOCKS, "of all its blocks, with temporary",
          .present = is_temporary, .cell = share),
    SHOWN("total", REQUESTED | STACK, "of all bytes, allocated while it was on the stack",
          .present = has_stack, .cell = share, .sort = VIEW_STACK),
    SHOWN("bytes", REQUESTED | STACK, "allocated while it was on the stack",
          .present = has_stack, .drop_rank = 1),
    {"called", "of a site or path: the function that it calls, if it is known", called,
     "called", has_called, called_cell, .side = SHEET_TEXT, .in_data = is_of_others},
    {"type", "of a site or path: of what is allocated, if it is known", type, "type",
     has_types, type_cell, .side = SHEET_TEXT, .in_data = is_of_others},
    LIVED("lived_10ms", 0, "10ms", "within 10 ms"),
    LIVED("lived_100ms", 1, "0.1s", "within 100 ms, and not within 10 ms"),
    LIVED("lived_1s", 2, "1s", "within 1 s, and not within 100 ms"),
    LIVED("lived_10s", 3, "10s", "within 10 s, and not within 1 s"),
    LIVED("lived_100s", 4, "100s", "within 100 s, and not within 10 s"),
    LIVED("lived_1000s", 5, "1000s", "within 1000 s, and not within 100 s"),
    LIVED("lived_longer", 6, "longer", "later"),
    {0}};

TABLE_HEAD(noun, const struct view *view, rows_keys[rows_of(view)->key].noun)

static double percent_of(const void *of, const void *at)
{
    return rows_percent(amount_of(of, at, REQUESTED), total_bytes(of));
}

static const struct table_view heap_table = {
    .name = "heap",
    .columns = columns,
    .names = {.head_of = noun, .put = view_put_name},
    .share = percent_of};

static void fill_heap(struct table *table, const struct view *view,
                      const struct pattern *pattern)
{
    (void)pattern;
    if (!profile_is_of_heap(view->profile))
        view = view_beside(view, REPORT_OF_HEAP);
    if (!view)
        return;
    table->of = view;
    /* Memory belongs to functions, not to their branches. */
    for (size_t i = 0; i < rows_of(view)->whole; i++)
        if (!rows_of(view)->rows[i].branch)
            table_add(table, &rows_of(view)->rows[i]);
    /* Sort by decreasing amounts of the requested measure. */
    table_sort(table, VIEW_NAME);
    table_sort(table, VIEW_BLOCKS);
    table_sort(table, VIEW_STACK);
    table_sort(table, VIEW_BYTES);
}

/* Returns whether memory in use at the end is a leak of the program. If no profiled
   function was on the stack of an allocation, the memory belongs to a library and is
   not a leak of the program. With -by module, the row of a library without tables
   contains only such memory. */
static bool is_leak(const struct view *view, const struct rows_row *row)
{
    const struct profile *profile = view->profile;
    for (size_t i = 0; rows_of(view)->key == ROWS_MODULES && i < profile->modules.count;
         i++)
        if (strcmp(profile->modules.list[i].path, row->source.name) == 0)
            return view->program->tables[i] != NULL;
    return strcmp(row->source.name, STACKS_UNPROFILED) != 0;
}

static bool is_shown(const struct view *view, const struct rows_row *row)
{
    enum heapdata_measure measure = shown_measure(view);
    if (is_requested(view, HEAPDATA_LEAKED) && measure == HEAPDATA_LIVE &&
        !is_leak(view, row))
        return false;
    return amount_of(view, row, REQUESTED | STACK | BLOCKS) &&
           percent_of(view, row) >= view->style.thresh;
}

static bool check_heap(const struct view *view, const char *option, struct fault *fault)
{
    const struct heapdata *heap = &view->profile->heap;
    const struct measure *measure = &measure_all[view->request->choice];
    if (!heap->measured)
        return fault_set(fault, FAULT_MISMATCH, option, HEAPWORDS_NONE);
    if (measure->heap.lives && !heap->lives)
        return fault_set(
            fault, FAULT_MISMATCH, option,
            "the data do not say what happened to blocks: an older runtime wrote them");
    if (measure->heap.derived && !heap->ended)
        return fault_set(fault, FAULT_MISMATCH, option,
                         "leaks are memory in use when a program ends, and this file was "
                         "written earlier: use -heap live");
    if (measure->heap.derived && heap->unseen.bytes)
        return fault_set(
            fault, FAULT_MISMATCH, option,
            "leaks were not measured: the program freed blocks by calls that were not "
            "seen, and these blocks count as in use: use -heap live");
    return true;
}

static void head(FILE *out, const struct view *view)
{
    heapwords_head(out, &view->profile->heap, shown_measure(view));
}

static void print_heap(FILE *out, const struct view *view)
{
    struct table table = {.view = &heap_table, .of = view};
    size_t kept = 0;
    fill_heap(&table, view, NULL);
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
    .help = "print which functions allocated the heap",
    .details =
        "Needs data of a run with CCPROF=heap or CCPROF=heap=exact.\n"
        "  live       memory in use when the file was written\n"
        "  peak       memory in use when total use was highest\n"
        "  leaks      memory in use at the end, except blocks that libraries keep\n"
        "  allocated  everything allocated\n"
        "  temporary  blocks freed before the same thread allocated or freed another\n"
        "             one\n"
        "  lifetimes  how long freed blocks lived, by a clock with a step of a few\n"
        "             milliseconds\n"
        "With -by, the rows are types, sites or paths of blocks, copies, lines,\n"
        "expressions, files, modules, phases or threads. Views of stacks given with\n"
        "it, such as -flame or -callers, show the same measure. -compare, -growth\n"
        "and -gate compare it, for example at two moments of one run.",
    .takes = VIEWS_MEASURE,
    .kind = OUTPUTS_HEAP,
    .affects = OUTPUTS_COMPARISONS | OUTPUTS_COUNTS | OUTPUTS_MEASURES | OUTPUTS_BLOCKS,
    .facts = VIEWS_HEAP,
    .data = {{&heap_table, fill_heap}},
    .check = check_heap,
    .head = head,
    .print = print_heap,
    .foot = heapwords_foot,
};
