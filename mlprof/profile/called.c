/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the cycles of calls, and divides what functions in cycles executed. */

#include "mlprof/profile/called.h"
#include "mlprof/base/components.h"
#include "mlprof/base/index.h"
#include "mlprof/base/statistics.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Calls of a function, in the order in which they get their parts. Calls that leave its
   cycle contain no other ones. What a function executes in a call of itself is its own
   code and its other calls, so that this call gets nothing. */
enum way { WAY_OUT, WAY_CYCLE, WAY_ITSELF, WAYS };

struct sums {
    uint64_t amounts[WAYS], parts[WAYS];
    uint64_t divided; /* of the amounts, in the calls that have their parts */
};

struct division {
    struct profile_called *called;
    uint32_t *callees;   /* by call: its function, or NONE */
    uint32_t *component; /* by function; with the same number they call each other */
};

static void find_callees(struct division *division)
{
    const struct profile_called *called = division->called;
    BUF_VECTOR(struct components_edge) edges = {0};
    BUF_OWN uint32_t *by_key = buf_alloc((called->functions.count + 1) * sizeof *by_key);
    struct index index = {0};
    for (uint32_t i = 0; i < called->functions.count; i++) {
        const struct profile_called_function *function = &called->functions.list[i];
        bool fresh;
        uint32_t key = index_put(&index, function->module, function->start, 0, &fresh);
        if (fresh)
            by_key[key] = i;
    }
    for (size_t i = 0; i < called->calls.count; i++) {
        const struct profile_called_call *call = &called->calls.list[i];
        uint32_t key;
        division->callees[i] = NONE;
        if (!call->target ||
            !index_get(&index, call->target_module, call->target, 0, &key))
            continue;
        division->callees[i] = by_key[key];
        BUF_PUSH(edges) = (struct components_edge){(uint32_t)call->caller, by_key[key]};
    }
    division->component =
        components_find(called->functions.count, edges.list, edges.count);
    free(edges.list);
    index_free(&index);
}

static enum way way_of(const struct division *division, size_t i)
{
    size_t caller = division->called->calls.list[i].caller;
    uint32_t callee = division->callees[i];
    return callee == caller ? WAY_ITSELF
           : callee == NONE || division->component[callee] == division->component[caller]
               ? WAY_CYCLE
               : WAY_OUT;
}

static void divide(const struct division *division)
{
    struct profile_called *called = division->called;
    BUF_OWN struct sums *list = buf_alloc((called->functions.count + 1) * sizeof *list);
    for (size_t i = 0; i < called->calls.count; i++) {
        uint64_t *sum = &list[called->calls.list[i].caller].amounts[way_of(division, i)];
        *sum = saturate_add(*sum, called->calls.list[i].amount);
    }
    for (size_t i = 0; i < called->functions.count; i++) {
        const struct profile_called_function *function = &called->functions.list[i];
        uint64_t left =
            function->all > function->self ? function->all - function->self : 0;
        for (int way = 0; way < WAY_ITSELF; way++) {
            uint64_t amount = list[i].amounts[way];
            list[i].parts[way] = amount < left ? amount : left;
            left -= list[i].parts[way];
        }
    }
    for (int way = 0; way < WAYS; way++) {
        for (size_t i = 0; i < called->functions.count; i++)
            list[i].divided = 0;
        for (size_t i = 0; i < called->calls.count; i++) {
            struct profile_called_call *call = &called->calls.list[i];
            struct sums *sums = &list[call->caller];
            uint64_t all = sums->amounts[way], part = sums->parts[way];
            if (!call->amount || (int)way_of(division, i) != way)
                continue;
            /* Rounds the sums, so that the parts add up. */
            call->part = profile_called_share(part, sums->divided, all);
            sums->divided = saturate_add(sums->divided, call->amount);
            call->part = profile_called_share(part, sums->divided, all) - call->part;
        }
    }
}

/* A cycle's outside is what its functions executed, without what others called. It is
   written to the function of the cycle of which calls from other functions explain the
   least. */
static void find_outside(const struct division *division)
{
    struct profile_called *called = division->called;
    size_t count = called->functions.count;
    BUF_OWN uint64_t *into = buf_alloc((count + 1) * sizeof *into),
                     *inside = buf_alloc((count + 1) * sizeof *inside),
                     *size = buf_alloc((count + 1) * sizeof *size);
    BUF_OWN uint32_t *first = buf_alloc((count + 1) * sizeof *first);
    for (size_t i = 0; i < called->calls.count; i++) {
        const struct profile_called_call *call = &called->calls.list[i];
        uint32_t callee = division->callees[i], from = division->component[call->caller];
        if (callee != NONE && division->component[callee] == from)
            continue;
        inside[from] = saturate_add(inside[from], call->part);
        if (callee != NONE)
            into[callee] = saturate_add(into[callee], call->part);
    }
    for (size_t i = 0; i < count; i++) {
        struct profile_called_function *function = &called->functions.list[i];
        uint32_t component = division->component[i];
        inside[component] = saturate_add(inside[component], function->self);
        function->outside = function->all > into[i] ? function->all - into[i] : 0;
        if (size[component]++ == 0 ||
            function->outside > called->functions.list[first[component]].outside)
            first[component] = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++)
        if (size[division->component[i]] > 1)
            called->functions.list[i].outside = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t component = division->component[i];
        if (size[component] < 2)
            continue;
        inside[component] -= into[i] < inside[component] ? into[i] : inside[component];
        called->functions.list[first[component]].outside = inside[component];
    }
}

/* Gives jumps in tail position what calls leave of their targets, in proportion to their
   numbers. */
static void divide_tails(const struct division *division)
{
    struct profile_called *called = division->called;
    size_t size = (called->functions.count + 1) * sizeof(uint64_t);
    BUF_OWN uint64_t *into = buf_alloc(size), *jumps = buf_alloc(size),
                     *divided = buf_alloc(size);
    for (size_t i = 0; i < called->calls.count; i++) {
        const struct profile_called_call *call = &called->calls.list[i];
        uint32_t callee = division->callees[i];
        if (callee == NONE || callee == call->caller)
            continue;
        uint64_t *sum = call->tail ? &jumps[callee] : &into[callee];
        *sum = saturate_add(*sum, call->tail ? call->count : call->part);
    }
    for (size_t i = 0; i < called->calls.count; i++) {
        struct profile_called_call *call = &called->calls.list[i];
        uint32_t callee = division->callees[i];
        if (!call->tail || !call->count || callee == NONE || callee == call->caller)
            continue;
        struct profile_called_function *to = &called->functions.list[callee];
        uint64_t left = to->all > into[callee] ? to->all - into[callee] : 0,
                 before = profile_called_share(left, divided[callee], jumps[callee]);
        divided[callee] = saturate_add(divided[callee], call->count);
        call->part = profile_called_share(left, divided[callee], jumps[callee]) - before;
        to->outside -= call->part < to->outside ? call->part : to->outside;
    }
}

void profile_called_divide(struct profile_called *called)
{
    BUF_OWN uint32_t *callees = buf_alloc((called->calls.count + 1) * sizeof *callees);
    struct division division = {.called = called, .callees = callees};
    find_callees(&division);
    divide(&division);
    find_outside(&division);
    divide_tails(&division);
    free(division.component);
}
