/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each function of each side a row. Functions of two sides are paired by key and
   file (names/identity.h); allocations and lines by their position. */

#include "mlprof/compare/match.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/identity.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The rows found so far. */
struct matching {
    struct match *match;
    size_t capacity;            /* of rows */
    struct pairing_item *items; /* by row */
    size_t item_capacity;
    struct intern texts;
    bool file_only; /* for some side only FILE is known, not PATH */
};

static uint32_t *cell(const struct match *match, size_t row, size_t side)
{
    return &match->functions[row * match->sides + side];
}

/* Returns the key and the file for matching a function. */
static struct pairing_item item_of(struct matching *matching,
                                   const struct runset_function *function)
{
    const char *path =
        function->path && !matching->file_only ? function->path : function->file;
    return (struct pairing_item){intern_put(&matching->texts, function->key),
                                 path ? intern_put(&matching->texts, path)
                                      : PAIRING_NONE};
}

static uint32_t add_row(struct matching *matching, struct pairing_item item)
{
    struct match *match = matching->match;
    match->functions = buf_grow(match->functions, &matching->capacity, match->count + 1,
                                match->sides * sizeof *match->functions);
    matching->items = buf_grow(matching->items, &matching->item_capacity,
                               match->count + 1, sizeof *matching->items);
    matching->items[match->count] = item;
    for (size_t i = 0; i < match->sides; i++)
        *cell(match, match->count, i) = MATCH_NONE;
    return (uint32_t)match->count++;
}

/* Adds the functions by line, so that functions of the same name are matched in
   order. */
static void add_side(struct matching *matching, const struct runset *side, size_t nth)
{
    size_t count = side->functions.count;
    BUF_OWN uint32_t *order = runset_by_line(side);
    BUF_OWN struct pairing_item *items = buf_alloc((count + 1) * sizeof *items);
    BUF_OWN uint32_t *same = buf_alloc((count + 1) * sizeof *same);
    for (size_t i = 0; i < count; i++)
        items[i] = item_of(matching, &side->functions.list[order[i]]);
    pairing_find(&matching->texts, matching->items, matching->match->count, items, count,
                 same);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = same[i] == PAIRING_NONE ? add_row(matching, items[i]) : same[i];
        *cell(matching->match, row, nth) = order[i];
    }
}

/* A row and the function that it is sorted by. */
struct named {
    const struct runset_function *function;
    size_t row;
};

/* Compares lines, expressions or sites of one function by their position in the
   source. */
BUF_COMPARE(by_place, struct runset_function,
            strcmp(a->file ? a->file : "", b->file ? b->file : "")
                    ?: BUF_ORDER(a->line, b->line)
                    ?: BUF_ORDER(a->column, b->column))

static int by_name(const void *one, const void *other)
{
    const struct named *a = one, *b = other;
    int order = strcmp(a->function->shown, b->function->shown);
    if (order == 0 && a->function->place && b->function->place)
        order = by_place(a->function, b->function);
    return order ?: strcmp(a->function->key, b->function->key)
                 ?: BUF_ORDER(a->row, b->row);
}

static void sort(struct match *match, const struct runset *const *sides)
{
    BUF_OWN struct named *order = buf_alloc((match->count + 1) * sizeof *order);
    for (size_t row = 0; row < match->count; row++)
        order[row] = (struct named){match_function(match, sides, row), row};
    BUF_SORT(order, match->count, by_name);
    uint32_t *sorted =
        buf_alloc((match->count * match->sides + 1) * sizeof *match->functions);
    for (size_t row = 0; row < match->count; row++)
        memcpy(&sorted[row * match->sides], cell(match, order[row].row, 0),
               match->sides * sizeof *sorted);
    free(match->functions);
    match->functions = sorted;
}

void match_find(struct match *match, const struct runset *const *sides, size_t count)
{
    *match = (struct match){.sides = count};
    struct matching matching = {.match = match};
    for (size_t i = 0; i < count; i++)
        matching.file_only |= !sides[i]->identity.index.count;
    for (size_t i = 0; i < count; i++)
        add_side(&matching, sides[i], i);
    sort(match, sides);
    intern_free(&matching.texts);
    free(matching.items);
}

const struct runset_function *
match_function(const struct match *match, const struct runset *const *sides, size_t row)
{
    for (size_t i = match->sides; i-- > 0;)
        if (*cell(match, row, i) != MATCH_NONE)
            return &sides[i]->functions.list[*cell(match, row, i)];
    return NULL;
}

uint32_t *match_rows(const struct match *match, size_t side, size_t *count)
{
    *count = 0;
    for (size_t row = 0; row < match->count; row++) {
        uint32_t function = match->functions[row * match->sides + side];
        if (function != MATCH_NONE && function >= *count)
            *count = (size_t)function + 1;
    }
    uint32_t *rows = buf_alloc((*count + 1) * sizeof *rows);
    for (size_t i = 0; i < *count; i++)
        rows[i] = MATCH_NONE;
    for (size_t row = 0; row < match->count; row++) {
        uint32_t function = match->functions[row * match->sides + side];
        if (function != MATCH_NONE)
            rows[function] = (uint32_t)row;
    }
    return rows;
}

void match_free(struct match *match)
{
    free(match->functions);
    memset(match, 0, sizeof *match);
}

bool *match_names_alike(const struct match *match, const struct runset *const *sides)
{
    struct intern texts = {0};
    BUF_OWN uint32_t *counts = buf_alloc((match->count + 1) * sizeof *counts);
    BUF_OWN uint32_t *numbers = buf_alloc((match->count + 1) * sizeof *numbers);
    bool *alike = buf_alloc((match->count + 1) * sizeof *alike);
    for (size_t row = 0; row < match->count; row++) {
        numbers[row] = intern_put(&texts, match_function(match, sides, row)->shown);
        counts[numbers[row]]++;
    }
    for (size_t row = 0; row < match->count; row++)
        alike[row] = counts[numbers[row]] > 1;
    intern_free(&texts);
    return alike;
}

char *match_names_text(struct source_files *files, const struct runset_function *function)
{
    if (!files || !function->place || !function->path || !function->line)
        return NULL;
    BUF_OWN char *line =
        source_files_line(source_files_get(files, function->path), function->line);
    return line ? buf_copy(line + strspn(line, " ")) : NULL;
}

/* To number equal lines, at most this many lines before a line are searched. */
#define MOST_BEFORE 2000

/* Returns a text with the columns and the number of lines of an expression, but
   without line numbers. The caller frees the text. */
static char *columns_of(const struct runset_function *function)
{
    const struct rows_range *range = &function->range;
    return buf_format(" %" PRIu32 "-%" PRIu32 ":%" PRIu32, range->column,
                      range->end_line - range->line, range->end_column);
}

/* Returns the number of lines in the function of FUNCTION that precede its line and
   equal TEXT. */
static uint32_t alike_before(struct source_files *files,
                             const struct runset_function *function, const char *text)
{
    struct runset_function candidate = *function;
    uint32_t alike = 0;
    candidate.line =
        function->start && function->start < function->line ? function->start : 1;
    if (function->line > MOST_BEFORE && candidate.line < function->line - MOST_BEFORE)
        candidate.line = function->line - MOST_BEFORE;
    for (; candidate.line < function->line; candidate.line++) {
        BUF_OWN char *other = match_names_text(files, &candidate);
        alike += other && strcmp(other, text) == 0;
    }
    return alike;
}

/* Returns the number of the file of FUNCTION, an index of LACKS in
   match_names_key_places. */
static uint32_t put_file(struct intern *names, const struct runset_function *function)
{
    return intern_put(names, function->file ? path_last(function->file) : "");
}

void match_names_key_places(struct runset *const *sides, size_t count,
                            struct source_files *files)
{
    struct intern names = {0};
    size_t all = 0;
    for (size_t s = 0; s < count; s++)
        all += sides[s]->functions.count;
    BUF_OWN bool *lacks = buf_alloc(all + 1);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < sides[s]->functions.count; i++) {
            BUF_OWN char *text = match_names_text(files, &sides[s]->functions.list[i]);
            lacks[put_file(&names, &sides[s]->functions.list[i])] |= !text;
        }
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < sides[s]->functions.count; i++) {
            struct runset_function *function = &sides[s]->functions.list[i];
            if (!function->within || !function->line)
                continue;
            BUF_OWN char *columns = columns_of(function);
            BUF_OWN char *text =
                lacks[put_file(&names, function)]
                    ? buf_format("%" PRId64, (int64_t)function->line - function->start)
                    : match_names_text(files, function);
            uint32_t nth = lacks[put_file(&names, function)]
                               ? 0
                               : alike_before(files, function, text);
            free(function->key);
            function->key =
                buf_format("%s\n%s\n%" PRIu32 "%s", function->within, text, nth, columns);
        }
    intern_free(&names);
}

void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct runset *const *sides, size_t row, bool with_line,
                     struct source_files *files)
{
    const struct runset_function *function = match_function(match, sides, row);
    if (function->place) {
        sheet_put_text(sheet, text_part(function->shown), buf_copy(function->place),
                       match_names_text(files, function));
        return;
    }
    BUF_OWN char *file = with_line && function->file ? text_clean(function->file) : NULL;
    char *position = file ? buf_format("%s: %" PRIu32, file, function->line) : NULL;
    sheet_put_name(sheet, text_clean(function->shown), position);
}
