/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first part shortens the last column (fitted_) and adds a continuation line if two
   rows would look the same. The second part lays out tables with several columns of
   names (layout_print). */

#include "mlprof/columns/layout.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/index.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a cell: NAME, then POSITION or PLACE, then, after a place, TEXT. If a
   part is missing, it is NULL. */
struct parts {
    char *name, *place;
    const char *position, *text;
};

static struct parts split_cell(const char *cell)
{
    size_t length = strcspn(cell, FITTED_MARKS);
    const char *rest = cell[length] ? cell + length + 1 : NULL;
    bool place = cell[length] == FITTED_PLACE;
    struct parts parts = {.name = buf_copy_prefix(cell, length),
                          .position = place ? NULL : rest};
    if (place) {
        size_t end = strcspn(rest, (const char[]){FITTED_TEXT, '\0'});
        parts.place = buf_copy_prefix(rest, end);
        parts.text = rest[end] ? rest + end + 1 : NULL;
    }
    return parts;
}

/* Returns the width of a continuation line on a terminal with LINE columns. */
static size_t continuation_width(size_t line)
{
    return line > FITTED_INDENT + 4 ? line - FITTED_INDENT : 4;
}

/* Puts the place after the name if both fit into ROOM columns, otherwise on a
   continuation line. */
static struct fitted fit_place(const struct parts *parts, size_t room, size_t line)
{
    char *name = text_plain(parts->name), *place = text_plain(parts->place);
    if (!line || text_width(name) + FITTED_GAP + text_width(place) <= room)
        return (struct fitted){.name = name, .suffix = place};
    free(name);
    free(place);
    return (struct fitted){
        .name = text_fit(parts->name, room, cxxname_fit),
        .place = text_fit(parts->place, continuation_width(line), cxxname_fit)};
}

/* Puts the source text after the name and place if it fits, otherwise on a
   continuation line. The text is cut at its end, since the beginning of a source line
   is more informative. */
static void add_text(struct fitted *fitted, const char *text, size_t room, size_t line)
{
    size_t used = text_width(fitted->name) + FITTED_GAP;
    if (fitted->suffix)
        used += text_width(fitted->suffix) + FITTED_GAP;
    fitted->text_below = line && (fitted->place || used + text_width(text) > room);
    fitted->text =
        fitted->text_below ? text_cut(text, continuation_width(line)) : buf_copy(text);
}

static struct fitted fit(const struct parts *parts, size_t room, size_t line)
{
    const char *position = parts->position;
    if (parts->place)
        return fit_place(parts, room, line);
    if (!line)
        return (struct fitted){.name = buf_copy(parts->name),
                               .suffix = position ? buf_copy(position) : NULL};
    if (!position)
        return (struct fitted){.name = cxxname_fit(parts->name, room)};
    room -= FITTED_GAP;
    size_t left = text_position(room, text_width(parts->name), position);
    return (struct fitted){.name = cxxname_fit(parts->name, room - left),
                           .suffix = text_path(position, left)};
}

/* Sets ALIKE[row] if the row is displayed like another row although their texts
   differ. Frees SHOWN and TEXTS. */
static void find_ambiguous(char **shown, char **texts, size_t rows, bool *ambiguous)
{
    struct intern intern = {0};
    BUF_OWN uint32_t *number = buf_alloc((rows + 1) * sizeof *number);
    BUF_OWN const char **first = buf_alloc((rows + 1) * sizeof *first);
    BUF_OWN bool *differ = buf_alloc((rows + 1) * sizeof *differ);
    for (size_t r = 0; r < rows; r++) {
        number[r] = intern_put(&intern, shown[r]);
        if (!first[number[r]])
            first[number[r]] = texts[r];
        differ[number[r]] |= strcmp(first[number[r]], texts[r]) != 0;
    }
    for (size_t r = 0; r < rows; r++) {
        ambiguous[r] = differ[number[r]];
        free(shown[r]);
    }
    for (size_t r = 0; r < rows; r++)
        free(texts[r]);
    free(shown);
    free(texts);
    intern_free(&intern);
}

/* Returns the text of a continuation line, which has NAME and POSITION; freed by free.
   One of the two may be empty. A name that is too wide loses its beginning, because
   instances of a template differ in their arguments. */
static char *continuation_text(const char *name, const char *position, size_t line)
{
    BUF_OWN char *plain = text_plain(name);
    BUF_OWN char *both = buf_format(
        "%s%*s%s", plain, plain[0] && position[0] ? FITTED_GAP : 0, "", position);
    char *text = plain[0] ? text_end(both, continuation_width(line))
                          : text_path(position, continuation_width(line));
    return text;
}

/* Gives a continuation line to each row that looks the same as another row. If rows
   with different names look the same, the line has the name. If rows with the same
   name but different positions look the same, the line has the position. */
static void add_distinctions(struct fitted *fitted, const struct parts *parts,
                             size_t rows, size_t line)
{
    BUF_OWN bool *names = buf_alloc((rows + 1) * sizeof *names),
                 *positions = buf_alloc((rows + 1) * sizeof *positions);
    char **shown = buf_alloc((rows + 1) * sizeof *shown),
         **texts = buf_alloc((rows + 1) * sizeof *texts);
    for (size_t r = 0; r < rows; r++) {
        const char *position = parts[r].position ? fitted[r].suffix : "";
        shown[r] = buf_format("%s%c%s", fitted[r].name, FITTED_POSITION, position);
        texts[r] = text_plain(parts[r].name);
    }
    find_ambiguous(shown, texts, rows, names);
    shown = buf_alloc((rows + 1) * sizeof *shown);
    texts = buf_alloc((rows + 1) * sizeof *texts);
    for (size_t r = 0; r < rows; r++) {
        const char *position = parts[r].position ? fitted[r].suffix : "";
        shown[r] = buf_format("%s%c%s", parts[r].name, FITTED_POSITION, position);
        texts[r] = buf_copy(parts[r].position ? parts[r].position : "");
    }
    find_ambiguous(shown, texts, rows, positions);
    for (size_t r = 0; r < rows; r++)
        if (names[r] || positions[r])
            fitted[r].distinction =
                continuation_text(names[r] ? parts[r].name : "",
                                  positions[r] ? parts[r].position : "", line);
}

struct fitted *fitted_make(const char *const *cells, size_t stride, size_t rows,
                           size_t room, size_t line)
{
    struct fitted *fitted = buf_alloc((rows + 1) * sizeof *fitted);
    BUF_OWN struct parts *parts = buf_alloc((rows + 1) * sizeof *parts);
    for (size_t r = 0; r < rows; r++) {
        parts[r] = split_cell(cells[r * stride]);
        fitted[r] = fit(&parts[r], room, line);
        if (parts[r].text)
            add_text(&fitted[r], parts[r].text, room, line);
    }
    if (line)
        add_distinctions(fitted, parts, rows, line);
    for (size_t r = 0; r < rows; r++) {
        free(parts[r].name);
        free(parts[r].place);
    }
    return fitted;
}

void fitted_free(struct fitted *fitted, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        free(fitted[r].name);
        free(fitted[r].suffix);
        free(fitted[r].distinction);
        free(fitted[r].place);
        free(fitted[r].text);
    }
    free(fitted);
}

/* Minimum width of the first column, and its maximum width if the line width is
   unlimited. A wider text is printed in full and shifts the other cells of its row. */
#define FIRST_LEAST 24
#define FIRST_MOST  80

/* Separates a name from its position; no name contains this. */
#define BEFORE_POSITION "  "

static void put_repeated(FILE *out, char c, size_t count)
{
    while (count--)
        putc(c, out);
}

/* Prints TEXT after AHEAD blanks, padded with blanks to WIDTH columns. */
static void put_cell(FILE *out, const char *text, size_t width, size_t ahead)
{
    size_t used = ahead + text_width(text);
    put_repeated(out, ' ', ahead);
    fputs(text, out);
    put_repeated(out, ' ', used < width ? width - used : 0);
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

/* Narrows the first column so that a row fits into LINE columns. LINE 0 means
   unlimited. */
static void fit_first(size_t line, size_t *widths, size_t columns)
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

/* Returns TEXT; freed by free. If it is wider than MOST columns, its name and its
   position are shortened separately and separated by two blanks. */
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
    BUF_OWN char *where = text_path(position, left),
                 *fitted = cxxname_fit(name, room - left);
    char *both = buf_format("%s" BEFORE_POSITION "%s", fitted, where);
    free(name);
    return both;
}

static void put_row(FILE *out, char *const *cells, const size_t *widths, size_t columns,
                    bool shorten)
{
    BUF_OWN char *first = shorten ? shortened(cells[0], widths[0]) : NULL;
    put_cell(out, first ? first : cells[0], widths[0], 0);
    for (size_t c = 1; c < columns; c++) {
        putc(' ', out);
        put_cell(out, cells[c], widths[c], widths[c] - text_width(cells[c]));
    }
    putc('\n', out);
}

void layout_print(FILE *out, const char *const *heads, size_t columns, char *const *cells,
                  size_t rows)
{
    assert(columns > 0);
    BUF_OWN size_t *widths = measure(heads, columns, cells, rows);
    size_t line = terminal_columns(out);
    fit_first(line, widths, columns);
    for (size_t c = 0; c < columns; c++) {
        put_repeated(out, ' ', c > 0);
        put_cell(out, heads[c], widths[c], (widths[c] - text_width(heads[c])) / 2);
    }
    putc('\n', out);
    for (size_t c = 0; c < columns; c++) {
        put_repeated(out, ' ', c > 0);
        put_repeated(out, '-', widths[c]);
    }
    putc('\n', out);
    for (size_t r = 0; r < rows; r++)
        put_row(out, cells + r * columns, widths, columns, line != 0);
}
