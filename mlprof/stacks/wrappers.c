/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First the calls that return blocks (blockcalls_), then the search for functions that
   return every block they receive, and the frames to which their blocks are moved. */

#include "mlprof/stacks/wrappers.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/tables/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct call {
    struct blockcalls_info info;
    bool different; /* the tables give different types */
};

/* The calls that return blocks, in the tables of all modules. */
struct blockcalls {
    struct identity identity; /* of the sources */
    struct intern files;      /* a file has a number for each of its names in units */
    struct index index;       /* key: source, module and file, line and column */
    struct call *calls;       /* by number */
    size_t capacity;
    uint32_t *of_source; /* by source of the stacks: number of its identity */
};

static void add_call(struct blockcalls *calls, uint32_t module,
                     const struct typedtable_call *from)
{
    const struct unit_source *source = unit_source(from->unit, from->source);
    const struct identity_source identity = identity_of(from->unit, source);
    bool fresh;
    uint32_t file = intern_put(&calls->files, unit_file(from->unit, from->file));
    uint32_t function = identity_put(&calls->identity, &identity, &fresh);
    uint32_t place = index_put(&calls->index, function, index_pair(module, file),
                               index_pair(from->line, from->column), &fresh);
    struct call *call = &BUF_AT(calls->calls, place, calls->capacity);
    if (fresh)
        *call = (struct call){.info = {from->type, from->returned}};
    const char *type = call->info.type;
    call->different |=
        type && from->type ? strcmp(type, from->type) != 0 : type != from->type;
    call->info.returned &= from->returned;
}

struct blockcalls *blockcalls_new(const struct program *program,
                                  const struct stacks *stacks)
{
    struct blockcalls *calls = buf_alloc(sizeof *calls);
    bool fresh;
    for (uint32_t i = 0; i < program->count; i++) {
        const struct typedtable *table =
            program->tables[i] ? tables_types(program->tables[i]) : NULL;
        for (size_t k = 0; table && k < table->count; k++)
            add_call(calls, i, &table->calls[k]);
    }
    calls->of_source = buf_alloc((stacks->sources.count + 1) * sizeof *calls->of_source);
    for (size_t i = 0; i < stacks->sources.count; i++)
        calls->of_source[i] =
            identity_put(&calls->identity, &stacks->sources.list[i], &fresh);
    return calls;
}

struct blockcalls_info blockcalls_at(struct blockcalls *calls,
                                     const struct stacks *stacks, uint32_t node)
{
    const struct stacks_position *position =
        &stacks->positions.list[stacks->nodes.list[node].position];
    uint32_t source = stacks_source_of(stacks, node), number;
    uint32_t module = stacks->copies.list[stacks->nodes.list[node].copy].module;
    if (!position->file)
        return (struct blockcalls_info){0};
    uint32_t file = intern_put(&calls->files, position->file);
    if (!index_get(&calls->index, calls->of_source[source], index_pair(module, file),
                   index_pair(position->line, position->column), &number))
        return (struct blockcalls_info){0};
    return calls->calls[number].different ? (struct blockcalls_info){0}
                                          : calls->calls[number].info;
}

void blockcalls_free(struct blockcalls *calls)
{
    if (!calls)
        return;
    identity_free(&calls->identity);
    intern_free(&calls->files);
    index_free(&calls->index);
    free(calls->calls);
    free(calls->of_source);
    free(calls);
}

/* Maximum length of the list of names, in characters. */
#define NAMES_WIDEST 30

struct finder {
    const struct stacks *stacks;
    struct blockcalls *calls;
    bool *wraps;       /* by source: it is a wrapper */
    bool *keeps;       /* by source: it received a block and did not return it */
    bool *has_around;  /* by node: a profiled function is around it */
    uint64_t *moved;   /* by source: amount allocated by it as a wrapper */
    uint64_t *amounts; /* by node: the sum of its values; 0: it received no block */
};

static bool is_code(const struct finder *finder, uint32_t node)
{
    return node != STACKS_NONE && stacks_what(finder->stacks, node) == STACKS_CODE;
}

/* Returns whether the frame is outside of profiled code. The search for wrappers
   skips such frames. */
static bool is_outside(const struct finder *finder, uint32_t node)
{
    return finder->stacks->copies.list[finder->stacks->nodes.list[node].copy].module ==
           STACKS_NONE;
}

static void find_around(struct finder *finder)
{
    const struct stacks *stacks = finder->stacks;
    finder->has_around = buf_alloc(stacks->nodes.count + 1);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint32_t parent = stacks->nodes.list[i].parent;
        finder->has_around[i] = is_code(finder, parent) && (finder->has_around[parent] ||
                                                            !is_outside(finder, parent));
    }
}

/* Finds the sources that received a block. Wrappers are those that returned all
   blocks. */
static void find_wrappers(struct finder *finder)
{
    const struct stacks *stacks = finder->stacks;
    BUF_OWN bool *received = buf_alloc(stacks->nodes.count + 1);
    finder->keeps = buf_alloc(stacks->sources.count + 1);
    finder->wraps = buf_alloc(stacks->sources.count + 1);
    for (uint32_t i = (uint32_t)stacks->nodes.count; i-- > 0;) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        if (!is_code(finder, i) || !(received[i] || finder->amounts[i]))
            continue;
        bool outside = is_outside(finder, i);
        bool returned = outside || blockcalls_at(finder->calls, stacks, i).returned;
        if (!outside)
            (returned ? finder->wraps : finder->keeps)[stacks_source_of(stacks, i)] =
                true;
        if (returned && node->parent != STACKS_NONE)
            received[node->parent] = true;
    }
    for (size_t i = 0; i < stacks->sources.count; i++)
        finder->wraps[i] &= !finder->keeps[i];
}

/* Returns the wrapper at NODE. If the frame at NODE is not a wrapper, returns the
   nearest wrapper around it, provided that all frames between them are outside of
   profiled code. Returns STACKS_NONE if there is no such wrapper, or if no profiled
   function is around it. */
static uint32_t wrapper_at(const struct finder *finder, uint32_t node)
{
    while (is_code(finder, node) && is_outside(finder, node))
        node = finder->stacks->nodes.list[node].parent;
    return is_code(finder, node) && finder->has_around[node] &&
                   finder->wraps[stacks_source_of(finder->stacks, node)]
               ? node
               : STACKS_NONE;
}

/* Returns the frame to which the blocks of NODE belong. If the call in a wrapper
   gives the type of the blocks, sets *TYPE. Adds the blocks to MOVED of each wrapper
   from which they are moved to its caller. */
static uint32_t find_target(struct finder *finder, uint32_t node, const char **type)
{
    const struct stacks *stacks = finder->stacks;
    uint32_t to = node, last = STACKS_NONE;
    for (uint32_t call; (call = wrapper_at(finder, to)) != STACKS_NONE;) {
        uint32_t source = stacks_source_of(stacks, call);
        if (!*type)
            *type = blockcalls_at(finder->calls, stacks, call).type;
        finder->moved[source] +=
            source == last ? 0 : finder->amounts[node]; /* not again */
        last = source;
        to = stacks->nodes.list[call].parent;
    }
    return to;
}

static void find_moves(struct finder *finder, struct stacks_moves *moves)
{
    const struct stacks *stacks = finder->stacks;
    moves->to = buf_alloc((stacks->nodes.count + 1) * sizeof *moves->to);
    moves->types = buf_alloc((stacks->nodes.count + 1) * sizeof *moves->types);
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        moves->to[i] = finder->amounts[i] && is_code(finder, i)
                           ? find_target(finder, i, &moves->types[i])
                           : i;
}

/* The name of one or more wrappers. */
struct name {
    const char *text; /* last component of the name */
    uint64_t moved;
};

BUF_COMPARE(by_moved, struct name,
            BUF_ORDER(b->moved, a->moved) ?: strcmp(a->text, b->text))

/* Returns the names of the wrappers, or NULL if there are none. Wrappers with equal
   names are added up. Names with the largest amounts come first. The list has at
   least one name, and as many more as fit. */
static char *list_names(const struct finder *finder, const struct names_style *style)
{
    const struct names_style last = {.form = style->form};
    struct intern texts = {0};
    BUF_OWN struct name *names = NULL;
    size_t capacity = 0, count = 0, size, wide = 0, listed = 0;
    char *text = NULL;
    for (size_t i = 0; i < finder->stacks->sources.count; i++) {
        if (!finder->moved[i])
            continue;
        char *name = names_of(&finder->stacks->sources.list[i], &last);
        char *clean = text_clean(name);
        uint32_t number = intern_put(&texts, clean);
        free(clean);
        free(name);
        if (number == count)
            BUF_NEXT(names, count, capacity) =
                (struct name){.text = intern_text(&texts, number)};
        names[number].moved += finder->moved[i];
    }
    BUF_SORT(names, count, by_moved);
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < count; i++) {
        wide += strlen(names[i].text) + 2;
        if (listed == i && (i == 0 || wide <= NAMES_WIDEST))
            fprintf(out, "%s%s", listed++ ? ", " : "", names[i].text);
    }
    if (listed < count)
        fprintf(out, ", %zu more", count - listed);
    buf_close(out);
    intern_free(&texts);
    if (count)
        return text;
    free(text);
    return NULL;
}

/* The known facts about a function from all runs, as bits. */
enum { WRAPS = 1, KEEPS = 2, SHOWN = 4 };

/* The key has no line, because the function may be at another line in another build. */
static unsigned char *known_of(struct wrappers_runs *runs,
                               const struct identity_source *source)
{
    bool has_symbol = source->symbol && *source->symbol;
    BUF_OWN char *key = buf_format("%s %s", has_symbol ? source->symbol : source->name,
                                   source->file ? sourcefile_name(source->file) : "");
    size_t count = runs->functions.count;
    uint32_t number = intern_put(&runs->functions, key);
    unsigned char *known = &BUF_AT(runs->known, number, runs->capacity);
    if (number == count)
        *known = 0;
    return known;
}

/* Updates the known facts about functions. A function that is SHOWN, because it is
   not a wrapper in another run, is treated as a normal function. */
static void compare_runs(struct finder *finder, struct wrappers_runs *runs)
{
    for (size_t i = 0; i < finder->stacks->sources.count; i++) {
        if (!finder->wraps[i] && !finder->keeps[i])
            continue;
        unsigned char *known = known_of(runs, &finder->stacks->sources.list[i]);
        *known |= finder->wraps[i] ? WRAPS : KEEPS;
        finder->wraps[i] &= !(*known & SHOWN);
    }
}

bool wrappers_differ(struct wrappers_runs *runs)
{
    bool differ = false;
    for (size_t i = 0; i < runs->functions.count; i++)
        if (runs->known[i] == (WRAPS | KEEPS)) {
            runs->known[i] |= SHOWN;
            differ = true;
        }
    return differ;
}

void wrappers_free_runs(struct wrappers_runs *runs)
{
    intern_free(&runs->functions);
    free(runs->known);
    *runs = (struct wrappers_runs){0};
}

static void exclude_shown(struct finder *finder, const struct patterns *shown,
                          const struct names_style *style)
{
    for (size_t i = 0; i < finder->stacks->sources.count; i++)
        for (size_t p = 0; finder->wraps[i] && p < shown->count; p++)
            finder->wraps[i] = !names_match(
                &shown->list[p], &finder->stacks->sources.list[i], NULL, style);
}

void wrappers_find(struct wrappers *wrappers, const struct stacks *stacks,
                   const struct program *program, const struct wrappers_options *options,
                   const struct names_style *style)
{
    *wrappers = (struct wrappers){0};
    if (!options->shown)
        return;
    struct finder finder = {.stacks = stacks, .calls = blockcalls_new(program, stacks)};
    if (finder.calls->index.count) {
        finder.amounts = buf_alloc((stacks->nodes.count + 1) * sizeof *finder.amounts);
        for (size_t i = 0; i < stacks->values.count; i++)
            finder.amounts[stacks->values.entries[i].owner] +=
                stacks->values.entries[i].count;
        find_around(&finder);
        find_wrappers(&finder);
        if (options->runs)
            compare_runs(&finder, options->runs);
        exclude_shown(&finder, options->shown, style);
        finder.moved = buf_alloc((stacks->sources.count + 1) * sizeof *finder.moved);
        find_moves(&finder, &wrappers->moves);
        wrappers->names = list_names(&finder, style);
    }
    if (!wrappers->names)
        wrappers_free(wrappers);
    blockcalls_free(finder.calls);
    free(finder.amounts);
    free(finder.wraps);
    free(finder.keeps);
    free(finder.has_around);
    free(finder.moved);
}

void wrappers_free(struct wrappers *wrappers)
{
    free(wrappers->moves.to);
    free(wrappers->moves.types);
    free(wrappers->names);
    *wrappers = (struct wrappers){0};
}
