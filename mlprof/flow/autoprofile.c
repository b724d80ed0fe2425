/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns blocks into positions of functions, adds up equal positions, and marks the
   functions that were executed. The rules follow GCC's auto-profile.cc. */

#include "mlprof/flow/autoprofile.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <stdlib.h>
#include <string.h>

/* Maximum nesting of bodies. Deeper bodies are left out. No compiler creates such a
   nesting. */
#define DEPTH_MOST 200

/* The largest count of a position in one function, and the index of this function. */
struct latest {
    size_t function;
    uint64_t most;
};

/* Indexes that are used only while functions are added. */
struct builder {
    struct autoprofile *profile;
    struct index bodies;    /* key: 1 + body around, place of the call, name */
    struct index positions; /* key: body and place */
    struct index targets;   /* key: position and name */
    struct latest *latest;  /* by position: data of the function that was added last */
    size_t latest_capacity;
    struct index idents; /* key: number of a function in .gcda files */
    const struct arctables_name **name_of;
};

/* Since GCC 13, the place of a call includes the discriminator. */
static uint32_t place_of(const struct arctables_position *position)
{
    return (uint32_t)position->offset << 16 | position->discriminator;
}

/* Up to GCC 15, the suffix after a dot is removed: it marks a copy, and GCC looks for
   the name without the suffix (GCC: auto-profile.cc, get_original_name). */
static uint32_t name_of(struct autoprofile *profile, const struct arctables_name *name)
{
    size_t length =
        profile->major < 16 ? strcspn(name->symbol, ".") : strlen(name->symbol);
    char *symbol = buf_copy_prefix(name->symbol, length);
    uint32_t number = intern_put(&profile->names, symbol);
    size_t old = profile->file_capacity;
    free(symbol);
    profile->file_of = buf_grow(profile->file_of, &profile->file_capacity,
                                (size_t)number + 1, sizeof *profile->file_of);
    for (size_t i = old; i < profile->file_capacity; i++)
        profile->file_of[i] = AUTOPROFILE_NONE;
    if (profile->file_of[number] == AUTOPROFILE_NONE && number)
        profile->file_of[number] = intern_put(&profile->files, name->file);
    return number;
}

static uint32_t put_body(struct builder *builder, uint32_t parent, uint32_t place,
                         const struct arctables_name *name)
{
    struct autoprofile *profile = builder->profile;
    uint32_t text = name_of(profile, name);
    bool fresh;
    uint32_t number =
        index_put(&builder->bodies, 1 + (uint64_t)parent, place, text, &fresh);
    if (!fresh)
        return number;
    struct autoprofile_body *body = &BUF_PUSH(profile->bodies);
    struct autoprofile_body *outer =
        parent == AUTOPROFILE_NONE ? NULL : &profile->bodies.list[parent];
    *body = (struct autoprofile_body){.name = text,
                                      .outer = parent,
                                      .place = place,
                                      .depth = outer ? outer->depth + 1 : 0,
                                      .inner = AUTOPROFILE_NONE,
                                      .next = outer ? outer->inner : AUTOPROFILE_NONE,
                                      .positions = AUTOPROFILE_NONE};
    if (outer && outer->depth < DEPTH_MOST)
        outer->inner = number;
    return number;
}

static uint32_t put_position(struct builder *builder, uint32_t body, uint32_t place)
{
    struct autoprofile *profile = builder->profile;
    bool fresh;
    uint32_t number = index_put(&builder->positions, body, place, 0, &fresh);
    if (!fresh)
        return number;
    uint32_t *first = &profile->bodies.list[body].positions;
    BUF_PUSH(profile->positions) = (struct autoprofile_position){
        .place = place, .next = *first, .targets = AUTOPROFILE_NONE};
    *first = number;
    BUF_AT(builder->latest, number, builder->latest_capacity) =
        (struct latest){SIZE_MAX, 0};
    return number;
}

/* Adds TIMES to the count of a position. If one FUNCTION has several counts at the
   position, the largest count is used. Counts of different functions with the same
   name are added up. */
static void count_position(struct builder *builder, size_t function, uint32_t position,
                           uint64_t times)
{
    struct autoprofile_position *entry = &builder->profile->positions.list[position];
    struct latest *latest = &builder->latest[position];
    bool again = latest->function == function;
    uint64_t old = again ? latest->most : 0;
    entry->differs |= again && old != times;
    if (times > old)
        entry->count = saturate_add(entry->count, times - old);
    *latest = (struct latest){function, times > old ? times : old};
}

static void put_target(struct builder *builder, uint32_t position,
                       const struct arccounts_value *value)
{
    struct autoprofile *profile = builder->profile;
    uint32_t ident;
    bool fresh;
    if (!index_get(&builder->idents, value->value, 0, 0, &ident))
        return;
    uint32_t name = name_of(profile, builder->name_of[ident]);
    uint32_t number = index_put(&builder->targets, position, name, 0, &fresh);
    if (fresh) {
        uint32_t *first = &profile->positions.list[position].targets;
        BUF_PUSH(profile->targets) =
            (struct autoprofile_target){.name = name, .next = *first};
        *first = number;
    }
    uint64_t *sum = &profile->targets.list[number].count;
    *sum = saturate_add(*sum, value->count);
}

static void put_targets(struct builder *builder,
                        const struct arccounts_function *function, const uint32_t *bodies)
{
    const struct arctables_call *calls =
        BUF_FROM(function->tables->calls.list, function->description->first_call);
    for (size_t i = 0; i < function->values.count; i++) {
        const struct arccounts_value *value = &function->values.list[i];
        if (value->counter >= function->description->indirect ||
            calls[value->counter].position.body == UINT32_MAX)
            continue;
        const struct arctables_position *call = &calls[value->counter].position;
        put_target(builder, put_position(builder, bodies[call->body], place_of(call)),
                   value);
    }
}

static void put_blocks(struct builder *builder, size_t number,
                       const struct arccounts_function *function, const uint32_t *bodies)
{
    const struct arctables *tables = function->tables;
    size_t first = function->description->first_block;
    size_t next = first ? tables->ends.list[first - 1] : 0;
    for (uint32_t i = 0; i < function->description->blocks; i++)
        for (; next < tables->ends.list[first + i]; next++) {
            const struct arctables_position *entry = &tables->positions.list[next];
            uint32_t position =
                put_position(builder, bodies[entry->body], place_of(entry));
            count_position(builder, number, position, function->times[i]);
        }
}

static void put_function(struct builder *builder, size_t number,
                         const struct arccounts_function *function)
{
    const struct arctables_function *description = function->description;
    const struct arctables_inlined *inlined =
        BUF_FROM(function->tables->inlined.list, description->first_inlined);
    if (!description->blocks)
        return;
    BUF_OWN uint32_t *bodies = buf_alloc((description->inlined + 1) * sizeof *bodies);
    bodies[0] = put_body(builder, AUTOPROFILE_NONE, 0, &description->name);
    for (size_t i = 0; i < description->inlined; i++)
        bodies[i + 1] = put_body(builder, bodies[inlined[i].call.body],
                                 place_of(&inlined[i].call), &inlined[i].name);
    struct autoprofile_body *body = &builder->profile->bodies.list[bodies[0]];
    body->head = saturate_add(body->head, function->times[0]);
    if (function->first && (!body->first || function->first < body->first))
        body->first = function->first;
    put_blocks(builder, number, function, bodies);
    put_targets(builder, function, bodies);
}

/* A body counts as executed if one of its positions was executed, or a body that is
   inlined into it. */
static void find_executed(struct autoprofile *profile)
{
    for (size_t i = profile->bodies.count; i-- > 0;) {
        struct autoprofile_body *body = &profile->bodies.list[i];
        body->executed |= body->head > 0;
        for (uint32_t k = body->positions; k != AUTOPROFILE_NONE;
             k = profile->positions.list[k].next)
            body->executed |= profile->positions.list[k].count > 0;
        if (body->executed && body->outer != AUTOPROFILE_NONE)
            profile->bodies.list[body->outer].executed = true;
    }
}

/* Returns the major version of a GCC from its version tag, for example 12 from `B22*',
   the tag of 12.2 (GCC: gcov-iov.cc). */
static unsigned major_of(uint32_t gcov)
{
    return ((gcov >> 24) - 'A') * 10 + ((gcov >> 16 & 0xff) - '0');
}

static bool find_major(struct autoprofile *profile, const struct arccounts *counts,
                       const char *program, struct fault *fault)
{
    for (size_t i = 0; i < counts->count; i++) {
        unsigned major = major_of(counts->functions[i].description->gcov);
        if (i && major != profile->major)
            return fault_set(
                fault, FAULT_FILE, program,
                "some of its objects are of GCC %u and others of GCC %u, and "
                "a profile is of one",
                profile->major, major);
        profile->major = major;
    }
    return true;
}

static void find_idents(struct builder *builder, const struct arccounts *counts)
{
    builder->name_of = buf_alloc((counts->count + 1) * sizeof *builder->name_of);
    for (size_t i = 0; i < counts->count; i++) {
        const struct arctables_function *description = counts->functions[i].description;
        bool fresh;
        uint32_t number = index_put(&builder->idents, description->ident, 0, 0, &fresh);
        if (fresh)
            builder->name_of[number] = &description->name;
    }
}

bool autoprofile_make(struct autoprofile *profile, const struct arccounts *counts,
                      const char *program, struct fault *fault)
{
    struct builder builder = {.profile = profile};
    memset(profile, 0, sizeof *profile);
    if (!find_major(profile, counts, program, fault))
        return false;
    name_of(profile, &(struct arctables_name){"", ""});
    find_idents(&builder, counts);
    for (size_t i = 0; i < counts->count; i++)
        put_function(&builder, i, &counts->functions[i]);
    find_executed(profile);
    index_free(&builder.bodies);
    index_free(&builder.positions);
    index_free(&builder.targets);
    index_free(&builder.idents);
    free(builder.latest);
    free(builder.name_of);
    return true;
}

void autoprofile_free(struct autoprofile *profile)
{
    intern_free(&profile->names);
    intern_free(&profile->files);
    free(profile->file_of);
    free(profile->bodies.list);
    free(profile->positions.list);
    free(profile->targets.list);
    memset(profile, 0, sizeof *profile);
}
