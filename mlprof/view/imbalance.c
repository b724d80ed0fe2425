/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how evenly the load of functions is spread over ranks or threads, for
   -imbalance. */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns why the load cannot be separated by OVER. Returns NULL if it can, or if
   nothing was measured. */
static const char *reason_missing(const struct view *view, enum spread_over over)
{
    const struct profile *profile = view->profile;
    if (profile->kind && !profile_measure(profile)->sampled)
        return "counts are not recorded per rank or thread; samples of time are";
    if (profile->sampling.samples == profile->sampling.lost)
        return NULL;
    if (over == SPREAD_RANKS && !origins_ranks(&profile->origins))
        return ORIGINS_NO_RANKS;
    if (over == SPREAD_THREADS && profile->names.threads.count == 0)
        return "samples are not recorded per thread: run the program with "
               "CCPROF=threads=yes";
    return NULL;
}

static bool is_inclusive(const struct view *view)
{
    return view->style.order == VIEW_STACK && view->rows->stack;
}

static const struct spread_load *load_of(const struct view *view,
                                         const struct rows_row *row)
{
    const struct spread *spread = report_spread(view->report);
    size_t number = (size_t)(row - view->rows->rows);
    return is_inclusive(view) ? &spread->stack[number] : &spread->self[number];
}

/* Returns how many samples the worker with the highest load has above the mean. */
static double lost(const struct view *view, const struct spread_load *load)
{
    return (double)load->most - spread_mean(report_spread(view->report), load);
}

/* For qsort_r. Rows with a significantly uneven load come first, sorted by decreasing
   loss. All other rows follow, sorted by decreasing load. */
static int by_lost(const void *one, const void *other, void *context)
{
    const struct view *view = context;
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    const struct spread_load *load = load_of(view, a), *than = load_of(view, b);
    if (load->certain != than->certain)
        return than->certain - load->certain;
    double difference = load->certain ? lost(view, than) - lost(view, load)
                                      : (double)than->total - (double)load->total;
    return difference ? (difference > 0 ? 1 : -1) : (a > b) - (a < b);
}

static char *seconds(const struct view *view, double samples)
{
    BUF_OWN char *text = text_commas(samples / (double)view->profile->sampling.rate, 2);
    return buf_format("%s s", text);
}

#define OF_ROW                                                                           \
    const struct view *view = of;                                                        \
    const struct spread_load *load = load_of(view, at)

VIEW_CELL(total, view_percent(view, load->total))
VIEW_CELL(mean, seconds(view, spread_mean(report_spread(view->report), load)))
VIEW_CELL(least, seconds(view, (double)load->least))
VIEW_CELL(most, seconds(view, (double)load->most))
VIEW_CELL(uneven,
          view_known_cell(load->certain,
                          buf_format("%.2f",
                                     (double)load->most /
                                         spread_mean(report_spread(view->report), load))))
VIEW_CELL(lost, view_known_cell(load->certain, seconds(view, lost(view, load))))
VIEW_CELL(worst,
          view_known_cell(
              load->certain,
              buf_format("%" PRIu64,
                         report_spread(view->report)->workers[load->busiest].number)))

TABLE_HEAD(total_head, const struct view *view, is_inclusive(view) ? "total" : "self")
TABLE_PRESENT(is_of_ranks, const struct view *view,
              report_spread(view->report)->over == SPREAD_RANKS)
TABLE_HEAD(worker_head, const struct view *view, is_of_ranks(view, 0) ? "rank" : "thread")

static const struct table_column columns[] = {
    TABLE_SHOWN(NULL, total_head, NULL, NULL, total_cell),
    TABLE_SHOWN("mean", NULL, "of a rank or thread, on average", NULL, mean_cell),
    TABLE_SHOWN("least", NULL, "of the one with the least", NULL, least_cell),
    TABLE_SHOWN("most", NULL, "of the one with the most", NULL, most_cell),
    TABLE_SHOWN("most/mean", NULL,
                "1 where all have the same; - where chance alone may have made it", NULL,
                uneven_cell),
    TABLE_SHOWN("lost", NULL, "most less mean: what the others wait for if they meet",
                NULL, lost_cell),
    TABLE_SHOWN(NULL, worker_head, NULL, NULL, worst_cell),
    {.sort = VIEW_NAME, .order = view_by_name},
    {0}};

/* Names are the last column, also in MLton's layout. */
static const struct table_view load_table = {.name = "imbalance",
                                             .columns = columns,
                                             .names = {"function", view_put_name},
                                             .names_mlton = 1};

static void print_table(FILE *out, const struct view *view)
{
    const struct rows *rows = view->rows;
    struct table table = {.view = &load_table, .of = view};
    struct view context = *view;
    for (size_t i = 0; i < rows->count; i++)
        if (load_of(view, &rows->rows[i])->total &&
            view_reaches(view, load_of(view, &rows->rows[i])->total) &&
            view_keeps(view, &rows->rows[i]))
            table_add(&table, &rows->rows[i]);
    if (!table_sort(&table, view->style.order) && table.count)
        qsort_r(table.rows, table.count, sizeof *table.rows, by_lost, &context);
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

/* If there are more threads than this, a printed line says that threads may have run
   one after the other. */
#define MANY_THREADS 64

/* A rank's lost samples are reported if they are at least this fraction of its
   samples. */
#define LOST_REPORTED 0.01

static double lost_part(const struct spread_worker *worker)
{
    return worker->samples ? (double)worker->lost / (double)worker->samples : 0;
}

/* Prints how many samples ranks have lost. Lost samples are not in any row, so a rank
   may have done more work than the table shows. */
static void print_lost(FILE *out, const struct view *view)
{
    const struct spread *spread = report_spread(view->report);
    const struct spread_worker *all = spread->workers;
    size_t count = 0, worst = 0;
    for (size_t i = 0; i < spread->count; i++) {
        count += lost_part(&all[i]) >= LOST_REPORTED;
        if (lost_part(&all[i]) > lost_part(&all[worst]))
            worst = i;
    }
    if (count) {
        BUF_OWN char *time = seconds(view, (double)all[worst].lost);
        BUF_OWN char *others = text_number(count - 1, "other rank");
        fprintf(out, "%s (%.1f %%) of rank %" PRIu64 "%s%s %s lost and in no row\n", time,
                100 * lost_part(&all[worst]), all[worst].number,
                count > 1 ? ", and less of " : "", count > 1 ? others : "",
                count > 1 ? "were" : "was");
    }
}

static void print_imbalance(FILE *out, const struct view *view)
{
    const struct spread *spread = report_spread(view->report);
    bool ranks = spread->over == SPREAD_RANKS;
    print_table(out, view);
    if (spread->apart) {
        BUF_OWN char *apart = seconds(view, (double)spread->apart);
        fprintf(out, "%s %s are not shown here\n", apart,
                ranks ? "in processes that no launcher has numbered"
                      : "in unknown threads");
    }
    if (ranks) {
        print_lost(out, view);
    } else if (spread->joined) {
        BUF_OWN char *joined = text_number(spread->joined, "thread");
        fprintf(out, "%s ran after others of their name, and count as these\n", joined);
    } else if (spread->count > MANY_THREADS && !view->rows->stacks.times.width) {
        fputs("if threads ran one after the other they are compared all the same: "
              "CCPROF=times=yes\ntells when they ran\n",
              out);
    }
}

static bool check_imbalance(const struct view *view, const char *option,
                            struct fault *fault)
{
    const char *why = reason_missing(view, view->request->choice);
    return !why || fault_set(fault, FAULT_MISMATCH, option, "%s", why);
}

const struct views_entry imbalance_entry = {
    .name = "imbalance",
    .topic = TOPIC_PROCESSES,
    .use = 1,
    .help = "print how evenly ranks or threads are loaded",
    .details =
        "  mean, least, most  time of a rank or thread\n"
        "  most/mean          1 if all have the same\n"
        "  lost               most less mean: the time for which the others wait, if\n"
        "                     they meet\n"
        "The last column names the rank or thread with the most time. - means that\n"
        "the difference may be chance. Figures are for functions themselves. With\n"
        "-sort total, they include called functions.\n"
        "  rank    each MPI process, by the number that mpirun gave it\n"
        "  thread  run the program with CCPROF=threads=yes; if times=yes is also\n"
        "          set, threads with the same name that ran one after the other\n"
        "          count as one",
    .takes = VIEWS_CHOICE,
    .words = "{rank|thread}", /* in the order of enum spread_over */
    .kind = OUTPUTS_TIMES,
    .facts = VIEWS_LOAD,
    .data = {{&load_table, NULL}},
    .check = check_imbalance,
    .timed = true,
    .print = print_imbalance,
};
