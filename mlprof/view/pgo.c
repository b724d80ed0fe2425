/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how much of the time is spent in functions that have a profile for gcc
   -fprofile-use, and which functions have none, for -pgo. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

/* Empty if check_pgo has refused them. */
static const struct trainedrows *trained_of(const struct view *view)
{
    static const struct trainedrows none;
    struct fault fault = {0};
    const struct trainedrows *trained = report_trained(view->report, &fault);
    fault_clear(&fault);
    return trained ? trained : &none;
}

static const struct trainedrows_fact *fact_of(const struct view *view,
                                              const struct rows_row *row)
{
    const struct trainedrows *trained = trained_of(view);
    return &trained->facts[row - trained->rows.rows];
}

static const char *what_word(enum trainedrows_what what)
{
    static const char *const words[] = {[TRAINEDROWS_NONE] = "none",
                                        [TRAINEDROWS_LIBRARY] = "library",
                                        [TRAINEDROWS_NEVER] = "never",
                                        [TRAINEDROWS_COUNTED] = "counted"};
    return what == TRAINEDROWS_UNKNOWN ? NULL : words[what];
}

static struct statistics_interval
sources_range(const struct view *view, uint64_t samples,
              const struct stacks_uncertainty *uncertainty)
{
    return statistics_share_uncertain(samples, uncertainty->less, uncertainty->more,
                                      trained_of(view)->rows.total);
}

static double share_of(const struct view *view, uint64_t samples)
{
    return (double)samples / (double)trained_of(view)->rows.total;
}

#define OF_ROW                                                                           \
    const struct view *view = of;                                                        \
    const struct rows_row *row = at;                                                     \
    const struct trainedrows_fact *fact = fact_of(view, row);                            \
    const char *word = what_word(fact->what);                                            \
    (void)word

VIEW_VALUE(function, view_value_name(view, row))
VIEW_VALUE(symbol, view_value_symbol(row))
VIEW_VALUE(file, view_value_file(row))
VIEW_VALUE(line, view_value_line(row))
VIEW_VALUE(profile, table_text(word))
VIEW_VALUE(executed, table_integer_if(fact->known, fact->entered))
VIEW_VALUE(samples, table_integer(rows_self(row)))
VIEW_VALUE(time, view_value_time(view, true, rows_self(row)))
VIEW_CELL(seconds, view_amount_cell(view, rows_self(row)))
VIEW_VALUE(share, table_number(share_of(view, rows_self(row))))
VIEW_CELL(share, view_percent(view, rows_self(row)))
VIEW_VALUE(least,
           table_number(sources_range(view, rows_self(row), &row->uncertainty).least))
VIEW_CELL(range, view_range(sources_range(view, rows_self(row), &row->uncertainty)))
VIEW_VALUE(most,
           table_number(sources_range(view, rows_self(row), &row->uncertainty).most))

TABLE_PRESENT(has_seconds, const struct view *view, view_has_amounts(view))

static const struct table_column columns[] = {
    {"function", "its name", function, .sort = VIEW_NAME, .order = view_by_name},
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "where the function starts", line),
    {"share", "of all time, in the code that is compiled by its profile", share, "time",
     .cell = share_cell},
    {"share_least", "lower end of the 95 % interval", least, "95% range",
     .cell = range_cell, .drop_rank = 1},
    TABLE_DATA("share_most", "its upper end", most),
    {"time_ns", "of these samples", time, "seconds", has_seconds, seconds_cell,
     .drop_rank = 1},
    {"executed", "how often, by its counts; an inlined call before these is none",
     executed, "executed", .sort = VIEW_CALLS},
    TABLE_DATA("samples", "in the code that is compiled by its profile", samples),
    {"profile",
     "counted; never: by its counts it was not executed; none: compiled without train; "
     "library: of a module without tables, or a call to one; null or -: code of no "
     "module, lost samples",
     profile, "profile", .side = SHEET_TEXT},
    {0}};

static const struct table_view pgo_table = {
    .name = "pgo", .columns = columns, .names = {"function", view_put_name}};

/* Functions without a profile come first, because the user can act on them. */
static void fill_pgo(struct table *table, const struct view *view,
                     const struct pattern *pattern)
{
    const struct trainedrows *trained = trained_of(view);
    const struct rows *rows = &trained->rows;
    (void)pattern;
    for (int counted = 0; counted < 2; counted++)
        for (size_t i = 0; i < rows->count; i++)
            if (rows_self(&rows->rows[i]) &&
                (trained->facts[i].what == TRAINEDROWS_COUNTED) == counted)
                table_add(table, &rows->rows[i]);
}

/* Descriptions of the parts of the time that have no profile. */
static const struct {
    enum trainedrows_what what;
    const char *text;
} parts[] = {
    {TRAINEDROWS_LIBRARY, "in libraries"},
    {TRAINEDROWS_NEVER, "in functions that were never executed by their counts"},
    {TRAINEDROWS_UNKNOWN, "lost or in no module"},
    {TRAINEDROWS_NONE,
     "in functions without: compile them with -fplugin-arg-ccprof-train"},
};

/* Returns a sentence that says how much of the time is in functions with a profile,
   and how the remaining time is divided. The caller frees it. */
static char *sentence(const struct view *view)
{
    const struct trainedrows *trained = trained_of(view);
    const struct trainedrows_sum *counted = &trained->sums[TRAINEDROWS_COUNTED];
    char *text = NULL;
    BUF_OWN char *between =
        view_range(sources_range(view, counted->samples, &counted->uncertainty));
    BUF_OWN char *executed = text_commas((double)trained->executed, 0);
    BUF_OWN char *functions = text_number(trained->functions, "function");
    const char *before = ";";
    size_t size;
    FILE *out = buf_open(&text, &size);
    fprintf(
        out,
        "%.1f %% (%s) of the time is in functions with a profile (%s of %s %s executed)",
        100 * share_of(view, counted->samples), between, executed, functions,
        trained->functions == 1 ? "was" : "were");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint64_t samples = trained->sums[parts[i].what].samples;
        if (!samples)
            continue;
        fprintf(out, "%s %.1f %% %s", before, 100 * share_of(view, samples),
                parts[i].text);
        before = ",";
    }
    putc('\n', out);
    buf_close(out);
    return text;
}

static bool check_pgo(const struct view *view, const char *option, struct fault *fault)
{
    const struct profile *profile = view->profile;
    if (!(profile->kind & CCPROF_KIND_TIME))
        return fault_set(fault, FAULT_MISMATCH, option,
                         "no time was measured: compile with "
                         "-fplugin-arg-ccprof-profile=time beside "
                         "-fplugin-arg-ccprof-train");
    const struct trainedrows *trained = report_trained(view->report, fault);
    if (!trained)
        return false;
    if (!trained->functions)
        return fault_set(fault, FAULT_MISMATCH, option,
                         "no function has counts for gcc -fprofile-use: compile with "
                         "-fplugin-arg-ccprof-train beside "
                         "-fplugin-arg-ccprof-profile=time");
    return true;
}

static void print_pgo(FILE *out, const struct view *view)
{
    struct table table = {.view = &pgo_table, .of = view};
    size_t kept = 0;
    if (!trained_of(view)->rows.total)
        return;
    BUF_OWN char *text = sentence(view);
    terminal_print(out, text);
    putc('\n', out);
    fill_pgo(&table, view, NULL);
    table_sort(&table, view->style.order);
    for (size_t i = 0; i < table.count; i++)
        if (view_reaches(view, rows_self(table.rows[i])))
            table.rows[kept++] = table.rows[i];
    table.count = kept;
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

const struct views_entry pgo_entry = {
    .name = "pgo",
    .topic = TOPIC_TABLE,
    .use = 8,
    .help = "print how much time has a -fprofile-use profile",
    .details =
        "Needs a program compiled with train and profile=time. Functions without a\n"
        "profile come first.",
    .kind = OUTPUTS_TRAINED,
    .facts = VIEWS_OUTSIDE,
    .data = {{&pgo_table, fill_pgo}},
    .check = check_pgo,
    .timed = true,
    .print = print_pgo,
};
