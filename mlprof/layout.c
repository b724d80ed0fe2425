/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/layout.h"
#include "mlprof/buf.h"
#include "mlprof/terminal.h"
#include "mlprof/text.h"

#include <stdlib.h>

/* Least width of the first column.  */
#define FIRST_LEAST 24

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

/* Makes the first column so narrow that a row fits into a line of the terminal.  */
static void fit(FILE *out, size_t *widths, size_t columns)
{
    size_t line = terminal_columns(out), others = 0;
    for (size_t c = 1; c < columns; c++)
        others += 1 + widths[c];
    size_t room = line > others + FIRST_LEAST ? line - others : FIRST_LEAST;
    if (line && widths[0] > room)
        widths[0] = room;
}

static void put_row(FILE *out, char *const *cells, const size_t *widths, size_t columns)
{
    char *first = text_shorten(cells[0], widths[0]);
    put_cell(out, first, widths[0], 0);
    for (size_t c = 1; c < columns; c++) {
        putc(' ', out);
        put_cell(out, cells[c], widths[c], widths[c] - text_width(cells[c]));
    }
    putc('\n', out);
    free(first);
}

void layout_print(FILE *out, const char *const *heads, size_t columns, char *const *cells,
                  size_t rows)
{
    size_t *widths = measure(heads, columns, cells, rows);
    fit(out, widths, columns);
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
