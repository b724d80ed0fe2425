/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/same.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/identity.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A function of one build, or of several earlier builds.  */
struct same_function {
    const struct unit *unit;
    const struct unit_source *source;
    uint32_t key, file; /* numbers of texts */
    uint32_t number;    /* number in the identity */
    uint32_t same;      /* number of the same function in the earlier builds, or NONE */
    bool taken;         /* a function of the earlier builds that has a match */
};

struct same_functions {
    struct same_function *list;
    size_t count, capacity;
};

struct matching {
    struct intern texts;
    struct same_functions before;
};

static void add(struct same_functions *functions, struct same_function function)
{
    functions->list = buf_grow(functions->list, &functions->capacity,
                               functions->count + 1, sizeof *functions->list);
    functions->list[functions->count++] = function;
}

/* Collects each function of a build once; IDENTITY numbers them.  */
static void collect(struct matching *matching, struct same_functions *functions,
                    struct identity *identity, struct tables *build)
{
    for (uint32_t u = 0; u < tables_unit_count(build); u++) {
        const struct unit *unit = tables_unit(build, u);
        for (size_t i = 0; i < unit->source_count; i++) {
            const struct unit_source *source = &unit->sources[i];
            const struct identity_source of = identity_of(unit, source);
            bool fresh, has_symbol = of.symbol && *of.symbol;
            uint32_t number = identity_put(identity, &of, &fresh);
            if (fresh)
                add(functions,
                    (struct same_function){
                        .unit = unit,
                        .source = source,
                        .key = intern_put(&matching->texts,
                                          has_symbol ? of.symbol : of.name),
                        .file = of.file ? intern_put(&matching->texts, of.file) : NONE,
                        .number = number,
                        .same = NONE});
        }
    }
}

static int by_place(const void *one, const void *other)
{
    const struct same_function *a = one, *b = other;
    if (a->source->line != b->source->line)
        return a->source->line < b->source->line ? -1 : 1;
    if (a->source->column != b->source->column)
        return a->source->column < b->source->column ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The number of a function's key in INDEX: name and file, and which one of the functions
   with these it is.  */
static uint32_t put_place(struct index *seen, uint32_t *counts, struct index *index,
                          const struct same_function *function, bool *fresh)
{
    bool first;
    uint32_t pair = index_put(seen, function->key, function->file, 0, &first);
    if (first)
        counts[pair] = 0;
    return index_put(index, function->key, function->file, counts[pair]++, fresh);
}

/* Matches functions by name and file; those that share both are matched in the order of
   their lines.  */
static void match_exactly(struct same_functions *before, struct same_functions *here)
{
    struct index index = {0}, seen = {0}, seen_here = {0};
    uint32_t *counts = buf_alloc((before->count + here->count + 1) * sizeof *counts);
    bool fresh;
    for (size_t i = 0; i < before->count; i++)
        put_place(&seen, counts, &index, &before->list[i], &fresh);
    for (size_t i = 0; i < here->count; i++) {
        uint32_t number = put_place(&seen_here, counts, &index, &here->list[i], &fresh);
        if (fresh)
            continue;
        here->list[i].same = number;
        before->list[number].taken = true;
    }
    index_free(&index);
    index_free(&seen);
    index_free(&seen_here);
    free(counts);
}

/* By name, the functions without a match, in the earlier builds and in this one.  */
struct lonely {
    uint32_t numbers[2];
    size_t counts[2];
};

static void put_lonely(struct index *names, struct lonely *lonely,
                       const struct same_function *function, size_t number, bool here)
{
    bool fresh;
    struct lonely *of = &lonely[index_put(names, function->key, 0, 0, &fresh)];
    of->numbers[here] = (uint32_t)number;
    of->counts[here]++;
}

static void match_names(struct same_functions *before, struct same_functions *here)
{
    struct index names = {0};
    struct lonely *lonely = buf_alloc((before->count + here->count + 1) * sizeof *lonely);
    for (size_t i = 0; i < before->count; i++)
        if (!before->list[i].taken)
            put_lonely(&names, lonely, &before->list[i], i, false);
    for (size_t i = 0; i < here->count; i++)
        if (here->list[i].same == NONE)
            put_lonely(&names, lonely, &here->list[i], i, true);
    for (size_t i = 0; i < names.count; i++)
        if (lonely[i].counts[0] == 1 && lonely[i].counts[1] == 1)
            here->list[lonely[i].numbers[1]].same = lonely[i].numbers[0];
    free(lonely);
    index_free(&names);
}

/* Sets, in all sources of a build, which source of an earlier build they are.  */
static void tell(const struct same_functions *before, const struct same_functions *here,
                 struct identity *identity, struct tables *build)
{
    uint32_t *same = buf_alloc((here->count + 1) * sizeof *same);
    for (size_t i = 0; i < here->count; i++)
        same[here->list[i].number] = here->list[i].same;
    for (uint32_t u = 0; u < tables_unit_count(build); u++) {
        struct unit *unit = tables_unit(build, u);
        for (size_t i = 0; i < unit->source_count; i++) {
            const struct identity_source of = identity_of(unit, &unit->sources[i]);
            bool fresh;
            uint32_t number = same[identity_put(identity, &of, &fresh)];
            if (number == NONE)
                continue;
            unit->sources[i].same = before->list[number].source;
            unit->sources[i].same_unit = before->list[number].unit;
        }
    }
    free(same);
}

static void add_build(struct matching *matching, struct tables *build)
{
    struct same_functions here = {0}, *before = &matching->before;
    struct identity identity = {0};
    collect(matching, &here, &identity, build);
    if (here.count)
        qsort(here.list, here.count, sizeof *here.list, by_place);
    match_exactly(before, &here);
    match_names(before, &here);
    tell(before, &here, &identity, build);
    for (size_t i = 0; i < before->count; i++)
        before->list[i].taken = false;
    for (size_t i = 0; i < here.count; i++)
        if (here.list[i].same == NONE)
            add(before, here.list[i]);
    if (before->count)
        qsort(before->list, before->count, sizeof *before->list, by_place);
    free(here.list);
    identity_free(&identity);
}

void same_find(struct tables *const *builds, size_t count)
{
    struct matching matching = {0};
    for (size_t i = 0; i < count; i++)
        if (builds[i])
            add_build(&matching, builds[i]);
    intern_free(&matching.texts);
    free(matching.before.list);
}
