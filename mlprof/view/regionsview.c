/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the real time of regions, for -regions, and the lines above and below all
   views of regions. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *time_text(double nanoseconds)
{
    return text_time(nanoseconds * 1e-9);
}

static uint64_t all_calls(const struct regionrows *rows)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < rows->count; i++)
        calls += rows->rows[i].sums.count;
    return calls;
}

/* The fractions of the CPU time above which measuring overhead is reported, and above
   which it is too high. */
#define REPORTED 0.01
#define TOO_MUCH 0.1

/* The maximum number of functions that are suggested for exclusion from measuring. */
#define MOST_FUNCTIONS 32

/* The CPU time of a run, and how much of it is measuring overhead, in nanoseconds. */
struct run {
    double cpu, measuring;
};

static double part_of(const struct run *run)
{
    return run->cpu > 0 ? run->measuring / run->cpu : 0;
}

/* Returns the times of the run. The measuring overhead is known only to a third, so
   it is limited to the CPU time. */
static struct run run_of(const struct view *view)
{
    double cpu = (double)view->profile->runs.cpu;
    return (struct run){
        .cpu = cpu,
        .measuring =
            fmin(cpu, report_regions(view->report, REGIONROWS_NAMES)->measuring)};
}

static char *measuring_part(const struct view *view)
{
    struct run run = run_of(view);
    if (part_of(&run) < REPORTED)
        return buf_copy("");
    BUF_OWN char *measuring = time_text(run.measuring), *cpu = time_text(run.cpu);
    return buf_format("; measuring took %s of %s of CPU time", measuring, cpu);
}

/* Returns the name to which the plugin applies patterns, or NULL if the region is not
   a function. */
static const char *function_of(const struct view *view, const struct regionrows_row *row)
{
    const struct regions *regions = &view->profile->regions;
    const struct regions_region *region = &regions->regions.list[row->region];
    return region->module == REGIONS_NAMED ? NULL
                                           : intern_text(&regions->names, region->name);
}

static int by_calls(const void *one, const void *other)
{
    const struct regionrows_row *const *a = one, *const *b = other;
    return BUF_ORDER((*b)->sums.count, (*a)->sums.count) ?: BUF_ORDER(*a, *b);
}

/* Prints NAME as a POSIX extended regular expression, for use in a shell string in
   single quotes. */
static void print_pattern(FILE *out, const char *name)
{
    for (; *name; name++) {
        if (strchr("\\^.[$()|*+?{", *name))
            putc('\\', out);
        if (*name == '\'')
            fputs("'\\'", out);
        putc(*name, out);
    }
}

/* Chooses functions to exclude from measuring. Starts with the function that has the
   most calls, skips functions that are long enough to be measured, and stops when the
   overhead is no longer too high. Stores the functions in LIST and returns their
   number. Updates *RUN to a run without these functions, and sets *CALLS to the
   number of their calls. */
static size_t leave_out(const struct view *view, const struct regionrows_row **list,
                        struct run *run, uint64_t *calls)
{
    const struct regionrows *rows = report_regions(view->report, REGIONROWS_NAMES);
    BUF_OWN const struct regionrows_row **all =
        buf_alloc((rows->count + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        all[i] = &rows->rows[i];
    BUF_SORT(all, rows->count, by_calls);
    *calls = 0;
    for (size_t i = 0;
         i < rows->count && count < MOST_FUNCTIONS && part_of(run) >= TOO_MUCH; i++) {
        double took = (double)all[i]->sums.count * rows->measured.outer;
        double mean = all[i]->times.mean,
               pair = rows->measured.outer *
                      (1 + (double)all[i]->sums.inside / (double)all[i]->sums.count);
        if (!all[i]->sums.count || !function_of(view, all[i]) ||
            !regiontimes_is_bound(mean, pair))
            continue;
        list[count++] = all[i];
        *calls += all[i]->sums.count;
        run->cpu = fmax(0, run->cpu - took);
        run->measuring = fmax(0, run->measuring - took);
    }
    return count;
}

static void print_measuring(FILE *out, const struct view *view)
{
    const struct regionrows_row *list[MOST_FUNCTIONS];
    struct run run = run_of(view), rest = run;
    uint64_t calls;
    if (part_of(&run) < TOO_MUCH)
        return;
    size_t count = leave_out(view, list, &rest, &calls);
    fprintf(out, "%.0f%% of the CPU time was measuring", 100 * part_of(&run));
    if (!count) {
        fputs(": less is where longer regions are begun\n", out);
        return;
    }
    fprintf(out,
            "; without stopwatches on the functions that have %.0f%% of the calls:\n"
            "-fplugin-arg-ccprof-exclude-function='^(",
            100 * (double)calls /
                (double)all_calls(report_regions(view->report, REGIONROWS_NAMES)));
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putc('|', out);
        print_pattern(out, function_of(view, list[i]));
    }
    fputs(")$'\n", out);
}

void regionsview_print_header(FILE *out, const struct view *view)
{
    if (!view_has_regions(view)) {
        view_header(out, view);
        return;
    }
    const struct regionrows *rows = report_regions(view->report, REGIONROWS_NAMES);
    BUF_OWN char *number = text_number(all_calls(rows), "call"),
                 *regions = text_number(rows->count, "region");
    BUF_OWN char *time = regiontimes_sure_text(
        rows->all, rows->subtracted ? rows->measuring : 0, rows->cost.tick);
    BUF_OWN char *part = measuring_part(view);
    fprintf(out, "%s of %s, %s of real time in them%s\n", number, regions, time, part);
}

/* Prints the rows. If some rows have both cold and other calls, prints a second table
   of these rows. */
static void print_regions(FILE *out, const struct view *view)
{
    if (!view_has_regions(view))
        return;
    const struct regionrows *rows = regions_table_rows(view);
    struct table table = {.view = &regions_table, .of = view};
    struct table cold = {.view = &regions_cold_table, .of = view};
    for (size_t i = 0; i < rows->count; i++) {
        const struct regionrows_row *row = &rows->rows[i];
        if ((rows->all > 0 ? 100 * row->total / rows->all : 0) >= view->style.thresh)
            table_add(&table, row);
    }
    table_sort(&table, view->style.order);
    table_cut(&table, view->style.top);
    for (size_t i = 0; i < table.count; i++) {
        const struct regionrows_row *row = table.rows[i];
        if (row->sums.cold && row->sums.cold < row->sums.count)
            table_add(&cold, row);
    }
    table_print(out, &table, view->style.mlton);
    if (cold.count) {
        putc('\n', out);
        table_print(out, &cold, view->style.mlton);
    }
    table_free(&cold);
    table_free(&table);
}

static void print_unended(FILE *out, const struct regionrows *rows,
                          const struct regionrows_row *row)
{
    if (row->sums.left) {
        BUF_OWN char *calls = text_number(row->sums.left, "call");
        fprintf(out, "%s of %s did not come to the end: longjmp, or the thread's end\n",
                calls, row->name);
    }
    if (row->sums.open) {
        char *calls = text_number(row->sums.open, "call"), *time;
        time = regiontimes_text(row->times.spent, rows->cost.tick);
        fprintf(out, "%s of %s had not ended, and took %s so far\n", calls, row->name,
                time);
        free(time);
        free(calls);
    }
}

bool regionsview_check(const struct view *view, const char *option, struct fault *fault)
{
    if (!view->profile->kind || view_has_regions(view))
        return true;
    return fault_set(fault, FAULT_MISMATCH, option,
                     "no regions were measured: see CCPROF_REGION in ccprof(3), and "
                     "-fplugin-arg-ccprof-stopwatch in ccprof(1), which matches the "
                     "names that -names plain shows");
}

void regionsview_print_foot(FILE *out, const struct view *view)
{
    static const char *const clocks[] = {[REGIONS_NONE] = "",
                                         [REGIONS_TSC] = "tsc",
                                         [REGIONS_CNTVCT] = "cntvct",
                                         [REGIONS_RDTIME] = "rdtime",
                                         [REGIONS_MONOTONIC] = "clock_gettime"};
    const struct regionrows *rows = regions_table_rows(view);
    putc('\n', out);
    print_measuring(out, view);
    if (view->profile->regions.unplaced) {
        BUF_OWN char *calls = text_number(view->profile->regions.unplaced, "call");
        fprintf(out,
                "%s are shown without the regions around them: there was no room for "
                "more paths\n",
                calls);
    }
    for (size_t i = 0; i < rows->count; i++)
        print_unended(out, rows, &rows->rows[i]);
    BUF_OWN char *inner = time_text(rows->measured.inner),
                 *outer = time_text(rows->measured.outer);
    BUF_OWN char *tick = time_text(rows->measured.tick);
    fprintf(out,
            "measuring makes a call %s longer, and what is around it %s: %ssubtracted\n"
            "clock: %s, of %s a tick\n",
            inner, outer, rows->subtracted ? "" : "not ",
            clocks[view->profile->regions.clock], tick);
}

const struct views_entry regionsview_entry = {
    .name = "regions",
    .topic = TOPIC_REGIONS,
    .use = 1,
    .help = "print the real time of regions",
    .details =
        "Regions are CCPROF_REGION in ccprof(3), and functions compiled with\n"
        "stopwatch. +- is the standard deviation of the calls. With -compare: how\n"
        "the mean time of their calls changed.",
    .kind = OUTPUTS_REGIONS,
    .facts = VIEWS_REGIONS,
    .affects = OUTPUTS_COMPARISON,
    .data = {{&regions_table, regions_table_fill}},
    .check = regionsview_check,
    .head = regionsview_print_header,
    .print = print_regions,
};
