/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/measuring.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NANOSECOND 1e-9

/* The parts of the CPU time from which on measuring is told, and is too much.  */
#define TOLD     0.01
#define TOO_MUCH 0.1

/* How many functions are named at most.  */
#define NAMED 32

/* The CPU time of a run, and the part of it that measuring took, in nanoseconds.  */
struct run {
    double cpu, measuring;
};

static double part_of(const struct run *run)
{
    return run->cpu > 0 ? run->measuring / run->cpu : 0;
}

/* The time of measuring, which is known to a third, is taken for at most the CPU
   time.  */
static struct run run_of(const struct view *view)
{
    double cpu = (double)view->profile->cpu;
    return (struct run){
        .cpu = cpu, .measuring = fmin(cpu, view->regions[REGIONROWS_NAMES].measuring)};
}

char *measuring_part(const struct view *view)
{
    struct run run = run_of(view);
    if (part_of(&run) < TOLD)
        return buf_copy("");
    BUF_OWN char *measuring = text_time(run.measuring * NANOSECOND),
                 *cpu = text_time(run.cpu * NANOSECOND);
    return buf_format("; measuring took %s of %s of CPU time", measuring, cpu);
}

/* The name that the plugin compares with a pattern; NULL: the region is no function.  */
static const char *function_of(const struct view *view, const struct regionrows_row *row)
{
    const struct regions *regions = &view->profile->regions;
    const struct regions_region *region = &regions->regions[row->region];
    return region->module == REGIONS_NAMED ? NULL
                                           : intern_text(&regions->names, region->name);
}

static int by_calls(const void *one, const void *other)
{
    const struct regionrows_row *const *a = one, *const *b = other;
    uint64_t more = (*a)->sums.count, less = (*b)->sums.count;
    return more != less ? (more < less ? 1 : -1) : *a < *b ? -1 : *a > *b;
}

/* Prints NAME as a POSIX extended regular expression, for use within single quotes of the
   shell.  */
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

/* Chooses the functions to be left out: the most called ones that take too little to be
   measured, until the part of measuring is not too much.  Returns how many they are; *RUN
   becomes the run without them, *CALLS the number of their calls.  */
static size_t leave_out(const struct view *view, const struct regionrows_row **list,
                        struct run *run, uint64_t *calls)
{
    const struct regionrows *rows = &view->regions[REGIONROWS_NAMES];
    BUF_OWN const struct regionrows_row **all =
        buf_alloc((rows->count + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        all[i] = &rows->rows[i];
    if (rows->count)
        qsort(all, rows->count, sizeof *all, by_calls);
    *calls = 0;
    for (size_t i = 0; i < rows->count && count < NAMED && part_of(run) >= TOO_MUCH;
         i++) {
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

static uint64_t all_calls(const struct regionrows *rows)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < rows->count; i++)
        calls += rows->rows[i].sums.count;
    return calls;
}

void measuring_print(FILE *out, const struct view *view)
{
    const struct regionrows_row *list[NAMED];
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
            100 * (double)calls / (double)all_calls(&view->regions[REGIONROWS_NAMES]));
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putc('|', out);
        print_pattern(out, function_of(view, list[i]));
    }
    fputs(")$'\n", out);
}
