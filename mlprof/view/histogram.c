/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how long the calls of regions took, as text histograms, for -histogram and
   for comparisons. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/regions/regionevents.h"
#include "mlprof/view/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width of a line if the output is not a terminal, and the minimum width of a bar. */
#define COLUMNS   80
#define BAR_LEAST 10

/* The maximum number of lines of a histogram. */
#define LINES 32

/* The number of buckets per doubling of the time. */
#define DOUBLING (1 << CCPROF_BUCKET_BITS)

static bool *find_histogram_functions(const struct view *view,
                                      const struct pattern *pattern)
{
    const struct regionrows *rows = regions_table_rows(view);
    bool *selected = buf_alloc((rows->count + 1) * sizeof *selected);
    bool found = !view_has_regions(view);
    for (size_t i = 0; i < rows->count; i++)
        found |= selected[i] = pattern_is_in(pattern, rows->rows[i].name);
    return view_found(found, selected);
}

/* A line of a histogram. Times are in nanoseconds, without the measuring overhead. */
struct line {
    double least, end; /* END is exclusive */
    uint64_t count;
    double dense; /* calls divided by the line's logarithmic width */
    bool cold;    /* the line may contain cold calls */
};

/* Returns the number of the printed line that contains a bucket. STEP is the number
   of buckets per line. */
static size_t line_of(size_t bucket, size_t step)
{
    return bucket / step;
}

/* The first and last bucket shown, and the number of buckets per line. */
struct range {
    size_t first, last, step;
};

/* Returns the range from the shortest to the longest call of ROW and OTHER, both of
   which have calls. One of them may be NULL. Each line gets as few buckets as
   possible so that there are at most MOST lines. But a line never spans more than a
   doubling of the time, so there may be more lines. */
static struct range range_of(const struct regionrows_row *row,
                             const struct regionrows_row *other, size_t most)
{
    struct range range = {.first = CCPROF_BUCKETS - 1, .step = 1};
    for (size_t i = 0; i < CCPROF_BUCKETS; i++)
        if ((row && row->sums.buckets[i]) || (other && other->sums.buckets[i])) {
            range.first = i < range.first ? i : range.first;
            range.last = i;
        }
    while (range.step < DOUBLING &&
           line_of(range.last, range.step) - line_of(range.first, range.step) >= most)
        range.step *= 2;
    return range;
}

/* Returns the *COUNT lines of the histogram of a row with calls. The caller frees
   them. */
static struct line *make_lines(const struct regionrows *rows,
                               const struct regionrows_row *row, struct range range,
                               size_t *count)
{
    const struct regions_sums *sums = &row->sums;
    const struct regiontimes_cost *cost = &rows->cost;
    size_t step = range.step, first = line_of(range.first, step);
    *count = line_of(range.last, step) - first + 1;
    struct line *lines = buf_alloc(*count * sizeof *lines);
    size_t cold_first = line_of(regions_bucket(sums->cold_min), step);
    size_t cold_last = line_of(regions_bucket(sums->cold_max), step);
    for (size_t i = 0; i < *count; i++) {
        size_t number = first + i, bucket = number * step;
        uint64_t end = bucket + step < CCPROF_BUCKETS
                           ? regions_bucket_least(bucket + step)
                           : UINT64_MAX;
        lines[i].least =
            regiontimes_without(sums, cost, (double)regions_bucket_least(bucket));
        lines[i].end = regiontimes_without(sums, cost, (double)end);
        lines[i].cold = sums->cold && number >= cold_first && number <= cold_last;
        for (size_t k = bucket; k < bucket + step && k < CCPROF_BUCKETS; k++)
            lines[i].count += sums->buckets[k];
        /* On the logarithmic scale, 0 ticks count as half a tick. */
        double width = log2(fmax((double)end, 1)) -
                       log2(fmax((double)regions_bucket_least(bucket), 0.5));
        lines[i].dense = (double)lines[i].count / width;
    }
    return lines;
}

/* If the measuring overhead is as long as the times of the first lines, these lines
   end at 0. Adds the calls of these lines to the next line, and returns the number of
   these lines. */
static size_t fold_empty(struct line *lines, size_t count)
{
    size_t first = 0;
    for (; first + 1 < count && lines[first].end <= 0; first++) {
        lines[first + 1].count += lines[first].count;
        lines[first + 1].dense += lines[first].dense;
        lines[first + 1].cold |= lines[first].cold;
    }
    return first;
}

/* Returns the text of a line's bound, or of 0 if the bound is negative. The caller
   frees it. */
static char *bound_text(double nanoseconds, double tick)
{
    return nanoseconds > 0 ? regiontimes_text(nanoseconds, tick) : text_time(0);
}

/* Prints the line above a histogram: the region and statistics of its calls. */
static void print_title(FILE *out, const struct regionrows_row *row, const char *name,
                        double tick)
{
    const struct regiontimes *times = &row->times;
    double measuring = times->measuring;
    BUF_OWN char *calls = text_number(row->sums.count, "call"),
                 *mean = regiontimes_sure_text(times->mean, measuring, tick);
    BUF_OWN char *p50 = regiontimes_sure_text(times->p50.value, measuring, tick),
                 *p99 = regiontimes_sure_text(times->p99.value, measuring, tick);
    BUF_OWN char *max = regiontimes_sure_text(times->max, measuring, tick);
    BUF_OWN char *place = row->place ? text_plain(row->place) : NULL;
    BUF_OWN char *text =
        buf_format("%s%s: %s, mean %s, p50 %s, p99 %s, max %s\n", place ? "  " : "",
                   place ? place : "", calls, mean, p50, p99, max);
    size_t room = terminal_columns(out);
    BUF_OWN char *fitted =
        room ? cxxname_fit(name, room > 4 ? room - 1 : 4) : buf_copy(name);
    BUF_OWN char *line = buf_format("%s%s", fitted, text);
    terminal_print(out, line);
}

static void print_bar(FILE *out, double amount, double most, size_t width)
{
    size_t length = (size_t)(amount / most * (double)width + 0.5);
    if (amount > 0 && !length)
        putc('.', out);
    while (length--)
        putc('#', out);
}

/* Number of columns before a bar: two times (7 each), the calls (11), the cumulative
   percentage (6) and a mark (1), each followed by a blank. BACK is the number of
   columns after a bar, for the marks of percentiles. */
#define FRONT 37
#define BACK  8

static void print_lines(FILE *out, const struct regionrows_row *row,
                        const struct line *lines, size_t count, double tick)
{
    size_t columns = terminal_columns(out), width;
    uint64_t sum = 0;
    double most = 0;
    if (!columns || columns > 2 * COLUMNS)
        columns = COLUMNS;
    width = columns > FRONT + BACK + BAR_LEAST ? columns - FRONT - BACK : BAR_LEAST;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, lines[i].dense);
    fprintf(out, "%7s %7s %11s %6s\n", "from", "below", "calls", "up to");
    for (size_t i = 0; i < count; i++) {
        const struct line *line = &lines[i];
        BUF_OWN char *least = bound_text(line->least, tick),
                     *end = bound_text(line->end, tick);
        BUF_OWN char *calls = text_commas((double)line->count, 0);
        sum += line->count;
        bool p50 =
            line->least <= row->times.p50.value && row->times.p50.value < line->end;
        bool p99 =
            line->least <= row->times.p99.value && row->times.p99.value < line->end;
        const char *mark = p50 && p99 ? " p50 p99" : p50 ? " p50" : p99 ? " p99" : "";
        bool bar = line->count || *mark;
        fprintf(out, "%7s %7s %11s %5.1f%%", least, end, calls,
                100 * (double)sum / (double)row->sums.count);
        fputs(!line->cold ? bar ? "   " : "" : bar ? " c " : " c", out);
        print_bar(out, line->dense, most, width);
        fprintf(out, "%s\n", mark);
    }
}

static void print_one(FILE *out, const struct regionrows *rows,
                      const struct regionrows_row *row, const char *name,
                      struct range range)
{
    size_t count;
    double tick = rows->cost.tick;
    BUF_OWN struct line *lines = make_lines(rows, row, range, &count);
    size_t first = fold_empty(lines, count);
    print_title(out, row, name, tick);
    print_lines(out, row, lines + first, count - first, tick);
    if (row->sums.cold) {
        BUF_OWN char *calls = text_number(row->sums.cold, "cold call");
        BUF_OWN char *mean = regiontimes_text(row->times.cold, tick),
                     *min = regiontimes_text(row->times.cold_min, tick);
        BUF_OWN char *max = regiontimes_text(row->times.cold_max, tick);
        fprintf(out, "c: %s, from %s to %s, mean %s\n", calls, min, max, mean);
    }
}

/* The maximum number of longest calls that are printed. */
#define CALLS_MOST 5

#define SECOND 1e9

/* The longest calls so far, sorted by decreasing length. If calls have the same
   length, the earlier call comes first. */
struct longest {
    const struct regionevents_call *calls[CALLS_MOST];
    size_t count;
};

static void insert_call(struct longest *longest, const struct regionevents_call *call)
{
    size_t place = longest->count;
    while (place > 0 && longest->calls[place - 1]->ticks < call->ticks)
        place--;
    if (place == CALLS_MOST)
        return;
    size_t moved =
        (longest->count < CALLS_MOST ? longest->count++ : CALLS_MOST - 1) - place;
    memmove(&longest->calls[place + 1], &longest->calls[place],
            moved * sizeof *longest->calls);
    longest->calls[place] = call;
}

/* Prints the longest calls of row ROW of the view's regions, with their times and
   threads. Prints nothing if EVENTS has no call of the row. */
static void print_longest(FILE *out, const struct view *view,
                          const struct regionevents *events, size_t row)
{
    const struct regionrows *rows = regions_table_rows(view);
    const struct regionrows *paths = report_regions(view->report, REGIONROWS_PATHS);
    struct longest longest = {0};
    struct sheet sheet = {0};
    for (size_t i = 0; i < events->count; i++)
        if (rows->of_path[events->calls[i].path] == row)
            insert_call(&longest, &events->calls[i]);
    if (!longest.count)
        return;
    sheet_column(&sheet, "longest", SHEET_NUMBER, 1);
    sheet_column(&sheet, "from", SHEET_NUMBER, 1);
    sheet_column(&sheet, "thread", SHEET_TEXT, 1);
    sheet_column(&sheet, "path", SHEET_TEXT, 0);
    for (size_t i = 0; i < longest.count; i++) {
        const struct regionevents_call *call = longest.calls[i];
        double length = regionrows_length(rows, call->path, call->ticks);
        sheet_put(&sheet, regiontimes_text(length, rows->cost.tick));
        sheet_put(&sheet, buf_format("%.6fs", (double)call->start / SECOND));
        char *thread = buf_copy(events->lanes.list[call->lane]);
        text_mask(thread);
        sheet_put(&sheet, thread);
        sheet_put_name(&sheet, buf_copy(paths->rows[paths->of_path[call->path]].name),
                       NULL);
    }
    sheet_print(out, &sheet, view->style.mlton);
}

/* Prints a histogram of each selected region that has calls, in the order of the rows. */
static void print_histogram(FILE *out, const struct view *view)
{
    if (!view_has_regions(view))
        return;
    const struct regionrows *rows = regions_table_rows(view);
    struct regionevents events;
    size_t shown = 0;
    regionevents_fill(&events, view->profile);
    for (size_t i = 0; i < rows->count; i++) {
        if (!view->selected[i] || !rows->rows[i].sums.count ||
            (view->style.top && shown == view->style.top))
            continue;
        if (shown++)
            putc('\n', out);
        const struct regionrows_row *row = &rows->rows[i];
        print_one(out, rows, row, row->name, range_of(row, NULL, LINES));
        print_longest(out, view, &events, i);
    }
    regionevents_free(&events);
}

void histogram_print_sides(FILE *out, const char *name,
                           const struct histogram_side sides[2])
{
    bool has[2];
    for (size_t s = 0; s < 2; s++)
        has[s] = sides[s].row && sides[s].row->sums.count;
    const struct range range =
        range_of(has[0] ? sides[0].row : NULL, has[1] ? sides[1].row : NULL, LINES);
    for (size_t s = 0; s < 2; s++) {
        BUF_OWN char *head = buf_format("%s, %s", name, sides[s].head);
        if (s)
            putc('\n', out);
        if (has[s])
            print_one(out, sides[s].rows, sides[s].row, head, range);
        else
            fprintf(out, "%s: no calls\n", head);
    }
}

const struct views_entry histogram_entry = {
    .name = "histogram",
    .topic = TOPIC_REGIONS,
    .use = 2,
    .help = "print how long calls of matching regions took",
    .details =
        "Prints how many calls took how long. Each line is an eighth of a doubling\n"
        "or more. <re> is an extended regular expression, found anywhere in the name\n"
        "that -regions shows; ^ and $ are the ends. With -compare: before and after.\n"
        "If the run had CCPROF=events=N, the longest calls follow, with their times\n"
        "and places.",
    .takes = VIEWS_PATTERN,
    .kind = OUTPUTS_HISTOGRAMS,
    .facts = VIEWS_REGIONS,
    .affects = OUTPUTS_COMPARISON,
    .data = {{&buckets_table, regions_table_fill_buckets},
             {&events_table, regions_table_fill_events}},
    .check = regionsview_check,
    .find = find_histogram_functions,
    .finds = "region",
    .head = regionsview_print_header,
    .print = print_histogram,
};
