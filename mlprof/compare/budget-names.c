/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the names by which a line of a budget can name a function, and chooses one that
   no other function has (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"
#include "mlprof/names/names.h"
#include "mlprof/names/readable.h"

#include <stdlib.h>
#include <string.h>

static void set_names(const struct runset_function *function, char *names[BUDGET_NAMES])
{
    char *full = demangle(function->key);
    char *plain = full ? signature_name(full) : NULL;
    names[0] = buf_copy(function->shown);
    names[1] = plain ? readable(plain, READABLE_MOST) : NULL;
    names[2] = plain;
    names[3] = full;
    names[4] = buf_copy(function->key);
    for (size_t i = 0; i < BUDGET_NAMES; i++)
        if (names[i]) {
            char *clean = text_clean(names[i]);
            free(names[i]);
            names[i] = clean;
        }
}

void budget_find_names(struct budget_counts *counts)
{
    uint32_t count = (uint32_t)counts->side.functions.count;
    if (counts->names)
        return;
    counts->names = buf_alloc((count + 1) * sizeof *counts->names);
    for (uint32_t i = 0; i < count; i++)
        set_names(&counts->side.functions.list[i], counts->names[i]);
    counts->order = runset_by_line(&counts->side);
}

/* How many functions each name has, and each name together with the end of a path and an
   object. Initialize with zeros. */
struct namer {
    struct budget_counts *counts;
    struct intern texts;
    uint32_t (*names)[BUDGET_NAMES]; /* by function: numbers of texts; NONE: no name */
    struct tally functions;          /* by name */
    struct tally places; /* by name, end of a path (0: none) and object (0: any) */
    struct tally passed; /* likewise, of the functions so far */
};

#define NONE UINT32_MAX

static uint32_t tally_count(const struct tally *tally, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t number;
    return index_get(&tally->keys, a, b, c, &number) ? tally->counts[number] : 0;
}

const char *budget_path(const struct runset_function *function)
{
    return function->path ? function->path : function->file ? function->file : "";
}

const char *budget_longer_end(const char *path, const char *end)
{
    if (end == path)
        return NULL;
    do {
        end--;
    } while (end > path && end[-1] != '/');
    return end;
}

/* Returns whether a line can have TEXT as the end of a path. */
static bool is_file(const char *text)
{
    return budget_can_name(text) && *text != '(' && !text_begins(text, "in ");
}

static uint32_t object_number(struct namer *namer, const struct runset_function *function)
{
    bool named = function->module && budget_can_name(function->module);
    return named ? intern_put(&namer->texts, function->module) : 0;
}

/* Adds a function to TALLY, with each of its names that other functions have, and each
   end of its path. */
static void add_places(struct namer *namer, uint32_t number, struct tally *tally)
{
    const struct runset_function *function = &namer->counts->side.functions.list[number];
    const char *path = budget_path(function), *end = path + strlen(path);
    uint32_t object = object_number(namer, function);
    for (; end; end = budget_longer_end(path, end)) {
        uint32_t file = intern_put(&namer->texts, end);
        for (size_t n = 0; n < BUDGET_NAMES; n++) {
            uint32_t name = namer->names[number][n];
            if (name == NONE || tally_count(&namer->functions, name, 0, 0) < 2)
                continue;
            tally_add(tally, name, file, 0);
            if (object)
                tally_add(tally, name, file, object);
        }
    }
}

/* Returns whether NAME ends with a position (names.h), which changes when lines
   move. */
static bool has_position(const char *name)
{
    const char *open = strrchr(name, '(');
    return open && open > name && open[-1] == ' ' && strchr(open, ':') &&
           name[strlen(name) - 1] == ')';
}

/* Sets the numbers of the names of a function that a line can contain. */
static void number_names(struct namer *namer, uint32_t function)
{
    char *const *names = namer->counts->names[function];
    uint32_t *numbers = namer->names[function];
    for (size_t n = 0; n < BUDGET_NAMES; n++) {
        bool known =
            names[n] && budget_can_name(names[n]) && !(n == 0 && has_position(names[0]));
        numbers[n] = known ? intern_put(&namer->texts, names[n]) : NONE;
        for (size_t i = 0; i < n; i++)
            if (numbers[i] == numbers[n])
                numbers[n] = NONE;
        if (numbers[n] != NONE)
            tally_add(&namer->functions, numbers[n], 0, 0);
    }
}

/* Chooses the shortest name that no other function has. If there is none, adds the
   shortest end of the path that tells the functions apart, and the place among the
   remaining ones. */
static void choose_place(struct namer *namer, uint32_t number)
{
    const struct runset_function *function = &namer->counts->side.functions.list[number];
    struct budget_place *place = &namer->counts->places[number];
    const char *path = budget_path(function), *best = NULL;
    uint32_t object = object_number(namer, function), name = NONE, least = NONE;
    for (size_t n = 0; n < BUDGET_NAMES; n++) {
        uint32_t other = namer->names[number][n];
        if (other == NONE)
            continue;
        name = name == NONE ? other : name;
        if (tally_count(&namer->functions, other, 0, 0) == 1) {
            name = other;
            least = 1;
            break;
        }
    }
    if (name == NONE)
        return;
    *place = (struct budget_place){
        .name = buf_copy(intern_text(&namer->texts, name)),
        .object = object ? buf_copy(intern_text(&namer->texts, object)) : NULL};
    if (least == 1)
        return;
    for (const char *end = path + strlen(path); end; end = budget_longer_end(path, end)) {
        uint32_t count =
            tally_count(&namer->places, name, intern_put(&namer->texts, end), object);
        if (count < least && (!*end || is_file(end))) {
            best = end;
            least = count;
        }
    }
    if (*best)
        place->file = buf_copy(best);
    if (least > 1)
        place->nth =
            tally_count(&namer->passed, name, intern_put(&namer->texts, best), object);
}

void budget_find_places(struct budget_counts *counts)
{
    struct namer namer = {.counts = counts};
    size_t count = counts->side.functions.count;
    if (counts->places)
        return;
    budget_find_names(counts);
    counts->places = buf_alloc((count + 1) * sizeof *counts->places);
    namer.names = buf_alloc((count + 1) * sizeof *namer.names);
    intern_put(&namer.texts, "");
    for (uint32_t i = 0; i < count; i++)
        number_names(&namer, i);
    for (uint32_t i = 0; i < count; i++)
        add_places(&namer, i, &namer.places);
    for (size_t i = 0; i < count; i++) {
        add_places(&namer, counts->order[i], &namer.passed);
        choose_place(&namer, counts->order[i]);
    }
    tally_free(&namer.functions);
    tally_free(&namer.places);
    tally_free(&namer.passed);
    intern_free(&namer.texts);
    free(namer.names);
}

void budget_counts_free(struct budget_counts *counts)
{
    for (size_t i = 0; i < counts->side.functions.count; i++) {
        for (size_t n = 0; counts->names && n < BUDGET_NAMES; n++)
            free(counts->names[i][n]);
        if (counts->places) {
            free(counts->places[i].name);
            free(counts->places[i].file);
            free(counts->places[i].object);
        }
    }
    free(counts->names);
    free(counts->order);
    free(counts->places);
    runset_free(&counts->side);
}
