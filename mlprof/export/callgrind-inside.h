/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs and calls that callgrind.c writes. callgrind-code.c collects those of the
   kind instructions. */

#ifndef MLPROF_CALLGRIND_INSIDE_H
#define MLPROF_CALLGRIND_INSIDE_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/view/view.h"

/* Events of instructions have the names and, except for Dr, the meanings of valgrind's.
   OTHER: another measure of instructions, which is shown. */
enum callgrind_event {
    CALLGRIND_SAMPLES,
    CALLGRIND_IR,
    CALLGRIND_DR,
    CALLGRIND_DW,
    CALLGRIND_BC,
    CALLGRIND_BI,
    CALLGRIND_OTHER,
    CALLGRIND_CALLS,
    CALLGRIND_EXECUTIONS,
    CALLGRIND_BYTES,
    CALLGRIND_ALLOCATIONS,
    CALLGRIND_EVENTS
};

/* The place of a cost in machine code. The module is STACKS_NONE and the address 0 if
   the costs of a line are added up. */
struct callgrind_place {
    uint32_t module;
    uint64_t address;
};

/* The cost of a line of a function, or of an instruction. */
struct callgrind_cost {
    uint32_t row, line;
    struct callgrind_place place;
    uint64_t events[CALLGRIND_EVENTS];
};

/* A call, with the inclusive cost of its callee. */
struct callgrind_call {
    uint32_t caller, line, callee; /* as in struct call_lines_call */
    struct callgrind_place place;
    uint64_t calls; /* at least 1 */
    uint64_t events[CALLGRIND_EVENTS];
};

struct callgrind_costs {
    struct callgrind_cost *costs;
    size_t count, capacity;
    struct index index; /* key: row, line, address; number: index in COSTS */
    BUF_VECTOR(struct callgrind_call) calls;
};

/* Returns the cost at a line and place, which is added if needed. */
struct callgrind_cost *callgrind_cost_of(struct callgrind_costs *costs, uint32_t row,
                                         uint32_t line, struct callgrind_place place);

/* Returns the event of a measure of instructions. */
enum callgrind_event callgrind_event_of(const struct measure *measure);

/* Adds the costs of all executed instructions, and the calls of inlined functions.
   The stacks must have addresses. */
void callgrind_add_code(struct callgrind_costs *costs, const struct view *view);

#endif
