/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change-text.h"
#include "mlprof/compare/regionchange.h"

#include <math.h>

/* The text of a change, to be freed.  A change of less than a tick has no sign.  */
static char *signed_text(double nanoseconds, double tick)
{
    BUF_OWN char *time = regiontimes_text(fabs(nanoseconds), tick);
    const char *sign = fabs(nanoseconds) < tick ? "" : nanoseconds < 0 ? "-" : "+";
    return buf_format("%s%s", sign, time);
}

static char *side_text(const struct regionchange *change, size_t side, double tick)
{
    return change->calls[side] > 0 ? regiontimes_text(change->mean[side], tick)
                                   : buf_copy("-");
}

static char *change_text(const struct regionchange *change, double tick)
{
    if (!(change->calls[0] > 0) || !(change->calls[1] > 0))
        return buf_copy(change->calls[1] > 0 ? "new" : "gone");
    return signed_text(change->mean[1] - change->mean[0], tick);
}

/* The text of a change in percent, to be freed; `-' if a time is less than a tick, and so
   not known.  */
static char *percent_text(const struct regionchange *change, double tick)
{
    if (!(change->mean[0] >= tick) || !(change->mean[1] >= tick))
        return buf_copy("-");
    return buf_format("%+.1f%%", 100 * (change->mean[1] / change->mean[0] - 1));
}

static char *range_text(const struct regionchange *change, double tick)
{
    if (!change->verdict.tested)
        return buf_copy("-");
    BUF_OWN char *least = signed_text(change->verdict.interval.least, tick);
    BUF_OWN char *most = signed_text(change->verdict.interval.most, tick);
    return buf_format("%s to %s", least, most);
}

static void print_heading(FILE *out, const struct regionchanges *changes)
{
    static const char *const words[] = {"before", "after "};
    for (size_t s = 0; s < 2; s++) {
        BUF_OWN char *program = text_clean(changes->programs[s]);
        BUF_OWN char *runs = text_number(changes->runs[s], "run");
        fprintf(out, "%s  %s, %s\n", words[s], program, runs);
    }
    putc('\n', out);
}

/* Declares the variables of the expressions below.  */
#define OF_CHANGE                                                                        \
    const struct regionchanges *changes = of;                                            \
    const struct regionchange *change = at;                                              \
    bool before = change->calls[0] > 0, after = change->calls[1] > 0;                    \
    (void)changes, (void)before, (void)after

#define VALUE(name, expression) TABLE_VALUE(name, OF_CHANGE, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_CHANGE, expression)

VALUE(region, table_text(change->name))
VALUE(mean_before, table_number_if(before, change->mean[0]))
CELL(before, side_text(change, 0, changes->tick))
VALUE(mean_after, table_number_if(after, change->mean[1]))
CELL(after, side_text(change, 1, changes->tick))
VALUE(difference, table_number_if(before &&after, change->mean[1] - change->mean[0]))
CELL(change, change_text(change, changes->tick))
VALUE(percent, table_number_if(before &&after && change->mean[0] >= changes->tick,
                               change->mean[1] / change->mean[0] - 1))
CELL(percent, percent_text(change, changes->tick))
VALUE(least, table_number_if(change->verdict.tested, change->verdict.interval.least))
CELL(range, range_text(change, changes->tick))
VALUE(most, table_number_if(change->verdict.tested, change->verdict.interval.most))
VALUE(chance, table_number_if(change->verdict.tested, change->verdict.chance))
CELL(chance, verdict_text(&change->verdict))
VALUE(certain, table_bool(change->verdict.certain))
VALUE(calls_before, table_number(change->calls[0]))
VALUE(calls_after, table_number(change->calls[1]))
VALUE(p50_before, table_number_if(before, change->p50[0]))
VALUE(p50_after, table_number_if(after, change->p50[1]))
VALUE(p99_before, table_number_if(before, change->p99[0]))
VALUE(p99_after, table_number_if(after, change->p99[1]))

static const struct table_column columns[] = {
    TABLE_DATA("region", "its name", region),
    {"before", "mean time of a call before", mean_before, "before", 10,
     .cell = before_cell, .drop_rank = 1},
    {"after", "mean time of a call after", mean_after, "after", 20, .cell = after_cell,
     .drop_rank = 1},
    {"change", "after less before; grey: may be chance", difference, "change", 30,
     .cell = change_cell},
    {NULL, "the change in percent of before", percent, "in %", 40, .cell = percent_cell},
    {"change_least",
     "where the change of all such runs lies, 19 times of 20, of this row alone", least,
     "row's 95%", 50, .cell = range_cell},
    TABLE_DATA("change_most", "see change_least", most),
    {"chance", "the probability that chance alone makes such a change, of this row alone",
     chance, "by chance ", 60, .cell = chance_cell},
    TABLE_DATA("certain",
               "of all rows together: of 100 comparisons 95 have only true ones",
               certain),
    TABLE_DATA("calls_before", "of a run, on average", calls_before),
    TABLE_DATA("calls_after", "of a run, on average", calls_after),
    TABLE_DATA("p50_before", "the median of a call before", p50_before),
    TABLE_DATA("p50_after", "the median of a call after", p50_after),
    TABLE_DATA("p99_before", "of 100 calls before 99 take no longer", p99_before),
    TABLE_DATA("p99_after", "of 100 calls after 99 take no longer", p99_after),
    {0}};

static const char *noun(const void *of)
{
    (void)of;
    return "region";
}

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct regionchange *change = at;
    (void)of;
    sheet_put(sheet, buf_copy(change->name));
}

const struct table_view regionchanges_columns = {
    .name = "regions", .columns = columns, .names = {noun, put_name}};

struct table regionchanges_table(const struct regionchanges *changes)
{
    struct table table = {.view = &regionchanges_columns, .of = changes};
    for (size_t i = 0; i < changes->count; i++)
        table_add(&table, &changes->changes[i]);
    return table;
}

void regionchanges_print(FILE *out, const struct regionchanges *changes, size_t top)
{
    struct table table = regionchanges_table(changes);
    table_cut(&table, top);
    print_heading(out, changes);
    table_print(out, &table, false);
    table_free(&table);
    BUF_OWN char *certainty = change_text_certainty(
        "region", changes->certain, changes->tested, changes->runs[0] + changes->runs[1]);
    fprintf(out, "\nmean time of a call\n%s", certainty);
}
