/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how the OpenMP threads spent their time in each construct, for -parallel. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

static double rate_of(const void *of)
{
    const struct view *view = of;
    return (double)view->profile->sampling.rate;
}

/* Returns the value of a time. It is not an integer, because samples may be divided
   among constructs. */
static struct table_value time_if(const void *of, bool known, double samples)
{
    return table_number_if(known, samples * 1e9 / rate_of(of));
}

static char *time_cell(const void *of, bool known, double samples)
{
    return known ? text_time(samples / rate_of(of)) : buf_copy("-");
}

/* Returns a row's percentage of all samples. */
static double percent_of(const struct view *view, const struct constructs_row *row)
{
    double samples = (double)view->profile->sampling.samples;
    return samples > 0 ? 100 * constructs_time(row) / samples : 0;
}

/* Returns whether the row is a construct, known or unknown, so that the program's own
   code runs in it. */
static bool runs(const struct constructs_row *row)
{
    return constructs_is_known(row) || row->what == CONSTRUCTS_UNKNOWN;
}

static const char *what_of(const struct constructs_row *row)
{
    static const char *const whats[] = {
        [CONSTRUCTS_PARALLEL] = "parallel", [CONSTRUCTS_TASK] = "task",
        [CONSTRUCTS_OUTSIDE] = "outside",   [CONSTRUCTS_UNKNOWN] = "unknown",
        [CONSTRUCTS_ENDS] = "end",          [CONSTRUCTS_IDLE] = "idle"};
    return whats[row->what];
}

#define OF_ROW const struct constructs_row *row = at

#define TIME(name, known, samples)                                                       \
    VIEW_VALUE(name, time_if(of, known, samples))                                        \
    VIEW_CELL(name, time_cell(of, known, samples))

VIEW_VALUE(construct, table_text(row->name))
VIEW_VALUE(position, table_text(row->position))
VIEW_VALUE(what, table_text(what_of(row)))
VIEW_VALUE(time, time_if(of, true, constructs_time(row)))
VIEW_CELL(share, buf_format("%.1f%%", percent_of(of, row)))
TIME(work, runs(row) || row->work > 0, row->work)
TIME(inside, runs(row), row->inside)
/* If a construct has no end, the value is 0 in data formats, and `-' on the terminal. */
VIEW_VALUE(end, time_if(of, runs(row), row->end))
VIEW_CELL(end,
          time_cell(of, row->what == CONSTRUCTS_PARALLEL || (runs(row) && row->end > 0),
                    row->end))
VIEW_VALUE(threads, table_integer_if(constructs_is_known(row), row->threads))
VIEW_CELL(threads,
          constructs_is_known(row) ? buf_format("%zu", row->threads) : buf_copy("-"))
TIME(mean, row->lasted, row->mean)
TIME(least, row->lasted, row->least)
TIME(most, row->lasted, row->most)
VIEW_CELL(uneven, constructs_is_uneven(row) ? buf_format("%.2f", row->most / row->mean)
                                            : buf_copy("-"))
TIME(lost, constructs_is_uneven(row), constructs_lost(row))

static const struct table_column columns[] = {
    {"construct", "where it is, and what", construct, .sort = VIEW_NAME},
    TABLE_DATA("position", "of the construct: FILE: LINE", position),
    TABLE_DATA("what", "parallel, task, outside, unknown, end or idle", what),
    {"time_ns", "of all its threads, on the run's clock", time, "time",
     .cell = share_cell},
    {"work_ns", "of its function, with all that it called but other constructs", work,
     "work", .cell = work_cell},
    {"inside_ns", "in libgomp, in the construct", inside, "inside", .cell = inside_cell},
    {"end_ns", "waiting for the others at its end", end, "at end", .cell = end_cell},
    {"threads", "that had a part in it", threads, "threads", .cell = threads_cell},
    {"mean_work_ns",
     "of a thread; null if its threads come and go, or if work that is known of no "
     "construct may be of it",
     mean, "mean", .cell = mean_cell},
    {"least_work_ns", "of the thread with the least", least, "least", .cell = least_cell},
    {"most_work_ns", "of the thread with the most", most, "most", .cell = most_cell},
    {.means = "how uneven the work is",
     .head = "most/mean",
     .cell = uneven_cell,
     .drop_rank = 1},
    {"lost_ns", "most less mean; null if that may be chance", lost, "lost",
     .cell = lost_cell},
    {0}};

static void put_construct_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct constructs_row *row = at;
    (void)of;
    sheet_put_name(sheet, buf_copy(row->name),
                   row->position ? buf_copy(row->position) : NULL);
}

static const struct table_view constructs_table = {
    .name = "parallel", .columns = columns, .names = {"construct", put_construct_name}};

static void fill_constructs(struct table *table, const struct view *view,
                            const struct pattern *pattern)
{
    (void)pattern;
    const struct constructs *constructs = report_constructs(view->report, NULL);
    for (size_t i = 0; constructs && i < constructs->count; i++)
        table_add(table, &constructs->rows[i]);
}

static void print_constructs(FILE *out, const struct view *view)
{
    const struct constructs *constructs = report_constructs(view->report, NULL);
    struct table table = {.view = &constructs_table, .of = view};
    for (size_t i = 0; i < constructs->count; i++)
        if (percent_of(view, &constructs->rows[i]) >= view->style.thresh)
            table_add(&table, &constructs->rows[i]);
    table_sort(&table, view->style.order);
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

static void print_foot(FILE *out, const struct view *view)
{
    const struct constructs *constructs = report_constructs(view->report, NULL);
    bool unknown = false, coming = false;
    for (size_t i = 0; i < constructs->count; i++) {
        const struct constructs_row *row = &constructs->rows[i];
        unknown |= row->what == CONSTRUCTS_UNKNOWN;
        coming |= row->what == CONSTRUCTS_PARALLEL && row->came;
    }
    putc('\n', out);
    if (view->profile->sampling.clock == PROFILE_CPU)
        fputs("CPU time includes waiting only while threads spin; "
              "CCPROF=clock=wall,threads=yes shows how long they wait\n",
              out);
    else if (!constructs->told)
        fputs("waiting at an end cannot be separated from idle time: libgomp's code was "
              "not found or is not for x86-64\n",
              out);
    if (coming)
        fputs("least, mean and most are not shown for a construct whose threads come and "
              "go\n",
              out);
    if (unknown)
        fputs("<unknown construct>: none of its code is on the stack; if its function "
              "ended with a jump, -fno-optimize-sibling-calls shows more\n",
              out);
}

static bool check_constructs(const struct view *view, const char *option,
                             struct fault *fault)
{
    (void)option;
    return report_constructs(view->report, fault) != NULL;
}

const struct views_entry parallelview_entry = {
    .name = "parallel",
    .topic = TOPIC_PROCESSES,
    .use = 2,
    .help = "print what the threads of OpenMP did",
    .details =
        "For each construct: its work, the waiting in it and at its end, and the\n"
        "work of its threads. Run the program with CCPROF=clock=wall,threads=yes, or\n"
        "with threads=yes only for the CPU time of each thread.",
    .kind = OUTPUTS_CONSTRUCTS,
    .data = {{&constructs_table, fill_constructs}},
    .check = check_constructs,
    .timed = true,
    .print = print_constructs,
    .foot = print_foot,
};
