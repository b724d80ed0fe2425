/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/program/code-names.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>
#include <string.h>

/* Whether COPY continues the activation that the frame PARENT, which may be STACKS_NONE,
   began.  */
static bool is_same_activation(const struct stacks *stacks, uint32_t parent,
                               uint32_t copy)
{
    if (parent == STACKS_NONE ||
        stacks_source_of(stacks, parent) != stacks->copies[copy].source)
        return false;
    return stacks->copies[copy].split || stacks->copies[stacks->nodes[parent].copy].entry;
}

uint32_t stacks_put_frame_copy(struct stacks *stacks, uint32_t module,
                               uint32_t function_number, const struct unit *unit,
                               const struct function_frame *frame)
{
    bool fresh;
    uint32_t copy = stacks_put_copy(stacks, module, function_number, frame->copy, &fresh);
    if (fresh) {
        uint32_t number = stacks_unit_source(stacks, unit, frame->source);
        stacks->copies[copy].source = number;
        stacks->copies[copy].entry = frame->source->flags & CCPROF_SOURCE_ENTRY;
        stacks->copies[copy].split = frame->source->flags & CCPROF_SOURCE_SPLIT;
    }
    return copy;
}

struct stacks_frame stacks_number_frame(struct stacks_builder *build,
                                        const struct frames *frames, size_t number)
{
    const struct unit *unit = frames->function->unit;
    const struct function_frame *frame = &frames->list[number];
    return (struct stacks_frame){
        .copy = stacks_put_frame_copy(build->stacks, frames->module, frames->number, unit,
                                      frame),
        .position = stacks_put_position(build->stacks, unit, &frame->position),
        .address = build->by_address ? frames->address : 0,
        .inlined = number > 0};
}

static uint32_t add_frame(struct stacks *stacks, uint32_t parent,
                          const struct stacks_frame *frame)
{
    bool inlined = frame->inlined;
    if (is_same_activation(stacks, parent, frame->copy)) {
        inlined = stacks->nodes[parent].inlined;
        parent = stacks->nodes[parent].parent;
    }
    uint32_t node =
        stacks_put_node_at(stacks, parent, frame->copy, frame->position, frame->address);
    stacks->nodes[node].inlined = inlined;
    return node;
}

uint32_t stacks_add_span(struct stacks_builder *build, uint32_t parent,
                         const struct stacks_span *span)
{
    uint32_t end = parent;
    for (size_t i = 0; i < span->count; i++)
        end = add_frame(build->stacks, end, &build->places.frames[span->first + i]);
    return end;
}

/* Adds the frames that were read last below PARENT.  */
static uint32_t add_frames(struct stacks_builder *build, uint32_t parent)
{
    uint32_t end = parent;
    for (size_t i = 0; i < build->frames.count; i++) {
        const struct stacks_frame frame = stacks_number_frame(build, &build->frames, i);
        end = add_frame(build->stacks, end, &frame);
    }
    return end;
}

uint32_t stacks_add_local_stack(struct stacks_builder *build, uint32_t parent,
                                uint32_t module, uint64_t address)
{
    frames_read(&build->frames, build->program, module, address);
    return add_frames(build, parent);
}

/* Adds the functions that went by a jump to the profile's node NUMBER, which is
   outside.  */
static uint32_t add_tail_call(struct stacks_builder *build, size_t number,
                              uint32_t parent)
{
    const struct tail_calls_jumps *jumps =
        build->tail_calls ? tail_calls_find(build->tail_calls, (uint32_t)number) : NULL;
    if (!jumps)
        return parent;
    frames_read(&build->frames, build->program, jumps->modules[0], jumps->addresses[0]);
    for (size_t i = 1; i < jumps->count; i++) {
        frames_read(&build->others, build->program, jumps->modules[i],
                    jumps->addresses[i]);
        frames_keep(&build->frames, &build->others);
    }
    return add_frames(build, parent);
}

/* A system call is another source than libc's function of its name.  */
static uint32_t put_system_call(struct stacks_builder *build,
                                const struct profile_node *node)
{
    char *call = kernel_name(build->program, node->address);
    char *name = buf_format("<%s>", call), *symbol = buf_format("%s [kernel]", call);
    const struct identity_source source = {.name = name, .symbol = symbol};
    uint32_t number = stacks_source(build->stacks, &source);
    free(symbol);
    free(name);
    free(call);
    return number;
}

static uint32_t put_outside(struct stacks_builder *build, const struct profile_node *node)
{
    if (node->module == build->kernel)
        return put_system_call(build, node);
    char *name = outside_name(build->outside, node->module, node->address);
    uint32_t number = stacks_name_source(build->stacks, name);
    free(name);
    return number;
}

static uint32_t add_outside(struct stacks_builder *build, uint32_t parent,
                            const struct profile_node *node)
{
    uint32_t home = node->module == PROFILE_NO_MODULE ? STACKS_NONE : node->module;
    uint64_t address = build->by_address ? node->address : 0;
    uint32_t source = put_outside(build, node);
    return stacks_put_outside_at(build->stacks, parent, source, home, address);
}

/* Threads for which the runtime found no room share the number 0.  */
static char *thread_name(const struct profile *profile, uint32_t thread)
{
    const char *text = intern_text(&profile->thread_names, thread);
    if (strncmp(text, "0 ", 2) == 0)
        return buf_copy("[other threads]");
    return buf_format("[thread %s]", text);
}

uint32_t stacks_add_around(struct stacks_builder *build, uint32_t parent,
                           const struct profile_node *node)
{
    bool thread = node->module == PROFILE_THREAD;
    char *name = thread ? thread_name(build->profile, (uint32_t)node->address)
                        : buf_format("[%s]", build->profile->labels[node->address]);
    uint32_t end = stacks_put_around(build->stacks, parent, name,
                                     thread ? STACKS_THREAD : STACKS_PHASE);
    free(name);
    return end;
}

uint32_t stacks_add_point(struct stacks_builder *build, size_t number, uint32_t parent)
{
    const struct profile_node *node = &build->profile->nodes[number];
    uint32_t end = stacks_add_span(build, parent, stacks_own_span(build, number));
    if (end == parent && node->module != PROFILE_NO_MODULE)
        end = stacks_add_local_stack(build, parent, node->module, node->address);
    if (end != parent)
        return end;
    end = add_tail_call(build, number, parent);
    return build->outside ? add_outside(build, end, node) : end;
}

bool stacks_has_frames(struct stacks_builder *build, size_t number)
{
    const struct profile_node *node = &build->profile->nodes[number];
    return build->outside || stacks_own_span(build, number)->count != 0 ||
           (build->tail_calls && tail_calls_find(build->tail_calls, (uint32_t)number)) ||
           (node->module != PROFILE_NO_MODULE &&
            frames_read(&build->frames, build->program, node->module, node->address));
}
