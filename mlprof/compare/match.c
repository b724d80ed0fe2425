/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/match.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/pairing.h"

#include <stdlib.h>
#include <string.h>

/* The rows found so far.  */
struct matching {
    struct match *match;
    size_t capacity;            /* of rows */
    struct pairing_item *items; /* by row */
    size_t item_capacity;
    struct intern texts;
    bool told; /* a side knows its files only as the compiler was told them */
};

static uint32_t *cell(const struct match *match, size_t row, size_t side)
{
    return &match->functions[row * match->sides + side];
}

/* A function as it is matched; an allocation is where it is within its function.  */
static struct pairing_item item_of(struct matching *matching,
                                   const struct side_function *function)
{
    const char *path = function->allocation                ? function->allocation->within
                       : function->path && !matching->told ? function->path
                                                           : function->file;
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

/* A function of one side.  Functions are sorted by line, so that several of one name are
   matched in order.  */
struct ordered {
    const struct side_function *function;
    uint32_t number;
};

static int by_line(const void *one, const void *other)
{
    const struct ordered *a = one, *b = other;
    int order = side_by_line(a->function, b->function);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static void add_side(struct matching *matching, const struct side *side, size_t nth)
{
    size_t count = side->function_count;
    struct ordered *ordered = buf_alloc((count + 1) * sizeof *ordered);
    struct pairing_item *items = buf_alloc((count + 1) * sizeof *items);
    uint32_t *same = buf_alloc((count + 1) * sizeof *same);
    for (size_t i = 0; i < count; i++)
        ordered[i] = (struct ordered){&side->functions[i], (uint32_t)i};
    if (count)
        qsort(ordered, count, sizeof *ordered, by_line);
    for (size_t i = 0; i < count; i++)
        items[i] = item_of(matching, ordered[i].function);
    pairing_find(&matching->texts, matching->items, matching->match->count, items, count,
                 same);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = same[i] == PAIRING_NONE ? add_row(matching, items[i]) : same[i];
        *cell(matching->match, row, nth) = ordered[i].number;
    }
    free(ordered);
    free(items);
    free(same);
}

/* A row while rows are sorted.  */
struct named {
    const struct side_function *function;
    size_t row;
};

/* Lines, expressions and allocations of one function, in the order of the source.  */
static int by_place(const struct side_function *one, const struct side_function *other)
{
    int order = strcmp(one->file ? one->file : "", other->file ? other->file : "");
    if (order == 0)
        order = (one->line > other->line) - (one->line < other->line);
    return order ? order : (one->column > other->column) - (one->column < other->column);
}

static int by_name(const void *one, const void *other)
{
    const struct named *a = one, *b = other;
    int order = strcmp(a->function->shown, b->function->shown);
    if (order == 0 && ((a->function->place && b->function->place) ||
                       (a->function->allocation && b->function->allocation)))
        order = by_place(a->function, b->function);
    if (order == 0)
        order = strcmp(a->function->key, b->function->key);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static void sort(struct match *match, const struct side *const *sides)
{
    struct named *order = buf_alloc((match->count + 1) * sizeof *order);
    for (size_t row = 0; row < match->count; row++)
        order[row] = (struct named){match_function(match, sides, row), row};
    if (match->count)
        qsort(order, match->count, sizeof *order, by_name);
    uint32_t *sorted =
        buf_alloc((match->count * match->sides + 1) * sizeof *match->functions);
    for (size_t row = 0; row < match->count; row++)
        memcpy(&sorted[row * match->sides], cell(match, order[row].row, 0),
               match->sides * sizeof *sorted);
    free(match->functions);
    match->functions = sorted;
    free(order);
}

void match_find(struct match *match, const struct side *const *sides, size_t count)
{
    *match = (struct match){.sides = count};
    struct matching matching = {.match = match};
    for (size_t i = 0; i < count; i++)
        matching.told |= !sides[i]->identity.index.count;
    for (size_t i = 0; i < count; i++)
        add_side(&matching, sides[i], i);
    sort(match, sides);
    intern_free(&matching.texts);
    free(matching.items);
}

const struct side_function *match_function(const struct match *match,
                                           const struct side *const *sides, size_t row)
{
    for (size_t i = match->sides; i-- > 0;)
        if (*cell(match, row, i) != MATCH_NONE)
            return &sides[i]->functions[*cell(match, row, i)];
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
