/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/match.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* The rows found so far, by key and file of their functions.  */
struct matching {
    struct match *match;
    size_t capacity; /* of rows */
    struct intern texts;
    struct index index; /* of key, file, and the number among functions with both */
    uint32_t *row_of;   /* by number in the index */
    size_t row_of_capacity;
};

/* The number of the file of a function, or of where an allocation is.  */
static uint32_t file_number(struct matching *matching,
                            const struct side_function *function)
{
    const char *file =
        function->allocation ? function->allocation->within : function->file;
    return file ? intern_put(&matching->texts, file) : UINT32_MAX;
}

static uint32_t *cell(const struct match *match, size_t row, size_t side)
{
    return &match->functions[row * match->sides + side];
}

static uint32_t add_row(struct matching *matching)
{
    struct match *match = matching->match;
    match->functions = buf_grow(match->functions, &matching->capacity, match->count + 1,
                                match->sides * sizeof *match->functions);
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

/* Matches functions by key and file.  */
static void match_exactly(struct matching *matching, const struct ordered *ordered,
                          size_t count, size_t side)
{
    struct index seen = {0};
    uint32_t *counts = buf_alloc((count + 1) * sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        const struct side_function *function = ordered[i].function;
        uint32_t key = intern_put(&matching->texts, function->key);
        uint32_t file = file_number(matching, function);
        bool fresh;
        uint32_t which = counts[index_put(&seen, key, file, 0, &fresh)]++;
        uint32_t number = index_put(&matching->index, key, file, which, &fresh);
        if (fresh) {
            matching->row_of = buf_grow(matching->row_of, &matching->row_of_capacity,
                                        number + 1, sizeof *matching->row_of);
            matching->row_of[number] = add_row(matching);
        }
        *cell(matching->match, matching->row_of[number], side) = ordered[i].number;
    }
    free(counts);
    index_free(&seen);
}

/* The rows of one name that only the sides before have, or only this side.  */
struct lonely {
    uint32_t rows[2]; /* the last row: 0: of the sides before; 1: of this side */
    size_t counts[2];
};

/* Whether a side before SIDE has the row.  */
static bool is_earlier(const struct match *match, size_t row, size_t side)
{
    for (size_t i = 0; i < side; i++)
        if (*cell(match, row, i) != MATCH_NONE)
            return true;
    return false;
}

static const char *key_of(const struct match *match, const struct side *const *sides,
                          size_t row)
{
    return match_function(match, sides, row)->key;
}

/* Matches the functions that are left by name alone, if both this side and those before
   have one of the name: the function moves to the row of the sides before, and leaves its
   own row empty.  */
static void match_names(struct matching *matching, const struct side *const *sides,
                        size_t side)
{
    struct match *match = matching->match;
    struct index names = {0};
    struct lonely *lonely = buf_alloc((match->count + 1) * sizeof *lonely);
    for (size_t row = 0; row < match->count; row++) {
        bool earlier = is_earlier(match, row, side);
        bool here = *cell(match, row, side) != MATCH_NONE, fresh;
        if (earlier == here)
            continue;
        uint32_t key = intern_put(&matching->texts, key_of(match, sides, row));
        struct lonely *of = &lonely[index_put(&names, key, 0, 0, &fresh)];
        of->rows[here] = (uint32_t)row;
        of->counts[here]++;
    }
    for (size_t i = 0; i < names.count; i++)
        if (lonely[i].counts[0] == 1 && lonely[i].counts[1] == 1) {
            uint32_t *from = cell(match, lonely[i].rows[1], side);
            *cell(match, lonely[i].rows[0], side) = *from;
            *from = MATCH_NONE;
        }
    free(lonely);
    index_free(&names);
}

static void drop_empty(struct match *match)
{
    size_t kept = 0;
    for (size_t row = 0; row < match->count; row++)
        if (is_earlier(match, row, match->sides)) {
            memmove(cell(match, kept, 0), cell(match, row, 0),
                    match->sides * sizeof *match->functions);
            kept++;
        }
    match->count = kept;
}

static void add_side(struct matching *matching, const struct side *const *sides,
                     size_t side)
{
    size_t count = sides[side]->function_count;
    struct ordered *ordered = buf_alloc((count + 1) * sizeof *ordered);
    for (size_t i = 0; i < count; i++)
        ordered[i] = (struct ordered){&sides[side]->functions[i], (uint32_t)i};
    if (count)
        qsort(ordered, count, sizeof *ordered, by_line);
    match_exactly(matching, ordered, count, side);
    free(ordered);
    if (side > 0)
        match_names(matching, sides, side);
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
        add_side(&matching, sides, i);
    drop_empty(match);
    sort(match, sides);
    intern_free(&matching.texts);
    index_free(&matching.index);
    free(matching.row_of);
}

const struct side_function *match_function(const struct match *match,
                                           const struct side *const *sides, size_t row)
{
    for (size_t i = match->sides; i-- > 0;)
        if (*cell(match, row, i) != MATCH_NONE)
            return &sides[i]->functions[*cell(match, row, i)];
    return NULL;
}

void match_free(struct match *match)
{
    free(match->functions);
    memset(match, 0, sizeof *match);
}
