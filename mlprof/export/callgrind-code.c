/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the part of callgrind's format that has a position in the machine code: the
   events of each instruction, by line and by call. callgrind.c calls it. */

#include "mlprof/base/buf.h"
#include "mlprof/export/callgrind-inside.h"
#include "mlprof/flow/instructions.h"

#include <stdlib.h>
#include <string.h>

struct code {
    struct callgrind_costs *costs;
    const struct rows *rows;
    const struct measure *other; /* measure of CALLGRIND_OTHER; NULL: none */
    struct index calls; /* key: caller, line, callee; number: index in COSTS->calls */
    uint32_t *seen;     /* by row: number of the last node, plus 1, with the row */
};

struct callgrind_cost *callgrind_cost_of(struct callgrind_costs *costs, uint32_t row,
                                         uint32_t line, struct callgrind_place place)
{
    bool fresh;
    /* Each module has its own addresses, so the module is a part of the line's key. */
    uint64_t key = (uint64_t)place.module << 32 | line;
    uint32_t number = index_put(&costs->index, row, key, place.address, &fresh);
    if (fresh)
        BUF_NEXT(costs->costs, costs->count, costs->capacity) =
            (struct callgrind_cost){.row = row, .line = line, .place = place};
    return &costs->costs[number];
}

/* Returns the event of the amounts in COLUMN, or CALLGRIND_EVENTS. */
static enum callgrind_event event_of_column(const struct code *code, uint32_t column)
{
    if (column == INSTRUCTIONS_CONDITIONAL)
        return CALLGRIND_BC;
    if (column == INSTRUCTIONS_INDIRECT)
        return CALLGRIND_BI;
    const struct measure *measure = measure_of_event(column);
    enum callgrind_event event = callgrind_event_of(measure);
    return event != CALLGRIND_OTHER || measure == code->other ? event : CALLGRIND_EVENTS;
}

/* Returns the line of a frame in the function's own file, or 0. */
static uint32_t own_line(const struct rows *rows, uint32_t row, uint32_t node)
{
    const struct stacks *stacks = &rows->stacks;
    const struct stacks_position *position =
        &stacks->positions.list[stacks->nodes.list[node].position];
    return position->file == rows->rows[row].source.file ? position->line : 0;
}

static void add_events(uint64_t into[CALLGRIND_EVENTS],
                       const uint64_t events[CALLGRIND_EVENTS])
{
    for (int i = 0; i < CALLGRIND_EVENTS; i++)
        into[i] += events[i];
}

/* Adds the events of an instruction to the call of CHILD by its parent. The place of an
   inlined call is the first instruction of the inlined code. */
static void add_call(struct code *code, uint32_t child,
                     const struct callgrind_place *place,
                     const uint64_t events[CALLGRIND_EVENTS])
{
    const struct rows *rows = code->rows;
    uint32_t parent = rows->stacks.nodes.list[child].parent;
    bool fresh, outside = parent == STACKS_NONE;
    uint32_t callee = rows_of_node(rows, child);
    uint32_t caller = outside ? STACKS_NONE : rows_of_node(rows, parent);
    uint32_t line = outside ? 0 : own_line(rows, caller, parent);
    uint32_t number = index_put(&code->calls, caller, line, callee, &fresh);
    struct callgrind_costs *costs = code->costs;
    if (fresh)
        BUF_PUSH(costs->calls) = (struct callgrind_call){.caller = caller,
                                                         .line = line,
                                                         .callee = callee,
                                                         .place = *place,
                                                         .calls = 1};
    struct callgrind_call *call = &costs->calls.list[number];
    if (place->module < call->place.module ||
        (place->module == call->place.module && place->address < call->place.address))
        call->place = *place;
    add_events(call->events, events);
}

/* Adds the events of the instruction of node LEAF to its line, and once to the call of
   each function around it: the call in the innermost activation of the function, as
   call_lines_find does. */
static void add_node(struct code *code, uint32_t leaf, struct shares_own amounts)
{
    const struct stacks *stacks = &code->rows->stacks;
    const struct stacks_copy *copy = &stacks->copies.list[stacks->nodes.list[leaf].copy];
    const struct callgrind_place place = {copy->module == STACKS_NONE ? copy->home
                                                                      : copy->module,
                                          stacks->nodes.list[leaf].address};
    uint32_t row = rows_of_node(code->rows, leaf);
    uint64_t events[CALLGRIND_EVENTS + 1] = {0};
    bool calls_known = code->rows->called.calls.count > 0;
    for (size_t i = 0; i < amounts.count; i++)
        events[event_of_column(code, amounts.entries[i].bin)] = amounts.entries[i].count;
    add_events(callgrind_cost_of(code->costs, row, own_line(code->rows, row, leaf), place)
                   ->events,
               events);
    code->seen[row] = leaf + 1;
    for (uint32_t child = leaf; child != STACKS_NONE;) {
        uint32_t parent = stacks->nodes.list[child].parent;
        uint32_t caller =
            parent == STACKS_NONE ? STACKS_NONE : rows_of_node(code->rows, parent);
        if (caller == STACKS_NONE ? !calls_known : code->seen[caller] != leaf + 1)
            add_call(code, child, &place, events);
        if (caller != STACKS_NONE)
            code->seen[caller] = leaf + 1;
        child = parent;
    }
}

/* Adds what a call instruction executed: to the call of a function by it, or to the calls
   of the functions inlined around it. */
static void add_called(struct code *code, const struct rows_call *from)
{
    const struct rows *rows = code->rows;
    uint32_t caller = rows_of_source(rows, from->caller);
    uint32_t callee =
        from->callee == STACKS_NONE ? STACKS_NONE : rows_of_source(rows, from->callee);
    const struct callgrind_place place = {from->module, from->address};
    uint64_t events[CALLGRIND_EVENTS] = {[CALLGRIND_IR] = from->part};
    bool fresh = true;
    uint32_t number = 0;
    if (caller == STACKS_NONE || (callee == STACKS_NONE && !from->part))
        return;
    if (from->inlined)
        number = index_put(&code->calls, caller, from->line, callee, &fresh);
    if (!from->inlined)
        number = (uint32_t)code->costs->calls.count;
    if (fresh)
        BUF_PUSH(code->costs->calls) =
            (struct callgrind_call){.caller = caller,
                                    .line = from->line,
                                    .callee = callee,
                                    .place = place,
                                    .calls = from->inlined ? 1 : from->count};
    add_events(code->costs->calls.list[number].events, events);
}

/* Adds calls from outside to the functions that also have other calls. Programs add the
   calls of a function up to its inclusive cost; without any call, they add up its own
   costs and those of its callees. */
static void add_outside(struct code *code)
{
    const struct rows *rows = code->rows;
    struct callgrind_costs *costs = code->costs;
    BUF_OWN bool *is_called = buf_alloc((rows->count + 1) * sizeof *is_called);
    for (size_t i = 0; i < costs->calls.count; i++)
        if (costs->calls.list[i].callee != STACKS_NONE)
            is_called[costs->calls.list[i].callee] = true;
    for (size_t i = 0; i < rows->called.outside.count; i++) {
        const struct rows_called_outside *from = &rows->called.outside.list[i];
        uint32_t callee = rows_of_source(rows, from->source);
        if (callee != STACKS_NONE && is_called[callee])
            BUF_PUSH(costs->calls) =
                (struct callgrind_call){.caller = STACKS_NONE,
                                        .callee = callee,
                                        .place = {from->module, from->start},
                                        .calls = 1,
                                        .events = {[CALLGRIND_IR] = from->amount}};
    }
}

enum callgrind_event callgrind_event_of(const struct measure *measure)
{
    static const char *const names[] = {"Ir", "Dr", "Dw"};
    for (int i = 0; i < 3; i++)
        if (strcmp(measure->event, names[i]) == 0)
            return CALLGRIND_IR + i;
    return CALLGRIND_OTHER;
}

void callgrind_add_code(struct callgrind_costs *costs, const struct view *view)
{
    const struct measure *shown = profile_measure(view->profile);
    const struct stacks *stacks = &view->rows->stacks;
    struct code code = {.costs = costs, .rows = view->rows};
    size_t next = 0;
    if (callgrind_event_of(shown) == CALLGRIND_OTHER)
        code.other = shown;
    code.seen = buf_alloc((view->rows->count + 1) * sizeof *code.seen);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        struct shares_own owned = shares_of(&stacks->values, i, &next);
        if (owned.count)
            add_node(&code, i, owned);
    }
    /* First the calls that are in the index: their numbers are those in the list. */
    const struct rows_called *called = &view->rows->called;
    for (int inlined = 1; inlined >= 0; inlined--)
        for (size_t i = 0; i < called->calls.count; i++)
            if (called->calls.list[i].inlined == inlined)
                add_called(&code, &called->calls.list[i]);
    add_outside(&code);
    free(code.seen);
    index_free(&code.calls);
}
