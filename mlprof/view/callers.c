/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the direct callers or callees of functions, for -callers and -callees.  */

#include "mlprof/base/buf.h"
#include "mlprof/view/measured.h"
#include "mlprof/view/neighbours.h"
#include "mlprof/view/views.h"

/* Returns whether a number in the table is an estimate.  */
static bool print_table(FILE *out, const struct neighbours *neighbours)
{
    const struct pairs_table_of of = {.view = neighbours->view,
                                      .estimated = neighbours_estimated(neighbours)};
    struct table table = {.view = &pairs_table, .of = &of};
    neighbours_add(&table, neighbours);
    table_cut(&table, of.view->style.top);
    table_print(out, &table, of.view->style.mlton);
    table_free(&table);
    return of.estimated;
}

static const char *side_name(enum neighbours_side side)
{
    return side == NEIGHBOURS_CALLERS ? "callers" : "callees";
}

/* Prints the function that the table is about, with its figures behind the name as in
   MLton's layout.  */
static void print_head_mlton(FILE *out, const struct view *view,
                             const struct rows_row *row, enum neighbours_side side)
{
    BUF_OWN char *label = view_label(view, row),
                 *cur = view_percent(view, rows_whole(row));
    BUF_OWN char *stack = view_percent(view, row->stack);
    fprintf(out, "\n%s of %s: cur %s", side_name(side), label, cur);
    if (view->profile->stack)
        fprintf(out, ", stack %s", stack);
    putc('\n', out);
}

static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum neighbours_side side)
{
    BUF_OWN char *cur = view_percent(view, rows_whole(row)),
                 *stack = view_percent(view, row->stack);
    bool has_stack = view->profile->stack;
    BUF_OWN char *what =
        buf_format("self %s%s%s: %s of", cur, has_stack ? ", total " : "",
                   has_stack ? stack : "", side_name(side));
    putc('\n', out);
    view_title(out, view, what, row, false);
}

static bool is_meant(const struct view *view, const struct pattern *pattern,
                     const struct rows_row *row)
{
    return !row->branch && view_matches(view, pattern, row);
}

static bool *find(const struct view *view, const struct pattern *pattern)
{
    return view_find(view, pattern, is_meant);
}

/* Prints for each wanted function a line with its name, and a table of its direct callers
   or callees that reach the threshold, by the samples with such a call on the stack.  */
static void print(FILE *out, const struct view *view, const bool *wanted,
                  enum neighbours_side side)
{
    const struct rows *rows = view->rows;
    struct neighbours neighbours;
    bool guessed = false;
    neighbours_begin(&neighbours, view, side);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!wanted[i])
            continue;
        neighbours_find(&neighbours, i);
        (view->style.mlton ? print_head_mlton : print_head)(out, view, &rows->rows[i],
                                                            side);
        guessed |= print_table(out, &neighbours);
    }
    measured_guessed(out, view, guessed);
    neighbours_free(&neighbours);
}

static void print_callers(FILE *out, const struct view *view,
                          const struct views_asked *asked, const bool *wanted)
{
    (void)asked;
    print(out, view, wanted, NEIGHBOURS_CALLERS);
}

static void print_callees(FILE *out, const struct view *view,
                          const struct views_asked *asked, const bool *wanted)
{
    (void)asked;
    print(out, view, wanted, NEIGHBOURS_CALLEES);
}

#define GOES_BY                                                                          \
    VIEWS_BY_COPIES VIEWS_BY_MEASURE VIEWS_BY_ROWS "merge-builds raw show-line"

const struct views_entry callers_entry = {
    .name = "callers",
    .topic = TOPIC_USED,
    .use = 3,
    .help = "list who called matching functions",
    .details = VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .goes_by = GOES_BY,
    .beside = "compare",
    .facts = VIEWS_CALLS | VIEWS_BLOCKS,
    .columns = &pairs_table,
    .data = {{&pairs_table, pairs_table_fill_callers, 3}},
    .find = find,
    .finds = "function",
    .head = view_header,
    .timed = true,
    .print = print_callers,
};

const struct views_entry callees_entry = {
    .name = "callees",
    .topic = TOPIC_USED,
    .use = 4,
    .help = "list whom matching functions called",
    .details = VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .goes_by = GOES_BY,
    .beside = "compare",
    .facts = VIEWS_CALLS | VIEWS_BLOCKS,
    .columns = &pairs_table,
    .data = {{&pairs_table, pairs_table_fill_callees, 0}},
    .find = find,
    .finds = "function",
    .head = view_header,
    .timed = true,
    .print = print_callees,
};
