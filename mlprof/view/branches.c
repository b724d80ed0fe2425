/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists conditions and switches with the counts of their outcomes, for -branches. The
   branches with the most mispredictions come first. If mispredictions were not
   counted, the branches come first that took their less frequent direction most often. */

#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

/* The context of the columns. */
struct context {
    const struct view *view;
    struct decisions decisions;
    bool has_missed; /* there is at least one decision with known mispredictions */
};

/* Returns the most frequent outcome, or NULL if the decision was never executed. */
static const struct decisions_outcome *mostly_of(const struct context *of,
                                                 const struct decision *decision)
{
    return decision->count
               ? &of->decisions.outcomes[decision->first_outcome + decision->mostly]
               : NULL;
}

static struct table_value outcome_count(const struct context *of,
                                        const struct decision *decision,
                                        const char *label)
{
    const struct decisions_outcome *outcome =
        decisions_outcome(&of->decisions, decision, label);
    return table_integer_if(outcome, outcome ? outcome->count : 0);
}

#define OF_ROW                                                                           \
    const struct context *all = of;                                                      \
    const struct decision *row = at;                                                     \
    const struct decisions_outcome *mostly = mostly_of(all, row);                        \
    (void)all, (void)mostly

VIEW_VALUE(function, view_value_name(all->view, row->function))
VIEW_VALUE(file, table_text(sourcefile_name(row->file)))
VIEW_VALUE(line, table_integer_if(row->line, row->line))
VIEW_VALUE(column, table_integer_if(row->column, row->column))
VIEW_VALUE(outcomes, table_integer(row->outcome_count))
VIEW_VALUE(decided, table_integer(row->count))
VIEW_VALUE(if_true, outcome_count(all, row, "true"))
VIEW_VALUE(if_false, outcome_count(all, row, "false"))
VIEW_VALUE(mostly, table_text(mostly ? mostly->label : NULL))
VIEW_VALUE(rarer, table_integer(row->rarer))
VIEW_VALUE(share, table_number_if(row->count, rows_percent(row->rarer, row->count)))
VIEW_CELL(share,
          view_known_cell(row->count != 0,
                          buf_format("%.1f%%", rows_percent(row->rarer, row->count))))
VIEW_VALUE(missed, table_integer_if(decisions_is_predicted(row), row->missed))
VIEW_VALUE(rate, table_number_if(decisions_is_predicted(row),
                                 rows_percent(row->missed, row->count)))
VIEW_CELL(rate,
          view_known_cell(decisions_is_predicted(row),
                          buf_format("%.1f%%", rows_percent(row->missed, row->count))))

TABLE_PRESENT(has_missed, const struct context *context, context->has_missed)

BUF_COMPARE(by_name, struct decision, view_by_name(a->function, b->function))

/* The order of columns with an ID is part of the data formats. */
static const struct table_column columns[] = {
    TABLE_DATA("function", "that the decision is in", function),
    TABLE_DATA("file", "where the decision is", file),
    TABLE_DATA("line", "where the decision is", line),
    TABLE_DATA("column", "where the decision is", column),
    TABLE_DATA("outcomes", "how many there are: 2 of a condition", outcomes),
    {"missed", "how often it was mispredicted", missed, "missed", .present = has_missed},
    {NULL, "of these among all", rate, "rate", .present = has_missed, .cell = rate_cell},
    {"rarer", "how often it came out otherwise", rarer, "rarer", .drop_rank = 0},
    {NULL, "of these among all", share, "share", .cell = share_cell, .sort = VIEW_SHARE},
    {.sort = VIEW_NAME, .order = by_name},
    {"executed", "how often it was decided", decided, "executed", .sort = VIEW_CALLS},
    TABLE_DATA("true", "how often a condition was true", if_true),
    TABLE_DATA("false", "how often a condition was false", if_false),
    {"mostly", "the likeliest outcome", mostly, "mostly", .side = SHEET_TEXT},
    {0}};

static void put_branch_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct view *view = ((const struct context *)of)->view;
    const struct decision *decision = at;
    BUF_OWN char *line = names_position(
        &(struct identity_source){.file = decision->file, .line = decision->line});
    BUF_OWN char *nth = decisions_nth_text(decision);
    char *position = line && decision->column
                         ? buf_format("%s:%" PRIu32 "%s", line, decision->column, nth)
                         : buf_format("%s%s", line ? line : "", nth);
    sheet_put_name(sheet, view_name(view, decision->function), position);
}

static const struct table_view branches_table = {.name = "branches",
                                                 .columns = columns,
                                                 .names = {"branch", put_branch_name},
                                                 .names_mlton = -1};

static void release(void *own)
{
    BUF_OWN struct context *of = own;
    decisions_free(&of->decisions);
}

size_t branches_make(struct table *table, const struct view *view, const bool *selected,
                     bool reached)
{
    struct context *of = buf_alloc(sizeof *of);
    size_t left_out = 0;
    of->view = view;
    of->decisions = (struct decisions){0};
    decisions_find(&of->decisions, report_flows(view->report), view->rows, selected);
    *table =
        (struct table){.view = &branches_table, .of = of, .own = of, .release = release};
    for (size_t i = 0; i < of->decisions.count; i++) {
        const struct decision *decision = &of->decisions.list[i];
        of->has_missed |= decisions_is_predicted(decision);
        if (reached && decision->count == 0)
            left_out++;
        else
            table_add(table, decision);
    }
    return left_out;
}

/* Decisions with known mispredictions come first. */
static int by_hardness(const void *one, const void *other)
{
    const struct decision *a = *(const struct decision *const *)one;
    const struct decision *b = *(const struct decision *const *)other;
    bool knows = decisions_is_predicted(a);
    return BUF_ORDER(decisions_is_predicted(b), knows)
           ?: (knows ? BUF_ORDER(b->missed, a->missed) : 0)
           ?: BUF_ORDER(b->rarer, a->rarer) ?: BUF_ORDER(b->count, a->count)
           ?: BUF_ORDER(a, b);
}

void branches_sort(struct table *table, enum view_order order)
{
    BUF_SORT(table->rows, table->count, by_hardness);
    table_sort(table, order);
}

uint64_t branches_total(const struct table *table)
{
    const struct context *of = table->of;
    uint64_t total = 0;
    for (size_t i = 0; i < of->decisions.count; i++)
        total += of->decisions.list[i].count;
    return total;
}

static void fill_branches(struct table *table, const struct view *view,
                          const struct pattern *pattern)
{
    BUF_OWN bool *selected = view_select_rows(view, pattern);
    branches_make(table, view, selected, false);
}

/* Prints one table for all selected functions, so that the least predictable branches
   of the program come first. */
static void print_branches(FILE *out, const struct view *view)
{
    struct table table;
    size_t left_out = branches_make(&table, view, view->selected, true);
    BUF_OWN char *decisions = text_number(branches_total(&table), "decision");
    BUF_OWN char *branches = text_commas((double)table.count, 0);
    BUF_OWN char *unreached = text_commas((double)left_out, 0);
    fprintf(out, "%s by %s branch%s", decisions, branches, table.count == 1 ? "" : "es");
    if (left_out)
        fprintf(out, "; %s never reached", unreached);
    putc('\n', out);
    branches_sort(&table, view->style.order);
    uint64_t total = branches_total(&table);
    size_t kept = 0;
    for (size_t i = 0; i < table.count; i++)
        if (rows_percent(((const struct decision *)table.rows[i])->count, total) >=
            view->style.thresh)
            table.rows[kept++] = table.rows[i];
    table.count = kept;
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

const struct views_entry branches_entry = {
    .name = "branches",
    .topic = TOPIC_TABLE,
    .use = 6,
    .help = "list the branches in matching functions",
    .details =
        "Prints conditions, operands of && and ||, and switches: the place, how\n"
        "often it was decided, the most frequent outcome, and how often the outcome\n"
        "was another one (rarer). Branches that go both ways come first. With\n"
        "-thresh x, only branches with at least x percent of all decisions are\n"
        "listed. Needs a program compiled with profile=count and blocks or branch.\n"
        "If it was also compiled with mispredictions, the table has a column missed\n"
        "and is sorted by it.\n" //
    VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .kind = OUTPUTS_BRANCHES,
    .facts = VIEWS_NEEDS_BLOCKS,
    .data = {{&branches_table, fill_branches}},
    .head = view_no_header,
    .print = print_branches,
};
