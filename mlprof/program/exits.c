/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first part finds the jumps by which a body leaves its function. The second part
   finds the tail call between a caller and a callee that is missing from the stack. */

#include "mlprof/program/exits.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/program/code-names.h"
#include "mlprof/program/machine-code.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Size in bytes of a stub, through which one module calls a function of another
   module. */
#define STUB_SIZE 16

/* A body. READ is set if its exits have been found. */
struct body {
    struct exits_body content;
    size_t capacity;
    bool read;
};

struct exits {
    const struct profile *profile;
    const struct program *program;
    struct bindings **bindings; /* one per module; NULL: not yet read */
    struct index body_index;    /* key: module and function; value: index in BODIES */
    struct body *bodies;
    size_t body_capacity;
    struct index call_index; /* key: module and address; value: index in CALLEES */
    uint32_t *callees;       /* by call: number of the called body */
    size_t callee_capacity;
};

struct exits *exits_new(const struct profile *profile, const struct program *program)
{
    struct exits *exits = buf_alloc(sizeof *exits);
    *exits = (struct exits){
        .profile = profile,
        .program = program,
        .bindings = buf_alloc((program->count + 1) * sizeof(struct bindings *)),
    };
    return exits;
}

void exits_free(struct exits *exits)
{
    if (!exits)
        return;
    for (size_t i = 0; i < exits->program->count; i++)
        bindings_free(exits->bindings[i]);
    for (size_t i = 0; i < exits->body_index.count; i++)
        free(exits->bodies[i].content.exits);
    free(exits->bindings);
    free(exits->bodies);
    free(exits->callees);
    index_free(&exits->body_index);
    index_free(&exits->call_index);
    free(exits);
}

static const struct bindings *bindings_of(struct exits *exits, uint32_t number)
{
    const struct profile_module *measured = &exits->profile->modules.list[number];
    if (!exits->bindings[number])
        exits->bindings[number] = bindings_read(
            number ? measured->path : tables_path(exits->program->tables[0]),
            measured->build_id);
    return exits->bindings[number];
}

uint32_t exits_body(struct exits *exits, uint32_t module, uint64_t address)
{
    struct tables *tables = exits->program->tables[module];
    struct tables_point point;
    bool fresh;
    if (!tables || address == 0 || !tables_find(tables, address, &point))
        return EXITS_NONE;
    const struct function *function = tables_function(tables, point.function);
    if (!function_innermost(function, point.point))
        return EXITS_NONE;
    uint32_t number = index_put(&exits->body_index, module, point.function, 0, &fresh);
    if (fresh) {
        BUF_AT(exits->bodies, number, exits->body_capacity) =
            (struct body){.content = {.module = module,
                                      .unit = function->unit,
                                      .source = function->copies.list[0].source}};
    }
    return number;
}

/* Returns the number of modules that export a function NAME. Sets *BODY to the body
   of this function in the last of these modules. */
static unsigned count_exports(struct exits *exits, const char *name, bool profiled,
                              uint32_t *body)
{
    unsigned count = 0;
    uint64_t address;
    for (uint32_t i = 0; i < exits->program->count; i++) {
        if (profiled && !exits->program->tables[i])
            continue;
        if (!bindings_export(bindings_of(exits, i), name, &address))
            continue;
        count++;
        *body = exits_body(exits, i, address);
    }
    return count;
}

/* Returns the body of the function to which the dynamic linker binds NAME. If the
   executable exports NAME, this is the executable's function. Otherwise it is the
   function of the only module that exports NAME. Returns EXITS_NONE if several
   modules export NAME. */
static uint32_t body_of_name(struct exits *exits, const char *name)
{
    uint64_t address;
    uint32_t body = EXITS_NONE;
    if (bindings_export(bindings_of(exits, 0), name, &address))
        return exits_body(exits, 0, address);
    if (count_exports(exits, name, true, &body) != 1 || body == EXITS_NONE ||
        count_exports(exits, name, false, &body) != 1)
        return EXITS_NONE;
    return body;
}

/* In a procedure linkage table, code only jumps to an address stored in a word. If
   the code at ADDRESS is of this kind, returns the address of the word, otherwise 0. */
static uint64_t find_stub(struct exits *exits, uint32_t module, uint64_t address)
{
    struct insns_code code =
        machine_code_read(exits->program->code, module, address, address + STUB_SIZE);
    /* ENDBR64 may precede the jump. */
    size_t jump = code.count > 1 && code.list[0].transfer == INSNS_NEXT &&
                          code.list[1].address == address + 4
                      ? 1
                      : 0;
    uint64_t slot = code.count > jump && code.list[jump].transfer == INSNS_JUMP
                        ? code.list[jump].slot
                        : 0;
    free(code.list);
    return slot;
}

/* Sets EXIT to the target that the dynamic linker stores in the word at SLOT. */
static void follow_slot(struct exits *exits, uint32_t module, uint64_t slot,
                        struct exits_exit *exit)
{
    uint64_t address;
    exit->kind = EXITS_OUTSIDE;
    switch (bindings_slot(bindings_of(exits, module), slot, &exit->name, &address)) {
    case BINDINGS_SYMBOL:
        exit->body = body_of_name(exits, exit->name);
        break;
    case BINDINGS_ADDRESS:
        exit->target = address;
        exit->body = exits_body(exits, module, address);
        break;
    case BINDINGS_NOTHING:
        exit->kind = EXITS_POINTER;
    }
    if (exit->body != EXITS_NONE)
        exit->kind = EXITS_PROFILED;
}

/* Returns the target of a jump or call. */
static struct exits_exit follow(struct exits *exits, uint32_t module,
                                const struct insn *insn)
{
    struct exits_exit exit = {
        .address = insn->address, .kind = EXITS_POINTER, .body = EXITS_NONE};
    uint64_t slot = insn->slot;
    if (insn->table)
        exit.kind = EXITS_TABLE;
    if (insn->target) {
        exit.kind = EXITS_OUTSIDE;
        exit.body = exits_body(exits, module, insn->target);
        if (exit.body != EXITS_NONE) {
            exit.kind = EXITS_PROFILED;
            return exit;
        }
        exit.target = insn->target;
        slot = find_stub(exits, module, insn->target);
    }
    if (slot)
        follow_slot(exits, module, slot, &exit);
    return exit;
}

/* Finds the exits of body NUMBER. The body is the code of FUNCTION of a module. */
static void find_exits(struct exits *exits, uint32_t number, uint32_t module,
                       uint32_t function)
{
    uint64_t start, end;
    const struct cfg *cfg = machine_code_cfg(exits->program->code, module, function);
    tables_function_range(exits->program->tables[module], function, &start, &end);
    for (size_t i = 0; cfg && i < cfg->code.count; i++) {
        const struct insn *insn = &cfg->code.list[i];
        if ((insn->transfer != INSNS_JUMP && insn->transfer != INSNS_BRANCH) ||
            (insn->target >= start && insn->target < end))
            continue;
        struct exits_exit exit = follow(exits, module, insn);
        struct body *body = &exits->bodies[number];
        BUF_NEXT(body->content.exits, body->content.count, body->capacity) = exit;
    }
}

/* Returns a body with its exits. The exits live as long as EXITS. */
static struct exits_body exits_of(struct exits *exits, uint32_t number)
{
    assert(number < exits->body_index.count);
    if (!exits->bodies[number].read) {
        const struct index_key key = exits->body_index.keys[number];
        exits->bodies[number].read = true;
        find_exits(exits, number, (uint32_t)key.words[0], (uint32_t)key.words[1]);
    }
    return exits->bodies[number].content;
}

/* Returns the body that is called by the call instruction whose last byte is at
   ADDRESS. Returns EXITS_NONE if there is no such instruction, or if the called
   function is unknown or has no tables. */
static uint32_t find_callee(struct exits *exits, uint32_t module, uint64_t address)
{
    struct tables *tables = exits->program->tables[module];
    struct tables_point point;
    uint64_t start, end;
    if (!tables || !tables_find(tables, address, &point))
        return EXITS_NONE;
    tables_function_range(tables, point.function, &start, &end);
    /* Start to decode at an entry of the tables, because an instruction begins at each
       entry. */
    start +=
        function_entry_before(tables_function(tables, point.function), address - start);
    struct insns_code code =
        machine_code_read(exits->program->code, module, start, address + 1);
    uint32_t body = EXITS_NONE;
    if (code.count && code.list[code.count - 1].transfer == INSNS_CALL)
        body = follow(exits, module, &code.list[code.count - 1]).body;
    free(code.list);
    return body;
}

/* Like find_callee, but remembers the result. */
static uint32_t exits_callee(struct exits *exits, uint32_t module, uint64_t address)
{
    bool fresh;
    uint32_t number = index_put(&exits->call_index, module, address, 0, &fresh);
    if (fresh) {
        BUF_AT(exits->callees, number, exits->callee_capacity) =
            find_callee(exits, module, address);
    }
    return exits->callees[number];
}

size_t exits_in_reach(const struct exits_reach *reach, uint32_t body)
{
    size_t i = 0;
    while (i < reach->count && reach->bodies[i] != body)
        i++;
    return i;
}

void exits_find_reach(struct exits *exits, uint32_t first, struct exits_reach *reach)
{
    *reach = (struct exits_reach){.bodies = {first}, .count = 1};
    for (size_t i = 0; i < reach->count; i++) {
        const struct exits_body body = exits_of(exits, reach->bodies[i]);
        for (size_t j = 0; j < body.count; j++) {
            uint32_t next = body.exits[j].body;
            if (next == EXITS_NONE || exits_in_reach(reach, next) < reach->count)
                continue;
            reach->cut |= reach->count == EXITS_REACH_MOST;
            if (!reach->cut)
                reach->bodies[reach->count++] = next;
        }
    }
}

/* The result of a search: jumps by which a called function left profiled code. */
struct found {
    struct tail_calls_jumps jumps;
    bool
        sure; /* a search for jumps to one particular symbol would have the same result */
};

struct tail_calls {
    const struct profile *profile;
    const struct program *program;
    struct outside *outside;
    struct exits *exits;
    uint32_t kernel;          /* module */
    struct index found_index; /* key: called body and symbol */
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
        .outside = outside_new(profile, tables_path(program->tables[0])),
        .exits = exits_new(profile, program),
        .kernel = kernel_module(profile),
    };
    return calls;
}

void tail_calls_free(struct tail_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->found_index.count; i++)
        free(calls->found[i].jumps.jumps);
    free(calls->found);
    index_free(&calls->found_index);
    outside_free(calls->outside);
    exits_free(calls->exits);
    free(calls);
}

/* The bodies that can be reached by jumps. LEAVES says for each body whether a
   matching jump can be reached from it. */
struct reach {
    struct exits_reach reached;
    bool leaves[EXITS_REACH_MOST];
};

/* Returns whether SYMBOL may be the function NAME, or a variant or an inner function
   of NAME. For example, __memset_avx2_unaligned is a variant of memset. */
static bool is_named(const char *symbol, const char *name)
{
    if (strcmp(name, "memcpy") == 0 && is_named(symbol, "memmove"))
        return true;
    size_t length = strlen(name);
    for (const char *cursor = symbol; (cursor = strstr(cursor, name)); cursor++)
        if ((cursor == symbol || cursor[-1] == '_') &&
            !isalnum((unsigned char)cursor[length]))
            return true;
    return false;
}

/* Describes which jumps to find. */
struct jump_filter {
    bool tables;        /* include jumps that may use a jump table */
    const char *symbol; /* only jumps that may lead to this function; NULL: all jumps */
};

static bool may_lead_to(const struct tail_calls *calls, const struct exits_body *body,
                        const struct exits_exit *exit, const char *symbol)
{
    const char *name = exit->name;
    if (!name && exit->target)
        name = outside_symbol(calls->outside, body->module, exit->target);
    return !name || is_named(symbol, name);
}

static bool matches_filter(const struct tail_calls *calls, const struct exits_body *body,
                           const struct exits_exit *exit,
                           const struct jump_filter *filter)
{
    switch (exit->kind) {
    case EXITS_OUTSIDE:
        return !filter->symbol || may_lead_to(calls, body, exit, filter->symbol);
    case EXITS_POINTER:
        return true;
    case EXITS_TABLE:
        return filter->tables;
    default:
        return false;
    }
}

/* Returns whether EXIT matches FILTER, or leads to a body from which control can reach
   a matching exit. */
static bool leads_to_match(const struct tail_calls *calls, const struct reach *reach,
                           const struct exits_body *body, const struct exits_exit *exit,
                           const struct jump_filter *filter)
{
    if (exit->body == EXITS_NONE)
        return matches_filter(calls, body, exit, filter);
    size_t next = exits_in_reach(&reach->reached, exit->body);
    return next == reach->reached.count || reach->leaves[next];
}

static bool body_leads_to_match(const struct tail_calls *calls, const struct reach *reach,
                                size_t number, const struct jump_filter *filter)
{
    const struct exits_body body = exits_of(calls->exits, reach->reached.bodies[number]);
    for (size_t i = 0; i < body.count; i++)
        if (leads_to_match(calls, reach, &body, &body.exits[i], filter))
            return true;
    return false;
}

/* Sets LEAVES for each body from which control can reach a matching jump. Returns
   whether the first body is such a body. */
static bool find_bodies_with_match(const struct tail_calls *calls, struct reach *reach,
                                   const struct jump_filter *filter)
{
    bool changed;
    memset(reach->leaves, 0, sizeof reach->leaves);
    do {
        changed = false;
        for (size_t i = reach->reached.count; i-- > 0;)
            if (!reach->leaves[i] && body_leads_to_match(calls, reach, i, filter))
                changed = reach->leaves[i] = true;
    } while (changed);
    return reach->leaves[0];
}

static bool is_same_source(const struct exits_body *one, const struct exits_body *other)
{
    return one->unit == other->unit && one->source == other->source;
}

static void add_jump(struct tail_calls_jumps *jumps, uint32_t module, uint64_t address)
{
    BUF_ROOM(jumps->jumps, jumps->count, jumps->capacity);
    jumps->jumps[jumps->count].module = module;
    jumps->jumps[jumps->count++].address = address;
}

/* Adds the matching jumps if all of them are in one source function. Otherwise adds
   none. */
static void add_matching_jumps(const struct tail_calls *calls,
                               struct tail_calls_jumps *jumps, const struct reach *reach,
                               const struct jump_filter *filter)
{
    struct exits_body only = {0};
    if (reach->reached.cut)
        return;
    for (size_t i = 0; i < reach->reached.count; i++) {
        const struct exits_body body = exits_of(calls->exits, reach->reached.bodies[i]);
        for (size_t j = 0; j < body.count; j++) {
            if (!matches_filter(calls, &body, &body.exits[j], filter))
                continue;
            if (jumps->count && !is_same_source(&only, &body)) {
                jumps->count = 0;
                return;
            }
            only = body;
            add_jump(jumps, body.module, body.exits[j].address);
        }
    }
}

/* Returns whether EXIT leads to code of the same source function as BODY. */
static bool stays_in_source(const struct tail_calls *calls, const struct exits_exit *exit,
                            const struct exits_body *body)
{
    if (exit->body == EXITS_NONE)
        return false;
    const struct exits_body next = exits_of(calls->exits, exit->body);
    return is_same_source(&next, body);
}

/* Adds the jumps in the first function that lead to other functions, if control can
   reach a matching jump from these functions. */
static void add_jumps_of_first(const struct tail_calls *calls,
                               struct tail_calls_jumps *jumps, const struct reach *reach,
                               const struct jump_filter *filter)
{
    const struct exits_body first = exits_of(calls->exits, reach->reached.bodies[0]);
    for (size_t i = 0; i < reach->reached.count; i++) {
        const struct exits_body body = exits_of(calls->exits, reach->reached.bodies[i]);
        for (size_t j = 0; is_same_source(&first, &body) && j < body.count; j++) {
            const struct exits_exit *exit = &body.exits[j];
            if (!stays_in_source(calls, exit, &first) &&
                leads_to_match(calls, reach, &body, exit, filter))
                add_jump(jumps, body.module, exit->address);
        }
    }
}

/* Finds the matching jumps. Returns false if there are none. */
static bool find_jumps(const struct tail_calls *calls, struct tail_calls_jumps *jumps,
                       struct reach *reach, const struct jump_filter *filter)
{
    if (!find_bodies_with_match(calls, reach, filter))
        return false;
    jumps->count = 0;
    add_matching_jumps(calls, jumps, reach, filter);
    if (jumps->count == 0)
        add_jumps_of_first(calls, jumps, reach, filter);
    return jumps->count > 0;
}

static struct found find_jumps_from(struct tail_calls *calls, uint32_t callee,
                                    const char *symbol)
{
    struct found found = {.sure = true};
    struct reach reach;
    exits_find_reach(calls->exits, callee, &reach.reached);
    if (find_jumps(calls, &found.jumps, &reach, &(struct jump_filter){.symbol = symbol}))
        found.sure = found.jumps.count == 1 && reach.reached.count == 1;
    else if (!symbol)
        find_jumps(calls, &found.jumps, &reach, &(struct jump_filter){.tables = true});
    return found;
}

/* Returns the jumps by which a call of CALLEE left profiled code. If SYMBOL is not
   NULL, the result has only jumps that may lead to SYMBOL. */
static const struct found *jumps_from(struct tail_calls *calls, uint32_t callee,
                                      const char *symbol)
{
    bool fresh;
    uint32_t number =
        index_put(&calls->found_index, callee, (uintptr_t)symbol, 0, &fresh);
    if (fresh) {
        BUF_AT(calls->found, number, calls->found_capacity) =
            find_jumps_from(calls, callee, symbol);
    }
    return &calls->found[number];
}

const struct tail_calls_jumps *tail_calls_find(struct tail_calls *calls, uint32_t number)
{
    const struct profile_node *node = &calls->profile->nodes.list[number];
    if (node->parent == PROFILE_NO_NODE || node->module == calls->kernel)
        return NULL;
    const struct profile_node *above = &calls->profile->nodes.list[node->parent];
    if (above->module >= calls->program->count)
        return NULL;
    uint32_t callee = exits_callee(calls->exits, above->module, above->address);
    if (callee == EXITS_NONE)
        return NULL;
    const struct found *found = jumps_from(calls, callee, NULL);
    const char *symbol =
        found->sure ? NULL : outside_symbol(calls->outside, node->module, node->address);
    if (symbol && jumps_from(calls, callee, symbol)->jumps.count)
        found = jumps_from(calls, callee, symbol);
    else
        found = jumps_from(calls, callee, NULL);
    return found->jumps.count ? &found->jumps : NULL;
}
