/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/tail-calls.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/program/exits.h"
#include "mlprof/program/code-names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The jumps by which control gets outside from a function that was called.  */
struct found {
    struct tail_calls_jumps jumps;
    bool sure; /* a symbol would not narrow them down */
};

struct tail_calls {
    const struct profile *profile;
    const struct program *program;
    struct outside *outside;
    struct exits *exits;
    uint32_t kernel;          /* module */
    struct index found_index; /* key: body called, symbol */
    struct found *found;
    size_t found_capacity;
};

struct tail_calls *tail_calls_new(const struct profile *profile,
                                  const struct program *program)
{
    struct tail_calls *calls = buf_alloc(sizeof *calls);
    *calls = (struct tail_calls){
        .profile = profile,
        .program = program,
        .outside = outside_new(profile, tables_path(program->tables[0]), DEBUGFILE_ROOT),
        .exits = exits_new(profile, program),
        .kernel = kernel_module(profile),
    };
    return calls;
}

void tail_calls_free(struct tail_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->found_index.count; i++) {
        free(calls->found[i].jumps.modules);
        free(calls->found[i].jumps.addresses);
    }
    free(calls->found);
    index_free(&calls->found_index);
    outside_free(calls->outside);
    exits_free(calls->exits);
    free(calls);
}

/* The bodies that were reached, and by body: a jump that is looked for can be reached
   from it.  */
struct reach {
    struct exits_reach of;
    bool leaves[EXITS_REACH_MOST];
};

/* Whether SYMBOL may be the function NAME, or a variant or an inner function of it, as
   __memset_avx2_unaligned is of memset.  */
static bool is_named(const char *symbol, const char *name)
{
    if (strcmp(name, "memcpy") == 0 && is_named(symbol, "memmove"))
        return true;
    size_t length = strlen(name);
    for (const char *at = symbol; (at = strstr(at, name)); at++)
        if ((at == symbol || at[-1] == '_') && !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

/* Which jumps are looked for.  */
struct wanted {
    bool tables;        /* also jumps that may go by a table, since there are no others */
    const char *symbol; /* only jumps that may lead to this function; NULL: all jumps */
};

static bool is_to(const struct tail_calls *calls, const struct exits_body *body,
                  const struct exits_exit *exit, const char *symbol)
{
    const char *name = exit->name;
    if (!name && exit->target)
        name = outside_symbol(calls->outside, body->module, exit->target);
    return !name || is_named(symbol, name);
}

static bool is_wanted(const struct tail_calls *calls, const struct exits_body *body,
                      const struct exits_exit *exit, const struct wanted *wanted)
{
    switch (exit->kind) {
    case EXITS_OUTSIDE:
        return !wanted->symbol || is_to(calls, body, exit, wanted->symbol);
    case EXITS_POINTER:
        return true;
    case EXITS_TABLE:
        return wanted->tables;
    default:
        return false;
    }
}

/* Whether the exit of a body is wanted, or leads to a body from which a wanted exit can
   be reached.  */
static bool leads_there(const struct tail_calls *calls, const struct reach *reach,
                        const struct exits_body *body, const struct exits_exit *exit,
                        const struct wanted *wanted)
{
    if (exit->body == EXITS_NONE)
        return is_wanted(calls, body, exit, wanted);
    size_t next = exits_in_reach(&reach->of, exit->body);
    return next == reach->of.count || reach->leaves[next];
}

static bool body_leads_there(const struct tail_calls *calls, const struct reach *reach,
                             size_t number, const struct wanted *wanted)
{
    const struct exits_body body = exits_of(calls->exits, reach->of.bodies[number]);
    for (size_t i = 0; i < body.count; i++)
        if (leads_there(calls, reach, &body, &body.exits[i], wanted))
            return true;
    return false;
}

/* Sets LEAVES of the bodies from which a wanted jump can be reached; returns whether the
   first body is one.  */
static bool find_leaving(const struct tail_calls *calls, struct reach *reach,
                         const struct wanted *wanted)
{
    bool changed;
    memset(reach->leaves, 0, sizeof reach->leaves);
    do {
        changed = false;
        for (size_t i = reach->of.count; i-- > 0;)
            if (!reach->leaves[i] && body_leads_there(calls, reach, i, wanted))
                changed = reach->leaves[i] = true;
    } while (changed);
    return reach->leaves[0];
}

static bool is_same(const struct exits_body *one, const struct exits_body *other)
{
    return one->unit == other->unit && one->source == other->source;
}

static void add_jump(struct tail_calls_jumps *jumps, uint32_t module, uint64_t address)
{
    BUF_AT(jumps->modules, jumps->count, jumps->module_capacity) = module;
    BUF_AT(jumps->addresses, jumps->count, jumps->address_capacity) = address;
    jumps->count++;
}

/* Adds the wanted jumps, if all are in one source function; otherwise none.  */
static void add_last(const struct tail_calls *calls, struct tail_calls_jumps *jumps,
                     const struct reach *reach, const struct wanted *wanted)
{
    struct exits_body only = {0};
    if (reach->of.cut)
        return;
    for (size_t i = 0; i < reach->of.count; i++) {
        const struct exits_body body = exits_of(calls->exits, reach->of.bodies[i]);
        for (size_t j = 0; j < body.count; j++) {
            if (!is_wanted(calls, &body, &body.exits[j], wanted))
                continue;
            if (jumps->count && !is_same(&only, &body)) {
                jumps->count = 0;
                return;
            }
            only = body;
            add_jump(jumps, body.module, body.exits[j].address);
        }
    }
}

/* Whether the exit leads to the same source function, or to a part of it.  */
static bool goes_on_in(const struct tail_calls *calls, const struct exits_exit *exit,
                       const struct exits_body *body)
{
    if (exit->body == EXITS_NONE)
        return false;
    const struct exits_body next = exits_of(calls->exits, exit->body);
    return is_same(&next, body);
}

/* Adds the jumps of the first function that lead on to others.  */
static void add_first(const struct tail_calls *calls, struct tail_calls_jumps *jumps,
                      const struct reach *reach, const struct wanted *wanted)
{
    const struct exits_body first = exits_of(calls->exits, reach->of.bodies[0]);
    for (size_t i = 0; i < reach->of.count; i++) {
        const struct exits_body body = exits_of(calls->exits, reach->of.bodies[i]);
        for (size_t j = 0; is_same(&first, &body) && j < body.count; j++) {
            const struct exits_exit *exit = &body.exits[j];
            if (!goes_on_in(calls, exit, &first) &&
                leads_there(calls, reach, &body, exit, wanted))
                add_jump(jumps, body.module, exit->address);
        }
    }
}

/* Finds the wanted jumps; false if there are none.  */
static bool find_jumps(const struct tail_calls *calls, struct tail_calls_jumps *jumps,
                       struct reach *reach, const struct wanted *wanted)
{
    if (!find_leaving(calls, reach, wanted))
        return false;
    jumps->count = 0;
    add_last(calls, jumps, reach, wanted);
    if (jumps->count == 0)
        add_first(calls, jumps, reach, wanted);
    return jumps->count > 0;
}

static struct found find_from(struct tail_calls *calls, uint32_t callee,
                              const char *symbol)
{
    struct found found = {.sure = true};
    struct reach reach;
    exits_find_reach(calls->exits, callee, &reach.of);
    if (find_jumps(calls, &found.jumps, &reach, &(struct wanted){.symbol = symbol}))
        found.sure = found.jumps.count == 1 && reach.of.count == 1;
    else if (!symbol)
        find_jumps(calls, &found.jumps, &reach, &(struct wanted){.tables = true});
    return found;
}

/* The jumps found for CALLEE.  SYMBOL is that of the code outside; NULL: any.  */
static const struct found *found_from(struct tail_calls *calls, uint32_t callee,
                                      const char *symbol)
{
    bool fresh;
    uint32_t number =
        index_put(&calls->found_index, callee, (uintptr_t)symbol, 0, &fresh);
    if (fresh) {
        BUF_AT(calls->found, number, calls->found_capacity) =
            find_from(calls, callee, symbol);
    }
    return &calls->found[number];
}

const struct tail_calls_jumps *tail_calls_find(struct tail_calls *calls, uint32_t number)
{
    const struct profile_node *node = &calls->profile->nodes[number];
    if (node->parent == PROFILE_NO_NODE || node->module == calls->kernel)
        return NULL;
    const struct profile_node *above = &calls->profile->nodes[node->parent];
    if (above->module >= calls->program->count)
        return NULL;
    uint32_t callee = exits_callee(calls->exits, above->module, above->address);
    if (callee == EXITS_NONE)
        return NULL;
    const struct found *found = found_from(calls, callee, NULL);
    const char *symbol =
        found->sure ? NULL : outside_symbol(calls->outside, node->module, node->address);
    if (symbol && found_from(calls, callee, symbol)->jumps.count)
        found = found_from(calls, callee, symbol);
    else
        found = found_from(calls, callee, NULL);
    return found->jumps.count ? &found->jumps : NULL;
}
