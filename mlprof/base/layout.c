/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/layout.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The least width of the first column, and the greatest where lines have no end.  A text
   that is wider than the greatest stands whole and moves the other cells of its row.  */
#define FIRST_LEAST 24
#define FIRST_MOST  80

/* Stands between a name and its position; no name contains this.  */
#define BEFORE_POSITION "  "

static void put_many(FILE *out, char c, size_t count)
{
    while (count--)
        putc(c, out);
}

/* Prints TEXT with AHEAD blanks before it, and blanks behind it up to WIDTH columns.  */
static void put_cell(FILE *out, const char *text, size_t width, size_t ahead)
{
    size_t used = ahead + text_width(text);
    put_many(out, ' ', ahead);
    fputs(text, out);
    put_many(out, ' ', used < width ? width - used : 0);
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

/* Makes the first column so narrow that a row fits into LINE columns; LINE 0: lines have
   no end.  */
static void fit(size_t line, size_t *widths, size_t columns)
{
    size_t others = 0;
    for (size_t c = 1; c < columns; c++)
        others += 1 + widths[c];
    size_t room = line > others + FIRST_LEAST ? line - others : FIRST_LEAST;
    if (!line)
        room = FIRST_MOST;
    if (widths[0] > room)
        widths[0] = room;
}

/* TEXT, or if it is wider than MOST columns, its name and its position, each shortened,
   with two blanks between them.  To be freed.  */
static char *shortened(const char *text, size_t most)
{
    const char *position = strstr(text, BEFORE_POSITION);
    if (!position)
        return cxxname_fit(text, most);
    size_t room = most - strlen(BEFORE_POSITION);
    position += strlen(BEFORE_POSITION);
    char *name =
        buf_copy_prefix(text, (size_t)(position - text) - strlen(BEFORE_POSITION));
    size_t left = text_position(room, text_width(name), position);
    char *where = text_path(position, left), *fitted = cxxname_fit(name, room - left);
    char *both = buf_format("%s" BEFORE_POSITION "%s", fitted, where);
    free(fitted);
    free(where);
    free(name);
    return both;
}

static void put_row(FILE *out, char *const *cells, const size_t *widths, size_t columns,
                    bool shorten)
{
    char *first = shorten ? shortened(cells[0], widths[0]) : NULL;
    put_cell(out, first ? first : cells[0], widths[0], 0);
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
    assert(columns > 0);
    size_t *widths = measure(heads, columns, cells, rows);
    size_t line = terminal_columns(out);
    fit(line, widths, columns);
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
        put_row(out, cells + r * columns, widths, columns, line != 0);
    free(widths);
}
