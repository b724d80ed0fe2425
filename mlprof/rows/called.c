/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The total of a compiled function is known. An inlined copy has its own instructions,
   which the stacks contain, and those of the calls in its code. */

#include "mlprof/rows/called.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <stdlib.h>
#include <string.h>

/* Returns the source of the compiled function at an address, or STACKS_NONE. */
static uint32_t source_at(struct frames *frames, struct stacks *stacks,
                          const struct program *program, uint32_t module,
                          uint64_t address)
{
    if (!address || !frames_read(frames, program, module, address) ||
        frames->list[0].copy != 0)
        return STACKS_NONE;
    return stacks_unit_source(stacks, frames->function->unit, frames->list[0].source);
}

/* Returns the line of the frame in the file of its source, or 0. */
static uint32_t own_line(const struct unit *unit, const struct function_frame *frame)
{
    struct identity_source identity = identity_of(unit, frame->source);
    const char *file = unit_file(unit, frame->position.file);
    return file && identity.file && strcmp(file, identity.file) == 0
               ? frame->position.line
               : 0;
}

/* Returns whether one of the first COUNT frames has SOURCE. */
static bool is_inside(struct stacks *stacks, const struct frames *frames, size_t count,
                      uint32_t source)
{
    for (size_t i = 0; i < count; i++)
        if (stacks_unit_source(stacks, frames->function->unit, frames->list[i].source) ==
            source)
            return true;
    return false;
}

/* FRAMES are those of the call instruction. */
static void add_call(struct rows_called *called, struct stacks *stacks,
                     const struct frames *frames, const struct profile_called_call *call,
                     uint32_t callee)
{
    const struct unit *unit = frames->function->unit;
    const uint32_t target = callee;
    for (size_t i = frames->count; i-- > 0;) {
        const struct function_frame *frame = &frames->list[i];
        uint32_t source = stacks_unit_source(stacks, unit, frame->source);
        bool innermost = i + 1 == frames->count;
        if (innermost || source != callee)
            BUF_PUSH(called->calls) =
                (struct rows_call){.caller = source,
                                   .callee = callee,
                                   .inlined = !innermost,
                                   .line = own_line(unit, frame),
                                   .module = call->module,
                                   .address = call->address,
                                   .count = innermost ? call->count : 0,
                                   .amount = call->amount,
                                   .part = source == callee ? 0 : call->part};
        if (frame->copy != 0 && source != target && !is_inside(stacks, frames, i, source))
            BUF_PUSH(called->more) = (struct rows_called_more){source, call->amount};
        callee = source;
    }
}

/* A source may have several compiled functions (f and f.part.0, the destructors of a
   class). What one of them executes in another one is only once in the source's total. */
void rows_called_find(struct rows_called *called, struct stacks *stacks,
                      const struct profile *profile, const struct program *program)
{
    const struct profile_called *from = &profile->called;
    struct frames frames = {0};
    BUF_OWN uint32_t *sources = buf_alloc((from->functions.count + 1) * sizeof *sources);
    BUF_OWN uint64_t *again = buf_alloc((from->functions.count + 1) * sizeof *again);
    for (size_t i = 0; i < from->functions.count; i++)
        sources[i] = source_at(&frames, stacks, program, from->functions.list[i].module,
                               from->functions.list[i].start);
    for (size_t i = 0; i < from->calls.count; i++) {
        const struct profile_called_call *call = &from->calls.list[i];
        uint32_t callee =
            source_at(&frames, stacks, program, call->target_module, call->target);
        if (callee == sources[call->caller] && !call->tail)
            again[call->caller] = saturate_add(again[call->caller], call->part);
        if (frames_read(&frames, program, call->module, call->address))
            add_call(called, stacks, &frames, call, callee);
    }
    for (size_t i = 0; i < from->functions.count; i++) {
        const struct profile_called_function *function = &from->functions.list[i];
        uint64_t counted = saturate_add(function->self, again[i]);
        if (sources[i] != STACKS_NONE && function->all > counted)
            BUF_PUSH(called->more) =
                (struct rows_called_more){sources[i], function->all - counted};
        if (sources[i] != STACKS_NONE && function->outside)
            BUF_PUSH(called->outside) = (struct rows_called_outside){
                sources[i], function->module, function->start, function->outside};
    }
    frames_free(&frames);
}

void rows_called_free(struct rows_called *called)
{
    free(called->calls.list);
    free(called->more.list);
    free(called->outside.list);
    *called = (struct rows_called){0};
}
