/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/report.h"
#include "mlprof/buf.h"
#include "mlprof/layout.h"
#include "mlprof/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static double seconds(const struct profile *profile, uint64_t samples)
{
    return (double)samples / (double)profile->rate;
}

/* The second number is MLton's time in the garbage collector; there is none here.  */
static void print_header(FILE *out, const struct profile *profile)
{
    if (!profile->kind)
        return;
    char *total = text_commas(seconds(profile, profile->samples), 2);
    fprintf(out, "%s seconds of CPU time (0.00 seconds GC)\n", total);
    free(total);
}

static char *label(const struct rows_row *row, const struct report_style *style)
{
    char *text;
    const char *name = row->name;
    if (!style->long_name && row->file)
        name = text_last_component(name);
    if (style->show_line && row->file && row->line)
        text = buf_format("%s  %s: %" PRIu32, name, row->file, row->line);
    else if (style->show_line && row->file)
        text = buf_format("%s  %s: ?", name, row->file);
    else
        return text_clean(name);
    char *clean = text_clean(text);
    free(text);
    return clean;
}

static size_t make_cells(char **cells, const struct profile *profile,
                         const struct rows *rows, const struct report_style *style)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        double percent = rows_percent(row->cur, rows->total);
        if (percent < style->thresh)
            continue;
        cells[count++] = label(row, style);
        cells[count++] = buf_format("%.1f%%", percent);
        if (style->raw)
            cells[count++] = buf_format("(%.2fs)", seconds(profile, row->cur));
    }
    return count;
}

void report_print(FILE *out, const struct profile *profile, const struct rows *rows,
                  const struct report_style *style)
{
    static const char *const heads[] = {"function", "cur", "raw"};
    size_t columns = style->raw ? 3 : 2;
    char **cells = buf_alloc(rows->count * columns * sizeof *cells);
    size_t count = make_cells(cells, profile, rows, style);

    print_header(out, profile);
    layout_print(out, heads, columns, cells, count / columns);
    for (size_t i = 0; i < count; i++)
        free(cells[i]);
    free(cells);
}
