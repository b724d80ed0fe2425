/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists conditions and switches with how they came out, for -branches: those first that
   were mispredicted most, or without mispredictions, that go both ways most.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/branches-table.h"
#include "mlprof/view/views.h"

/* Prints no first line: what the program did beside is told by other views.  */
static void print_head(FILE *out, const struct view *view)
{
    (void)out, (void)view;
}

/* Keeps the rows that were decided often enough for the threshold.  */
static void cut(struct table *table, const struct view *view)
{
    uint64_t total = branches_table_total(table);
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct decision *decision = table->rows[i];
        if (rows_percent(decision->count, total) >= view->style.thresh)
            table->rows[kept++] = decision;
    }
    table->count = kept;
}

/* Prints one table of all wanted functions, since the question is which branch of the
   program is not predictable.  */
static void print(FILE *out, const struct view *view, const struct views_asked *asked,
                  const bool *wanted)
{
    struct table table;
    size_t left_out = branches_table_make(&table, view, wanted, true);
    BUF_OWN char *decisions = text_number(branches_table_total(&table), "decision");
    BUF_OWN char *branches = text_commas((double)table.count, 0);
    BUF_OWN char *unreached = text_commas((double)left_out, 0);
    (void)asked;
    fprintf(out, "%s by %s branch%s", decisions, branches, table.count == 1 ? "" : "es");
    if (left_out)
        fprintf(out, "; %s never reached", unreached);
    putc('\n', out);
    branches_table_sort(&table, view->style.order);
    cut(&table, view);
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

const struct views_entry branches_entry = {
    .name = "branches",
    .topic = TOPIC_TABLE,
    .use = 6,
    .help = "list how branches in matching functions came out",
    .details =
        "Conditions, operands of && and || and switches, each with its place, how\n"
        "often it was decided, what it mostly came to, and how often it came out\n"
        "otherwise (rarer): the branches that go both ways stand first; with\n"
        "-thresh those that make x percent of all decisions. Needs a program\n"
        "compiled with profile=count and blocks or branch; with mispredictions, how\n"
        "often each was mispredicted is shown as well (missed), and sorts the rows.\n" //
    VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .goes_by = VIEWS_BY_FUNCTIONS VIEWS_BY_ROWS,
    .facts = VIEWS_NEEDS_BLOCKS,
    .columns = &branches_table,
    .data = {{&branches_table, branches_table_fill, 12}},
    .find = view_find_functions,
    .finds = "function",
    .head = print_head,
    .print = print,
};
