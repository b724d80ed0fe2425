/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions and of the groups of -by. The columns come first, then the
   choice and the printing of the rows. */

#include "mlprof/view/rows-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

/* The minimum percentages of rows that are shown in colour. */
#define HOT  20
#define WARM 5

/* The time of garbage collection, a column of MLton's layout. It is always 0. */
#define GC 0

/* The context of the columns. */
struct context {
    struct view view; /* a copy, with the table's rows */
    bool brief;
    bool *marked; /* indexed by row; NULL: no row is marked */
};

static bool is_sampled(const struct view *view)
{
    return profile_measure(view->profile)->sampled;
}

/* Whether a column is shown on the terminal. Seconds are shown on request. Exact counts
   are always shown, except among MLton's columns. */
TABLE_PRESENT(has_range, const struct context *context,
              is_sampled(&context->view) && !context->brief)
TABLE_PRESENT(has_seconds, const struct context *context,
              is_sampled(&context->view) && context->view.style.raw && !context->brief)
TABLE_PRESENT(has_exact, const struct context *context,
              !is_sampled(&context->view) && !context->brief)
TABLE_PRESENT(has_raw, const struct context *context,
              context->view.style.raw && context->brief)
TABLE_PRESENT(has_stack, const struct context *context, context->view.rows->stack)
TABLE_PRESENT(has_stack_seconds, const struct context *context,
              has_stack(context, 0) && has_seconds(context, 0))
TABLE_PRESENT(has_stack_exact, const struct context *context,
              has_stack(context, 0) && has_exact(context, 0))
TABLE_PRESENT(has_stack_raw, const struct context *context,
              has_stack(context, 0) && has_raw(context, 0))
TABLE_PRESENT(has_gc, const struct context *context,
              has_stack(context, 0) && context->brief && context->view.style.mlton)
TABLE_PRESENT(has_gc_raw, const struct context *context,
              has_gc(context, 0) && has_raw(context, 0))
TABLE_PRESENT(has_costs, const struct context *context, view_has_costs(&context->view))
TABLE_PRESENT(is_of_functions, const struct context *context,
              context->view.rows->key == ROWS_FUNCTIONS)
TABLE_PRESENT(is_of_others, const struct context *context,
              context->view.rows->key != ROWS_FUNCTIONS)
TABLE_PRESENT(has_types, const struct context *context,
              context->view.rows->key == ROWS_SITES ||
                  context->view.rows->key == ROWS_PATHS)
TABLE_PRESENT(is_of_copies, const struct context *context,
              context->view.rows->key == ROWS_COPIES)
TABLE_PRESENT(has_bytes, const struct context *context,
              !profile_measure(context->view.profile)->memory &&
                  context->view.profile->kind & CCPROF_KIND_ALLOC)
TABLE_PRESENT(has_blocks, const struct context *context,
              (context->view.profile->kind & CCPROF_KIND_ALLOC) != 0)
TABLE_PRESENT(has_calls_of_bytes, const struct context *context,
              view_has_counts(&context->view) &&
                  profile_measure(context->view.profile)->memory)

enum bound { SHARE, LEAST, MOST };

/* Returns the interval of the share of AMOUNT samples. Parts of samples count for as much
   as whole ones. */
static struct statistics_interval
interval_of(const struct view *view, uint64_t amount,
            const struct stacks_uncertainty *uncertainty)
{
    const struct statistics_weights *weights = &view->profile->sampling.weights;
    const double effect = profile_is_of_latency(view->profile)
                              ? statistics_design_effect(weights, amount ? amount : 1)
                              : 1;
    return statistics_share_uncertain(statistics_effective(amount, effect),
                                      statistics_effective(uncertainty->less, effect),
                                      statistics_effective(uncertainty->more, effect),
                                      statistics_effective(view->rows->total, effect));
}

/* Returns AMOUNT's share of the total, or a bound of the 95 % confidence interval of
   the share. For an exact count, both bounds equal the share. */
static struct table_value share_if(const struct view *view, bool known, uint64_t amount,
                                   const struct stacks_uncertainty *uncertainty,
                                   enum bound bound)
{
    uint64_t total = view->rows->total;
    if (total == 0 || !known)
        return table_null();
    double share = (double)amount / (double)total;
    if (bound == SHARE || !view_is_sampled(view))
        return table_number(share);
    struct statistics_interval interval = interval_of(view, amount, uncertainty);
    return table_number(bound == LEAST ? interval.least : interval.most);
}

/* Returns the number of samples per call. For a line this includes code inlined into
   it, for a function its branches. Returns -1 if there were no calls. */
static struct table_value samples_of_call(const struct rows_row *row)
{
    uint64_t within = rows_within(row), calls = rows_calls(row);
    uint64_t samples = within ? within : rows_whole(row);
    return table_number(calls ? (double)samples / (double)calls : -1);
}

static char *seconds_text(const struct view *view, uint64_t samples)
{
    return text_commas(view_seconds(view, samples), 2);
}

static char *cur_text(const struct context *of, const struct rows_row *row)
{
    bool marked = of->marked && of->marked[row - of->view.rows->rows];
    BUF_OWN char *cur = view_known_cell(rows_shown(row, MEASURED_SELF).known,
                                        view_percent(&of->view, rows_self(row)));
    return buf_format("%s%s", marked ? ROWS_TABLE_MARK : "", cur);
}

static char *range_text(const struct view *view, const struct rows_row *row)
{
    if (view->rows->total == 0 || !rows_shown(row, MEASURED_SELF).known)
        return buf_copy("-");
    return view_range(interval_of(view, rows_self(row), &row->uncertainty));
}

/* Declares the variables of the expressions below. */
#define OF_ROW                                                                           \
    const struct view *view = &((const struct context *)of)->view;                       \
    const struct rows_row *row = at;                                                     \
    const struct measured_value self = rows_shown(row, MEASURED_SELF);                   \
    const struct measured_value total = rows_shown(row, MEASURED_TOTAL);                 \
    bool known_total = view->rows->stack && total.known;                                 \
    bool executed = rows_keys[view->rows->key].executed;                                 \
    (void)self, (void)known_total, (void)executed

static const struct stacks_uncertainty certain;

static struct table_value value_of_memory(const struct rows_row *row, bool blocks)
{
    struct measured_value value = rows_memory(row, blocks);
    return table_integer_if(value.known, value.amount);
}

VIEW_VALUE(name, table_text_freed(view_name(view, row)))
VIEW_VALUE(symbol, view_value_symbol(row))
VIEW_VALUE(place, view_value_place(row))
VIEW_VALUE(file, table_text(sourcefile_name(row->source.file)))
VIEW_VALUE(line, table_integer_if(row->source.line, row->source.line))
VIEW_VALUE(column, table_integer_if(row->source.column, row->source.column))
VIEW_VALUE(branch, table_bool(row->branch))
VIEW_VALUE(samples, view_value_samples(view, self.known, self.amount))
VIEW_VALUE(time, view_value_time(view, self.known, self.amount))
VIEW_CELL(seconds, view_known_cell(self.known, seconds_text(view, self.amount)))
VIEW_CELL(exact, view_known_cell(self.known, view_amount_cell(view, self.amount)))
VIEW_CELL(raw, view_known_cell(self.known, view_raw(view, self.amount)))
VIEW_VALUE(share, share_if(view, self.known, self.amount, &row->uncertainty, SHARE))
VIEW_CELL(share, cur_text(of, row))
VIEW_VALUE(share_least, share_if(view, self.known, self.amount, &row->uncertainty, LEAST))
VIEW_VALUE(share_most, share_if(view, self.known, self.amount, &row->uncertainty, MOST))
VIEW_CELL(range, range_text(view, row))
VIEW_VALUE(stack_samples,
           view_value_samples(view, self.known &&known_total, total.amount))
VIEW_VALUE(stack_time, view_value_time(view, self.known &&known_total, total.amount))
VIEW_CELL(stack_seconds, view_known_cell(total.known, seconds_text(view, total.amount)))
VIEW_CELL(stack_exact, view_known_cell(total.known, view_amount_cell(view, total.amount)))
VIEW_CELL(stack_raw, view_known_cell(total.known, view_raw(view, total.amount)))
VIEW_VALUE(stack_share, share_if(view, known_total, total.amount, &certain, SHARE))
VIEW_CELL(stack_share, view_known_cell(total.known, view_percent(view, total.amount)))
VIEW_VALUE(stack_least, share_if(view, known_total, total.amount, &certain, LEAST))
VIEW_VALUE(stack_most, share_if(view, known_total, total.amount, &certain, MOST))
VIEW_CELL(gc, view_percent(view, GC))
VIEW_CELL(gc_raw, view_raw(view, GC))
VIEW_VALUE(samples_less, view_value_samples(view, self.known, row->uncertainty.less))
VIEW_VALUE(samples_more, view_value_samples(view, self.known, row->uncertainty.more))
VIEW_VALUE(calls, table_integer_if(!executed && row->counted, rows_calls(row)))
VIEW_VALUE(executions, table_integer_if(executed && row->counted, rows_calls(row)))
VIEW_VALUE(counted, table_integer_if(row->counted, rows_calls(row)))
VIEW_VALUE(cost, samples_of_call(row))
VIEW_CELL(cost, view_cost(view, row))
VIEW_VALUE(stack_calls,
           table_integer_if(!profile_measure(view->profile)->stacks && known_total,
                            total.amount))
VIEW_VALUE(bytes, value_of_memory(row, false))
VIEW_VALUE(stack_bytes, view_value_bytes(view, known_total, total.amount))
VIEW_VALUE(blocks, value_of_memory(row, true))
VIEW_VALUE(local_samples, view_value_samples(view, executed, rows_within(row)))
VIEW_VALUE(verdict, table_text(row->verdict))
VIEW_VALUE(messages, table_text(row->messages))
VIEW_VALUE(type, table_text(row->type))
VIEW_CELL(type, view_text_cell(row->type))
VIEW_VALUE(called, table_text(row->called))
VIEW_CELL(called, view_text_cell(row->called))
VIEW_VALUE(insns, table_integer_if(row->code.insns, row->code.insns))
VIEW_VALUE(code, table_integer_if(row->code.bytes, row->code.bytes))

/* Returns the amount of a measure of instructions. */
static struct table_value event_value(const void *context, const void *row,
                                      unsigned which)
{
    struct measured_value value = rows_value(row, measure_of_event(which), MEASURED_SELF);
    (void)context;
    return table_integer_if(value.known, value.amount);
}

/* Returns whether a measure of instructions stands beside the shown one. */
static bool has_event(const void *context, unsigned which)
{
    return ((const struct context *)context)->view.style.beside >> which & 1;
}

static const char *event_head(const void *context, unsigned which)
{
    (void)context;
    return measure_of_event(which)->heading;
}

/* The column of a measure of instructions (enum measure_event). */
#define EVENT(number, column_id, column_head, column_means)                              \
    {                                                                                    \
        .id = column_id, .means = column_means, .value = event_value,                    \
        .head = column_head, .present = has_event, .head_of = event_head,                \
        .which = number                                                                  \
    }

TABLE_HEAD(exact_head, const struct context *context, view_amount_head(&context->view))
TABLE_HEAD(self_head, const struct context *context, view_self_head(&context->view))
TABLE_HEAD(total_head, const struct context *context, view_total_head(&context->view))
TABLE_HEAD(count_head, const struct context *context, view_count_head(&context->view))
TABLE_HEAD(cost_head, const struct context *context, view_cost_head(&context->view))

static const struct table_column columns[] = {
    {"function", "the name of a function, without -by", name, .in_data = is_of_functions},
    {"name", "the name of a row, with -by", name, .in_data = is_of_others,
     .sort = VIEW_NAME, .order = view_by_name},
    {"symbol", "for the assembler", symbol, .in_data = is_of_functions},
    {"place", "where a row is, or what it is", place, .in_data = is_of_others},
    TABLE_DATA("file", "of the source", file),
    TABLE_DATA("line", "of the source", line),
    TABLE_DATA("column", "of the source", column),
    {"branch", "whether it is one, with -branch", branch, .in_data = is_of_functions},
    TABLE_DATA("samples", "while it was the innermost", samples),
    {"share", "of the run's total, while it was the innermost", share, NULL,
     .cell = share_cell, .head_of = self_head},
    {"share_least", "lower end of the 95 % interval", share_least, "95% range", has_range,
     range_cell, .drop_rank = 1},
    TABLE_DATA("share_most", "its upper end", share_most),
    {"time_ns", "the samples as nanoseconds of the run's clock", time, "seconds",
     has_seconds, seconds_cell, .drop_rank = 1},
    TABLE_DATA("stack_samples", "while it was on the stack", stack_samples),
    TABLE_SHOWN("raw", NULL, NULL, has_raw, raw_cell),
    TABLE_SHOWN(NULL, exact_head, NULL, has_exact, exact_cell),
    {"stack_share", "of the run's total, while it was on the stack", stack_share, NULL,
     has_stack, stack_share_cell, .sort = VIEW_STACK, .head_of = total_head},
    TABLE_DATA("stack_share_least", "lower end of the 95 % interval of that",
               stack_least),
    TABLE_DATA("stack_share_most", "its upper end", stack_most),
    {"stack_time_ns", "the same as nanoseconds of the run's clock", stack_time, "seconds",
     has_stack_seconds, stack_seconds_cell, .drop_rank = 1},
    TABLE_SHOWN("raw", NULL, NULL, has_stack_raw, stack_raw_cell),
    TABLE_SHOWN(NULL, exact_head, NULL, has_stack_exact, stack_exact_cell),
    TABLE_SHOWN("GC", NULL, NULL, has_gc, gc_cell),
    TABLE_SHOWN("raw", NULL, NULL, has_gc_raw, gc_raw_cell),
    TABLE_DATA("samples_less", "of samples, those that may be another's", samples_less),
    TABLE_DATA("samples_more", "samples charged to others that may be its own",
               samples_more),
    TABLE_DATA("calls",
               "counted; of a branch how often it was taken, of a line how often it was "
               "executed",
               calls),
    TABLE_DATA("stack_calls",
               "calls while it was on the stack, if calls alone were measured",
               stack_calls),
    EVENT(MEASURE_INSTRUCTIONS, "executed", "executed",
          "instructions that were executed"),
    EVENT(MEASURE_LOADS, "loads", "loads", "reads of memory by these instructions"),
    EVENT(MEASURE_STORES, "stores", "stores", "writes to memory"),
    EVENT(MEASURE_LOAD_BYTES, "load_bytes", "loaded", "bytes that were loaded"),
    EVENT(MEASURE_STORE_BYTES, "store_bytes", "stored", "bytes that were stored"),
    EVENT(MEASURE_BRANCHES, "branches", "branches", "jumps, calls and returns"),
    EVENT(MEASURE_MISPREDICTABLE, "mispredictable", "predicted",
          "conditional branches, indirect jumps and indirect calls"),
    EVENT(MEASURE_DIVISIONS, "divisions", "divisions", "instructions that divide"),
    EVENT(MEASURE_VECTOR64, "vector64", "vector64", "instructions on vectors of 64 bits"),
    EVENT(MEASURE_VECTOR128, "vector128", "vector128",
          "instructions on vectors of 128 bits"),
    EVENT(MEASURE_VECTOR256, "vector256", "vector256",
          "instructions on vectors of 256 bits"),
    EVENT(MEASURE_VECTOR512, "vector512", "vector512",
          "instructions on vectors of 512 bits"),
    {NULL, "how often it was called, or what it is was executed", counted, "calls",
     .head_of = count_head, .present = has_costs, .sort = VIEW_CALLS},
    {NULL, "the time or amount of one call or execution, and how far it can be trusted",
     cost, "per call", .head_of = cost_head, .present = has_costs, .cell = cost_cell,
     .sort = VIEW_PER_CALL},
    {"instructions", "of a copy: its machine code without what is inlined into it", insns,
     "insns", is_of_copies, .sort = VIEW_INSNS, .in_data = is_of_others},
    {"code_bytes", "of a copy: the same in bytes", code, "code", is_of_copies,
     .sort = VIEW_CODE, .in_data = is_of_others},
    {"bytes", "allocated while it was the innermost", bytes, "bytes", has_bytes,
     .sort = VIEW_BYTES},
    TABLE_DATA("stack_bytes",
               "allocated while it was on the stack, if bytes alone were measured",
               stack_bytes),
    {"allocations", "blocks that were allocated while it was the innermost", blocks,
     "blocks", has_blocks, .sort = VIEW_BLOCKS},
    {"executions",
     "of a line or expression how often it was executed, of a loop how often its body "
     "was",
     executions, .in_data = is_of_others},
    {"local_samples",
     "of a line, expression or loop: while it was the innermost or what was inlined "
     "there, which executions share",
     local_samples, .in_data = is_of_others},
    {"gcc", "of a loop: what GCC did with it", verdict, .in_data = is_of_others},
    {"gcc_messages", "of a loop: what GCC itself says about it", messages,
     .in_data = is_of_others},
    {"called", "of a site or path: the function that it calls, if it is known", called,
     "called", has_types, called_cell, .side = SHEET_TEXT, .in_data = is_of_others},
    {"type", "of a site or path: of what is allocated, if it is known", type, "type",
     has_types, type_cell, .side = SHEET_TEXT, .in_data = is_of_others},
    {.value = counted,
     .head_of = count_head,
     .present = has_calls_of_bytes,
     .sort = VIEW_CALLS},
    {0}};

TABLE_HEAD(noun, const struct context *context, view_noun(&context->view))

static void put_row_name(const void *of, struct sheet *sheet, const void *row)
{
    view_put_name(&((const struct context *)of)->view, sheet, row);
}

static double percent_of(const void *of, const void *at)
{
    return rows_percent(rows_self(at), ((const struct context *)of)->view.rows->total);
}

static enum sheet_tone tone(const void *of, const void *at)
{
    double percent = percent_of(of, at);
    return percent >= HOT ? SHEET_HOT : percent >= WARM ? SHEET_WARM : SHEET_PLAIN;
}

static const struct table_view functions_table = {
    .name = "functions",
    .columns = columns,
    .names = {.head_of = noun, .put = put_row_name},
    .tone = tone,
    .share = percent_of};
const struct table_view rows_table_groups = {
    .name = "groups",
    .columns = columns,
    .names = {.head_of = noun, .put = put_row_name},
    .tone = tone,
    .share = percent_of};

static void release(void *own)
{
    free(((struct context *)own)->marked);
    free(own);
}

void rows_table_make(struct table *table, const struct view *view,
                     const struct rows *rows, bool brief)
{
    struct context *of = buf_alloc(sizeof *of);
    *of = (struct context){.view = *view, .brief = brief};
    of->view.rows = rows;
    *table = (struct table){.view = rows->key == ROWS_FUNCTIONS ? &functions_table
                                                                : &rows_table_groups,
                            .of = of,
                            .own = of,
                            .release = release};
}

/* Returns whether ROW has significantly fewer samples than ABOVE, even if all
   uncertain samples belong to ROW. */
static bool is_certainly_less(const struct rows_row *row, const struct rows_row *above)
{
    uint64_t sure = rows_self(above),
             more =
                 sure - (above->uncertainty.less < sure ? above->uncertainty.less : sure);
    uint64_t less = rows_self(row) + row->uncertainty.more;
    return less < more && statistics_same_count(more, less, 0.5) < STATISTICS_LEVEL;
}

/* If the table shows samples, marks each row whose self share is not significantly
   different from the self share of the row above. Rows must be sorted by self share.
   Returns whether a row was marked. */
static bool mark_rows(struct table *table)
{
    struct context *of = table->own;
    const struct rows *rows = of->view.rows;
    bool any = false;
    if (!is_sampled(&of->view))
        return false;
    of->marked = buf_alloc(rows->count + 1);
    for (size_t i = 1; i < table->count; i++) {
        const struct rows_row *row = table->rows[i];
        bool marked = rows_self(row) && !is_certainly_less(row, table->rows[i - 1]);
        of->marked[row - rows->rows] = marked;
        any |= marked;
    }
    return any;
}

/* Returns whether all values of the row are 0, so that the row is omitted. Tables in
   MLton's layout contain such rows. */
static bool is_never(const struct view *view, const struct rows_row *row)
{
    return !view->style.never && !view->style.mlton && row->counted && !rows_calls(row) &&
           !rows_whole(row) && !rows_total(row) && !rows_memory(row, false).amount &&
           !rows_memory(row, true).amount;
}

/* Returns whether the row has a value of a measure that the table shows beside the main
   one. */
static bool has_events(const struct view *view, const struct rows_row *row)
{
    for (unsigned i = 0; i < MEASURE_EVENTS; i++)
        if (view->style.beside >> i & 1 &&
            rows_value(row, measure_of_event(i), MEASURED_SELF).amount)
            return true;
    return false;
}

struct rows_table_notes rows_table_print(FILE *out, const struct view *view,
                                         rows_table_put *put, void *context)
{
    bool mlton = view->style.mlton;
    struct rows_table_notes notes = {0};
    struct table table;
    rows_table_make(&table, view, view->rows, mlton);
    for (size_t i = 0; i < view->rows->count; i++) {
        const struct rows_row *row = &view->rows->rows[i];
        /* Without stacks, a row that was never the innermost function has no values. */
        bool has_values = rows_self(row) || has_events(view, row) || row->counted ||
                          rows_memory(row, true).amount || view->rows->stack;
        if (!has_values || !view_reaches(view, rows_self(row)) || !view_keeps(view, row))
            continue;
        if (!is_never(view, row))
            table_add(&table, row);
        else if (row->branch)
            notes.never_came++;
        else
            notes.never++;
    }
    notes.sorted = table_sort(&table, view->style.order);
    table_cut(&table, view->style.top);
    notes.marked = !notes.sorted && !mlton && mark_rows(&table);
    BUF_OWN size_t *heights = buf_alloc((table.count + 1) * sizeof *heights);
    table.heights = heights;
    table_print(out, &table, mlton);
    for (size_t i = 0; put && i < table.count; i++)
        put(context, view, table.rows[i], heights[i]);
    table_free(&table);
    return notes;
}

char *rows_table_never(const struct view *view, const struct rows_table_notes *notes)
{
    if (!notes->never && !notes->never_came)
        return NULL;
    char *text = NULL, *rows = text_number(notes->never, view_noun(view));
    BUF_OWN char *outcomes = text_number(notes->never_came, "outcome");
    size_t size;
    FILE *out = buf_open(&text, &size);
    /* Say "called" only of functions: a function that was already running when
       counting began was executed, but not called. */
    if (notes->never)
        fprintf(out, "%s never %s", rows,
                view_has_executions(view) ? "executed" : "called");
    if (notes->never_came)
        fprintf(out, "%s%s of branches never came", notes->never ? ", " : "", outcomes);
    fputs(": -never lists them", out);
    buf_close(out);
    free(rows);
    return text;
}

static void fill_functions(struct table *table, const struct view *view,
                           const struct pattern *pattern)
{
    rows_table_make(table, view, view->rows, false);
    for (size_t i = 0; i < view->rows->count; i++)
        if (view_matches_any(view, pattern, &view->rows->rows[i]))
            table_add(table, &view->rows->rows[i]);
}

static void fill_groups(struct table *table, const struct view *view,
                        const struct pattern *pattern)
{
    (void)pattern;
    if (!view->grouped)
        return;
    rows_table_make(table, view, view->grouped, false);
    for (size_t i = 0; i < view->grouped->count; i++)
        table_add(table, &view->grouped->rows[i]);
}

/* The tables of functions and of -by. show.c prints both with rows_table_print,
   together with the lines above and below the table. */
const struct views_entry functions_entry = {
    .name = "table",
    .takes = VIEWS_NO_OPTION,
    .kind = OUTPUTS_TABLE,
    .data = {{&functions_table, fill_functions}},
    .timed = true,
};

const struct views_entry groups_entry = {
    .name = "by",
    .takes = VIEWS_NO_OPTION,
    .kind = OUTPUTS_GROUPS,
    .data = {{&rows_table_groups, fill_groups}},
    .timed = true,
};
