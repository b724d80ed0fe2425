/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the cells of a table, measures the columns, drops columns that do not fit
   into the terminal, and prints the rows. MLton's layout (names first) is printed by
   print_mlton. */

#include "mlprof/columns/sheet.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/index.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/columns/layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Number of blanks between two columns. */
#define GAP FITTED_GAP

/* Minimum width of the last column on any terminal. */
#define LAST_LEAST 24

/* The minimum width of the last column if it has names with a position or place, and
   if other columns have texts. If there is less room, each name gets a line of its
   own, because neither the name nor its place would be readable. */
#define PLACED_LEAST 34

/* Limits for columns of text before the last column: the maximum width, and the
   minimum width on a narrow terminal. */
#define TEXT_MOST  80
#define TEXT_LEAST 12

/* Escape sequences (ECMA-48, 8.3.117). */
#define RESET "\033[0m"
#define BOLD  "\033[1m"
#define FAINT "\033[2m"
static const char *const colours[] = {
    [SHEET_PLAIN] = "", [SHEET_WARM] = "\033[33m", [SHEET_HOT] = "\033[1;31m"};

void sheet_column(struct sheet *sheet, const char *head, enum sheet_side side, int place)
{
    assert(sheet->count == 0);
    BUF_PUSH(sheet->columns) = (struct sheet_column){head, side, place, 0};
}

void sheet_set_drop_rank(struct sheet *sheet, unsigned rank)
{
    sheet->columns.list[sheet->columns.count - 1].drop_rank = rank;
}

/* Returns TEXT without control characters, but with the marks of its parts; frees
   TEXT. */
static char *clean(char *text)
{
    char *cleaned = text_clean_but(text, TEXT_PART);
    free(text);
    return cleaned;
}

static void put_cell(struct sheet *sheet, char *cell)
{
    BUF_NEXT(sheet->cells, sheet->count, sheet->capacity) = cell;
}

void sheet_put(struct sheet *sheet, char *text)
{
    put_cell(sheet, clean(text));
}

/* Returns a cell of TEXT and, unless it is NULL, MORE behind MARK. Frees both. */
static char *join(char *text, char mark, char *more)
{
    BUF_OWN char *first = clean(text);
    BUF_OWN char *second = more ? clean(more) : NULL;
    return second ? buf_format("%s%c%s", first, mark, second) : buf_copy(first);
}

void sheet_put_name(struct sheet *sheet, char *name, char *position)
{
    put_cell(sheet, join(name, FITTED_POSITION, position));
}

void sheet_put_place(struct sheet *sheet, char *name, char *place)
{
    put_cell(sheet, join(name, FITTED_PLACE, place));
}

void sheet_put_text(struct sheet *sheet, char *name, char *place, char *text)
{
    BUF_OWN char *both = join(place, FITTED_TEXT, text);
    BUF_OWN char *first = clean(name);
    put_cell(sheet, buf_format("%s%c%s", first, FITTED_PLACE, both));
}

void sheet_tone(struct sheet *sheet, enum sheet_tone tone)
{
    size_t row = sheet->count / sheet->columns.count;
    sheet->tones.list = buf_grow(sheet->tones.list, &sheet->tones.capacity, row + 1,
                                 sizeof *sheet->tones.list);
    while (sheet->tones.count <= row)
        sheet->tones.list[sheet->tones.count++] = SHEET_PLAIN;
    sheet->tones.list[row] = tone;
}

static size_t rows_of(const struct sheet *sheet)
{
    return sheet->count / sheet->columns.count;
}

/* Prints the cells in the order of MLton's columns. A name and its position are one
   text. */
static size_t print_mlton(FILE *out, const struct sheet *sheet)
{
    size_t columns = sheet->columns.count, rows = rows_of(sheet);
    BUF_OWN size_t *order = buf_alloc(columns * sizeof *order);
    BUF_OWN const char **heads = buf_alloc(columns * sizeof *heads);
    BUF_OWN char **cells = buf_alloc((sheet->count + 1) * sizeof *cells);
    for (size_t c = 0; c < columns; c++) {
        size_t at = c;
        for (; at > 0 &&
               sheet->columns.list[order[at - 1]].place > sheet->columns.list[c].place;
             at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    for (size_t c = 0; c < columns; c++) {
        heads[c] = sheet->columns.list[order[c]].head;
        for (size_t r = 0; r < rows; r++) {
            const char *cell = sheet->cells[r * columns + order[c]];
            BUF_OWN char *plain = text_plain(cell);
            size_t name = strcspn(plain, FITTED_MARKS);
            cells[r * columns + c] =
                plain[name] ? buf_format("%.*s  %s", (int)name, plain, plain + name + 1)
                            : buf_copy(plain);
        }
    }
    layout_print(out, heads, columns, cells, rows);
    for (size_t i = 0; i < rows * columns; i++)
        free(cells[i]);
    return rows;
}

/* Sets WIDTHS for all columns except the last one, and leaves at least LAST columns
   for the last one. */
static void measure(const struct sheet *sheet, size_t line, size_t last, size_t *widths)
{
    size_t columns = sheet->columns.count, used = 0, texts = 0;
    for (size_t c = 0; c + 1 < columns; c++) {
        size_t most = sheet->columns.list[c].side == SHEET_TEXT ? TEXT_MOST : SIZE_MAX;
        widths[c] = text_width(sheet->columns.list[c].head);
        for (size_t i = c; i < sheet->count; i += columns) {
            size_t width = text_width(sheet->cells[i]);
            if (width > widths[c])
                widths[c] = width < most ? width : most;
        }
        used += widths[c] + GAP;
        texts += sheet->columns.list[c].side == SHEET_TEXT;
    }
    if (!line || !texts)
        return;
    /* Columns of text share the room that is left by numbers and by the last column. */
    for (size_t c = 0; c + 1 < columns; c++)
        if (sheet->columns.list[c].side == SHEET_TEXT)
            used -= widths[c];
    size_t free_room = line > used + last ? line - used - last : 0;
    size_t each = free_room / texts > TEXT_LEAST ? free_room / texts : TEXT_LEAST;
    for (size_t c = 0; c + 1 < columns; c++)
        if (sheet->columns.list[c].side == SHEET_TEXT && widths[c] > each)
            widths[c] = each;
}

/* Returns the width of all columns except the last, including the gap after each. */
static size_t used_by(const struct sheet *sheet, const size_t *widths)
{
    size_t used = 0;
    for (size_t c = 0; c + 1 < sheet->columns.count; c++)
        used += widths[c] + GAP;
    return used;
}

static void remove_column(struct sheet *sheet, size_t column)
{
    size_t kept = 0;
    for (size_t i = 0; i < sheet->count; i++)
        if (i % sheet->columns.count == column)
            free(sheet->cells[i]);
        else
            sheet->cells[kept++] = sheet->cells[i];
    sheet->count = kept;
    sheet->columns.count--;
    memmove(&sheet->columns.list[column], &sheet->columns.list[column + 1],
            (sheet->columns.count - column) * sizeof *sheet->columns.list);
}

/* Returns whether the last column has names with a position or place, and other
   columns have texts, which can be shortened. */
static bool has_texts(const struct sheet *sheet)
{
    bool texts = false, placed = false;
    for (size_t c = 0; c + 1 < sheet->columns.count; c++)
        texts |= sheet->columns.list[c].side == SHEET_TEXT;
    for (size_t i = sheet->columns.count - 1; i < sheet->count; i += sheet->columns.count)
        placed |= sheet->cells[i][strcspn(sheet->cells[i], FITTED_MARKS)] != '\0';
    return texts && placed;
}

/* Returns the minimum width of the last column: the width of the longest name if no
   name has a position or place, but at most LAST_LEAST; PLACED_LEAST if the line must
   have texts and places. */
static size_t last_minimum(const struct sheet *sheet)
{
    if (has_texts(sheet))
        return PLACED_LEAST;
    size_t most = text_width(sheet->columns.list[sheet->columns.count - 1].head);
    for (size_t i = sheet->columns.count - 1; i < sheet->count;
         i += sheet->columns.count) {
        size_t width = text_width(sheet->cells[i]);
        if (width > LAST_LEAST || sheet->cells[i][strcspn(sheet->cells[i], FITTED_MARKS)])
            return LAST_LEAST;
        most = width > most ? width : most;
    }
    return most;
}

/* Removes columns in the order of their drop rank until the last column has room. */
static void make_room(struct sheet *sheet, size_t line)
{
    BUF_OWN size_t *widths = buf_alloc(sheet->columns.count * sizeof *widths);
    while (line) {
        size_t column = 0;
        measure(sheet, line, LAST_LEAST, widths);
        for (size_t i = 1; i < sheet->columns.count; i++)
            if (sheet->columns.list[i].drop_rank > sheet->columns.list[column].drop_rank)
                column = i;
        if (used_by(sheet, widths) + last_minimum(sheet) <= line ||
            !sheet->columns.list[column].drop_rank)
            break;
        remove_column(sheet, column);
    }
    /* Too many numbers, even with each name on a line of its own. */
    while (line && sheet->columns.count > 2) {
        measure(sheet, line, 0, widths);
        if (used_by(sheet, widths) <= line + GAP)
            break;
        remove_column(sheet, sheet->columns.count - 2);
    }
}

static void put_blanks(FILE *out, size_t count)
{
    while (count--)
        putc(' ', out);
}

/* The state of printing rows. Blanks are printed only before a text. */
struct printer {
    FILE *out;
    bool coloured, shortens;
    bool below;        /* the last column is printed on lines of its own */
    size_t pending;    /* number of blanks before the next text */
    const char *scope; /* scope that most names begin with, or NULL */
};

static void put(struct printer *printer, const char *text, const char *colour)
{
    bool coloured = printer->coloured && colour[0];
    if (!text[0])
        return;
    put_blanks(printer->out, printer->pending);
    printer->pending = 0;
    if (coloured)
        fputs(colour, printer->out);
    fputs(text, printer->out);
    if (coloured)
        fputs(RESET, printer->out);
}

/* Prints the last column of a row and the row's continuation lines. */
static void put_last(struct printer *printer, const struct fitted *fitted,
                     const char *colour)
{
    const char *scope = printer->scope;
    if (printer->coloured && scope && text_begins(fitted->name, scope)) {
        put(printer, scope, FAINT);
        put(printer, fitted->name + strlen(scope), colour);
    } else {
        put(printer, fitted->name, colour);
    }
    printer->pending += GAP;
    if (fitted->suffix) {
        put(printer, fitted->suffix, FAINT);
        printer->pending += GAP;
    }
    if (fitted->text && !fitted->text_below)
        put(printer, fitted->text, "");
    const char *const lines[] = {fitted->distinction, fitted->place,
                                 fitted->text_below ? fitted->text : NULL};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!lines[i])
            continue;
        putc('\n', printer->out);
        printer->pending = FITTED_INDENT;
        put(printer, lines[i], FAINT);
    }
    putc('\n', printer->out);
}

static void put_row(struct printer *printer, const struct sheet *sheet,
                    const size_t *widths, const char *const *cells,
                    const struct fitted *fitted, const char *colour, const char *last)
{
    size_t columns = sheet->columns.count;
    printer->pending = 0;
    for (size_t c = 0; c + 1 < columns; c++) {
        bool number = sheet->columns.list[c].side == SHEET_NUMBER;
        char *shorter =
            number || !printer->shortens ? NULL : cxxname_fit(cells[c], widths[c]);
        const char *shown = shorter ? shorter : cells[c];
        size_t width = text_width(shown),
               spare = widths[c] > width ? widths[c] - width : 0;
        printer->pending += number ? spare : 0;
        put(printer, shown, number ? colour : last);
        printer->pending += (number ? 0 : spare) + GAP;
        free(shorter);
    }
    if (printer->below) {
        putc('\n', printer->out);
        printer->pending = FITTED_INDENT;
    }
    put_last(printer, fitted, last);
}

/* Returns the longest scope, including its colons, with which more than half of the
   names begin; freed by free. Scopes inside brackets are ignored. Returns NULL if
   there is no such scope. */
static char *find_scope(const struct fitted *fitted, size_t rows)
{
    struct intern scopes = {0};
    size_t *counts = NULL, capacity = 0, count = 0;
    const char *found = NULL;
    for (size_t r = 0; r < rows; r++)
        for (const char *at = fitted[r].name; *at && !strchr("<([{", *at); at++) {
            if (!text_begins(at, "::"))
                continue;
            char *scope =
                buf_copy_prefix(fitted[r].name, (size_t)(at + 2 - fitted[r].name));
            uint32_t number = intern_put(&scopes, scope);
            free(scope);
            while (count <= number) {
                BUF_NEXT(counts, count, capacity) = 0;
            }
            counts[number]++;
        }
    for (uint32_t i = 0; i < count; i++)
        if (2 * counts[i] > rows && counts[i] > 1 &&
            (!found || strlen(intern_text(&scopes, i)) > strlen(found)))
            found = intern_text(&scopes, i);
    char *text = found ? buf_copy(found) : NULL;
    free(counts);
    intern_free(&scopes);
    return text;
}

void sheet_line(FILE *out, const char *before, char *name, char *position)
{
    size_t line = terminal_columns(out), used = text_width(before) + 1;
    struct printer printer = {.out = out, .coloured = terminal_colours(out)};
    BUF_OWN char *cell = join(name, FITTED_POSITION, position);
    struct fitted *fitted =
        fitted_make((const char *const *)&cell, 1, 1,
                    line > used + LAST_LEAST ? line - used : LAST_LEAST, line);
    put(&printer, before, "");
    printer.pending = before[0] != 0;
    put_last(&printer, fitted, BOLD);
    fitted_free(fitted, 1);
}

/* Returns the number of lines of a row. */
static size_t lines_of(const struct printer *printer, const struct fitted *fitted)
{
    return 1U + printer->below + (fitted->distinction != NULL) + (fitted->place != NULL) +
           (fitted->text && fitted->text_below);
}

static size_t print_columns(FILE *out, const struct sheet *sheet)
{
    size_t columns = sheet->columns.count, rows = rows_of(sheet),
           line = terminal_columns(out), room = LAST_LEAST;
    BUF_OWN size_t *widths = buf_alloc(columns * sizeof *widths);
    BUF_OWN const char **heads = buf_alloc(columns * sizeof *heads);
    struct printer printer = {
        .out = out, .coloured = terminal_colours(out), .shortens = line != 0};
    measure(sheet, line, LAST_LEAST, widths);
    size_t used = used_by(sheet, widths);
    printer.below =
        line >= FITTED_INDENT + LAST_LEAST && used + last_minimum(sheet) > line;
    if (printer.below) {
        measure(sheet, line, 0, widths);
        used = FITTED_INDENT;
    }
    if (line > used + LAST_LEAST)
        room = line - used;
    for (size_t c = 0; c < columns; c++)
        heads[c] = sheet->columns.list[c].head;
    struct fitted *head = fitted_make(&heads[columns - 1], 1, 1, room, line);
    put_row(&printer, sheet, widths, heads, head, BOLD, BOLD);
    fitted_free(head, 1);
    const char *const *cells = (const char *const *)sheet->cells;
    struct fitted *fitted =
        fitted_make(rows ? cells + columns - 1 : NULL, columns, rows, room, line);
    char *scope = printer.coloured ? find_scope(fitted, rows) : NULL;
    printer.scope = scope;
    size_t lines = 0, printed = 0;
    for (; printed < rows; printed++) {
        size_t height = lines_of(&printer, &fitted[printed]);
        lines += height;
        if (sheet->lines && printed && lines > sheet->lines)
            break;
        if (sheet->heights)
            sheet->heights[printed] = height;
        put_row(&printer, sheet, widths, cells + printed * columns, &fitted[printed],
                colours[printed < sheet->tones.count ? sheet->tones.list[printed]
                                                     : SHEET_PLAIN],
                "");
    }
    free(scope);
    fitted_free(fitted, rows);
    return printed;
}

static void free_sheet(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
    free(sheet->columns.list);
    free(sheet->tones.list);
    *sheet = (struct sheet){0};
}

size_t sheet_print(FILE *out, struct sheet *sheet, bool mlton)
{
    assert(sheet->columns.count > 0 && sheet->count % sheet->columns.count == 0);
    assert(sheet->columns.list[sheet->columns.count - 1].side == SHEET_TEXT);
    if (!mlton)
        make_room(sheet, terminal_columns(out));
    size_t printed = mlton ? print_mlton(out, sheet) : print_columns(out, sheet);
    free_sheet(sheet);
    return printed;
}

char *sheet_text(struct sheet *sheet)
{
    BUF_OWN char *plain = text_plain(sheet->cells[0]);
    const size_t name = strcspn(plain, FITTED_MARKS);
    char *text = plain[name] ? buf_format("%.*s  %s", (int)name, plain, plain + name + 1)
                             : buf_copy(plain);
    free_sheet(sheet);
    return text;
}
