/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/histogram.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/view/regionsview.h"

#include <math.h>
#include <stdlib.h>

#define NANOSECOND 1e-9

/* Columns where there is no terminal, and of a bar at least.  */
#define COLUMNS   80
#define BAR_LEAST 10

/* Lines that are still read at a glance.  */
#define LINES 32

/* Buckets of a doubling.  */
#define DOUBLING (1 << CCPROF_BUCKET_BITS)

static const struct regionrows *rows_of(const struct view *view)
{
    return &view->regions[view->style.regions];
}

size_t histogram_find(const struct view *view, const struct pattern *pattern,
                      bool *wanted)
{
    const struct regionrows *rows = rows_of(view);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        wanted[i] = pattern_is_in(pattern, rows->rows[i].name);
        count += wanted[i];
    }
    return count;
}

/* A line of a histogram.  */
struct line {
    double least, end; /* nanoseconds, without what it cost to measure; END is in the next
                          one */
    uint64_t count;
    double dense; /* calls for its width on a logarithmic scale */
    bool cold;    /* calls that were cold may be in it */
};

/* The line of a bucket if each has STEP of them.  */
static size_t line_of(size_t bucket, size_t step)
{
    return bucket / step;
}

/* How wide times from LEAST up to END are on a logarithmic scale; those of 0 ticks are
   half a tick long.  */
static double width_of(double least, double end)
{
    return log2(fmax(end, 1)) - log2(fmax(least, 0.5));
}

/* The histogram of a row that has calls, from the shortest to the longest one: as few
   buckets a line as are needed for MOST lines, but no more than a doubling.  Returns
   *COUNT lines, to be freed.  */
static struct line *make_lines(const struct regionrows *rows,
                               const struct regionrows_row *row, size_t most,
                               size_t *count)
{
    const struct regions_sums *sums = &row->sums;
    const struct regiontimes_cost *cost = &rows->cost;
    size_t first = 0, last = CCPROF_BUCKETS - 1, step = 1;
    while (first < last && !sums->buckets[first])
        first++;
    while (last > first && !sums->buckets[last])
        last--;
    while (step < DOUBLING && line_of(last, step) - line_of(first, step) >= most)
        step *= 2;
    *count = line_of(last, step) - line_of(first, step) + 1;
    struct line *lines = buf_alloc(*count * sizeof *lines);
    size_t cold_first = line_of(regions_bucket(sums->cold_min), step);
    size_t cold_last = line_of(regions_bucket(sums->cold_max), step);
    for (size_t i = 0; i < *count; i++) {
        size_t number = line_of(first, step) + i, bucket = number * step;
        uint64_t end = bucket + step < CCPROF_BUCKETS
                           ? regions_bucket_least(bucket + step)
                           : UINT64_MAX;
        lines[i].least =
            regiontimes_without(sums, cost, (double)regions_bucket_least(bucket));
        lines[i].end = regiontimes_without(sums, cost, (double)end);
        lines[i].cold = sums->cold && number >= cold_first && number <= cold_last;
        for (size_t k = bucket; k < bucket + step && k < CCPROF_BUCKETS; k++)
            lines[i].count += sums->buckets[k];
        lines[i].dense = (double)lines[i].count /
                         width_of((double)regions_bucket_least(bucket), (double)end);
    }
    return lines;
}

/* Puts the lines of which nothing is left, since measuring cost as much, into the next
   one. Returns how many they are.  */
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

static char *time_text(double nanoseconds)
{
    return text_time(nanoseconds * NANOSECOND);
}

/* What it is a histogram of, in a line.  */
static void print_title(FILE *out, const struct regionrows_row *row)
{
    const struct regiontimes *times = &row->times;
    char *calls = text_number(row->sums.count, "call"), *mean = time_text(times->mean);
    char *p50 = time_text(times->p50.at), *p99 = time_text(times->p99.at);
    char *max = time_text(times->max);
    char *place = row->place ? text_plain(row->place) : NULL;
    fprintf(out, "%s%s%s: %s, mean %s, p50 %s, p99 %s, max %s\n", row->name,
            place ? "  " : "", place ? place : "", calls, mean, p50, p99, max);
    free(place);
    free(calls);
    free(mean);
    free(p50);
    free(p99);
    free(max);
}

static void print_bar(FILE *out, double amount, double most, size_t width)
{
    size_t length = (size_t)(amount / most * (double)width + 0.5);
    if (amount > 0 && !length)
        putc('.', out);
    while (length--)
        putc('#', out);
}

/* The percentiles that are in the line.  */
static const char *mark_of(const struct regiontimes *times, const struct line *line)
{
    bool p50 = line->least <= times->p50.at && times->p50.at < line->end;
    bool p99 = line->least <= times->p99.at && times->p99.at < line->end;
    return p50 && p99 ? " p50 p99" : p50 ? " p50" : p99 ? " p99" : "";
}

/* Before the bar: two times of 7 columns, the calls of 12, their sum in percent of 7, a
   mark of 2; behind it the percentiles' marks.  */
#define FRONT 36
#define BACK  8

static void print_lines(FILE *out, const struct regionrows_row *row,
                        const struct line *lines, size_t count)
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
        char *least = time_text(line->least), *end = time_text(line->end);
        char *calls = text_commas((double)line->count, 0);
        sum += line->count;
        const char *mark = mark_of(&row->times, line);
        bool bar = line->count || *mark;
        fprintf(out, "%7s %7s %11s %5.1f%%", least, end, calls,
                100 * (double)sum / (double)row->sums.count);
        fputs(!line->cold ? bar ? "   " : "" : bar ? " c " : " c", out);
        print_bar(out, line->dense, most, width);
        fprintf(out, "%s\n", mark);
        free(calls);
        free(least);
        free(end);
    }
}

static void print_one(FILE *out, const struct regionrows *rows,
                      const struct regionrows_row *row)
{
    size_t count;
    struct line *lines = make_lines(rows, row, LINES, &count);
    size_t first = fold_empty(lines, count);
    print_title(out, row);
    print_lines(out, row, lines + first, count - first);
    if (row->sums.cold) {
        char *calls = text_number(row->sums.cold, "cold call");
        char *mean = time_text(row->times.cold), *min = time_text(row->times.cold_min);
        char *max = time_text(row->times.cold_max);
        fprintf(out, "c: %s, from %s to %s, mean %s\n", calls, min, max, mean);
        free(calls);
        free(mean);
        free(min);
        free(max);
    }
    free(lines);
}

void histogram_print(FILE *out, const struct view *view, const bool *wanted)
{
    const struct regionrows *rows = rows_of(view);
    size_t shown = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (!wanted[i] || !rows->rows[i].sums.count ||
            (view->style.top && shown == view->style.top))
            continue;
        if (shown++)
            putc('\n', out);
        print_one(out, rows, &rows->rows[i]);
    }
}
