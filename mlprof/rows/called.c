/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The total of a compiled function is known. An inlined copy has its own instructions,
   which the stacks contain, and those of the calls in its code. */

#include "mlprof/rows/called.h"
#include "mlprof/base/buf.h"

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

/* Returns whether one of the first COUNT frames has the source of the frame after them.
 */
static bool is_inside_itself(const struct frames *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (frames->list[i].source == frames->list[count].source)
            return true;
    return false;
}

/* FRAMES are those of the call instruction. */
static void add_call(struct rows_called *called, struct stacks *stacks,
                     const struct frames *frames, const struct profile_called_call *call,
                     uint32_t callee)
{
    const struct unit *unit = frames->function->unit;
    for (size_t i = frames->count; i-- > 0;) {
        const struct function_frame *frame = &frames->list[i];
        uint32_t source = stacks_unit_source(stacks, unit, frame->source);
        bool innermost = i + 1 == frames->count;
        BUF_PUSH(called->calls) = (struct rows_call){.caller = source,
                                                     .callee = callee,
                                                     .inlined = !innermost,
                                                     .line = own_line(unit, frame),
                                                     .module = call->module,
                                                     .address = call->address,
                                                     .count = innermost ? call->count : 0,
                                                     .amount = call->amount};
        if (frame->copy != 0 && !is_inside_itself(frames, i))
            BUF_PUSH(called->more) = (struct rows_called_more){source, call->amount};
        callee = source;
    }
}

void rows_called_find(struct rows_called *called, struct stacks *stacks,
                      const struct profile *profile, const struct program *program)
{
    const struct profile_called *from = &profile->called;
    struct frames frames = {0};
    for (size_t i = 0; i < from->functions.count; i++) {
        const struct profile_called_function *function = &from->functions.list[i];
        uint32_t source =
            source_at(&frames, stacks, program, function->module, function->start);
        if (source != STACKS_NONE && function->all > function->self)
            BUF_PUSH(called->more) =
                (struct rows_called_more){source, function->all - function->self};
    }
    for (size_t i = 0; i < from->calls.count; i++) {
        const struct profile_called_call *call = &from->calls.list[i];
        uint32_t callee = source_at(&frames, stacks, program, call->module, call->target);
        if (frames_read(&frames, program, call->module, call->address))
            add_call(called, stacks, &frames, call, callee);
    }
    frames_free(&frames);
}

void rows_called_free(struct rows_called *called)
{
    free(called->calls.list);
    free(called->more.list);
    *called = (struct rows_called){0};
}
