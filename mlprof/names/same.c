/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/same.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/identity.h"
#include "mlprof/names/pairing.h"

#include <stdlib.h>

/* A function of one build, or of several earlier builds.  */
struct same_function {
    const struct unit *unit;
    const struct unit_source *source;
    struct pairing_item item;
    uint32_t number; /* number in the identity */
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
    BUF_NEXT(functions->list, functions->count, functions->capacity) = function;
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
            const char *path = fresh ? identity_last_path(identity, &of) : NULL;
            if (fresh)
                add(functions, (struct same_function){
                                   .unit = unit,
                                   .source = source,
                                   .item = {intern_put(&matching->texts,
                                                       has_symbol ? of.symbol : of.name),
                                            path ? intern_put(&matching->texts, path)
                                                 : PAIRING_NONE},
                                   .number = number});
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

static void sort(struct same_functions *functions)
{
    BUF_SORT(functions->list, functions->count, by_place);
}

/* The functions as they are paired, to be freed.  */
static struct pairing_item *items_of(const struct same_functions *functions)
{
    struct pairing_item *items = buf_alloc((functions->count + 1) * sizeof *items);
    for (size_t i = 0; i < functions->count; i++)
        items[i] = functions->list[i].item;
    return items;
}

/* Sets, in all sources of a build, which source of an earlier build they are.  SAME is by
   number in HERE.  */
static void tell(const struct same_functions *before, const struct same_functions *here,
                 const uint32_t *same, struct identity *identity, struct tables *build)
{
    uint32_t *numbered = buf_alloc((here->count + 1) * sizeof *numbered);
    for (size_t i = 0; i < here->count; i++)
        numbered[here->list[i].number] = same[i];
    for (uint32_t u = 0; u < tables_unit_count(build); u++) {
        struct unit *unit = tables_unit(build, u);
        for (size_t i = 0; i < unit->source_count; i++) {
            const struct identity_source of = identity_of(unit, &unit->sources[i]);
            bool fresh;
            uint32_t number = numbered[identity_put(identity, &of, &fresh)];
            if (number == PAIRING_NONE)
                continue;
            unit->sources[i].same = before->list[number].source;
            unit->sources[i].same_unit = before->list[number].unit;
        }
    }
    free(numbered);
}

static void add_build(struct matching *matching, struct tables *build)
{
    struct same_functions here = {0}, *before = &matching->before;
    struct identity identity = {0};
    collect(matching, &here, &identity, build);
    sort(&here);
    uint32_t *same = buf_alloc((here.count + 1) * sizeof *same);
    struct pairing_item *items = items_of(before), *items_here = items_of(&here);
    pairing_find(&matching->texts, items, before->count, items_here, here.count, same);
    tell(before, &here, same, &identity, build);
    for (size_t i = 0; i < here.count; i++) {
        here.list[i].item = items_here[i];
        if (same[i] == PAIRING_NONE)
            add(before, here.list[i]);
    }
    sort(before);
    free(same);
    free(items);
    free(items_here);
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
