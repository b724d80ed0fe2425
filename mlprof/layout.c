/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/layout.h"
#include "mlprof/buf.h"
#include "mlprof/text.h"

#include <stdlib.h>

static void put_many(FILE *out, char c, size_t count)
{
    while (count--)
        putc(c, out);
}

/* TEXT with so many blanks on its left that AHEAD of the spare ones are there.  */
static void put_cell(FILE *out, const char *text, size_t width, size_t ahead)
{
    put_many(out, ' ', ahead);
    fputs(text, out);
    put_many(out, ' ', width - ahead - text_width(text));
}

static size_t *measure(const char *const *heads, size_t columns, char *const *cells,
                       size_t rows)
{
    size_t *widths = buf_alloc(columns * sizeof *widths);
    for (size_t c = 0; c < columns; c++)
        widths[c] = text_width(heads[c]);
    for (size_t i = 0; i < rows * columns; i++) {
        size_t width = text_width(cells[i]);
        if (widths[i % columns] < width)
            widths[i % columns] = width;
    }
    return widths;
}

static void put_row(FILE *out, char *const *cells, const size_t *widths, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        size_t spare = widths[c] - text_width(cells[c]);
        put_many(out, ' ', c > 0);
        put_cell(out, cells[c], widths[c], c > 0 ? spare : 0);
    }
    putc('\n', out);
}

void layout_print(FILE *out, const char *const *heads, size_t columns, char *const *cells,
                  size_t rows)
{
    size_t *widths = measure(heads, columns, cells, rows);
    for (size_t c = 0; c < columns; c++) {
        put_many(out, ' ', c > 0);
        put_cell(out, heads[c], widths[c], (widths[c] - text_width(heads[c])) / 2);
    }
    putc('\n', out);
    for (size_t c = 0; c < columns; c++) {
        put_many(out, ' ', c > 0);
        put_many(out, '-', widths[c]);
    }
    putc('\n', out);
    for (size_t r = 0; r < rows; r++)
        put_row(out, cells + r * columns, widths, columns);
    free(widths);
}
