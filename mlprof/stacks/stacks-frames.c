/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the frames of the tables at each address, in the order of the addresses, so
   that each function is decoded once. Adds frames for code outside of the tables. */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/profile/latencypoints.h"
#include "mlprof/profile/waitpoints.h"
#include "mlprof/program/code-names.h"
#include "mlprof/program/skid.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether a frame of COPY continues the activation of the frame PARENT.
   PARENT may be STACKS_NONE. */
static bool is_same_activation(const struct stacks *stacks, uint32_t parent,
                               uint32_t copy)
{
    if (parent == STACKS_NONE ||
        stacks_source_of(stacks, parent) != stacks->copies.list[copy].source)
        return false;
    return stacks->copies.list[copy].split ||
           stacks->copies.list[stacks->nodes.list[parent].copy].entry;
}

uint32_t stacks_put_frame_copy(struct stacks *stacks, uint32_t module,
                               uint32_t function_number, const struct unit *unit,
                               const struct function_frame *frame)
{
    bool fresh;
    uint32_t copy = stacks_put_copy(stacks, module, function_number, frame->copy, &fresh);
    if (fresh) {
        uint32_t number = stacks_unit_source(stacks, unit, frame->source);
        stacks->copies.list[copy].source = number;
        stacks->copies.list[copy].entry = frame->source->flags & CCPROF_SOURCE_ENTRY;
        stacks->copies.list[copy].split = frame->source->flags & CCPROF_SOURCE_SPLIT;
    }
    return copy;
}

/* Returns frame NUMBER of the frames that were read last, with the numbers used in the
   stacks. */
static struct stacks_frame number_frame(struct stacks_builder *build, size_t number)
{
    const struct frames *frames = &build->frames;
    const struct unit *unit = frames->function->unit;
    const struct function_frame *frame = &frames->list[number];
    return (struct stacks_frame){
        .copy = stacks_put_frame_copy(build->stacks, frames->module, frames->number, unit,
                                      frame),
        .position = stacks_put_position(build->stacks, unit, &frame->position),
        .address = build->by_address ? frames->address : 0,
        .inlined = number > 0};
}

/* An address of the profile that has a local stack. */
struct place {
    uint32_t module, number;
    uint64_t address;
};

BUF_COMPARE(by_address, struct place,
            BUF_ORDER(a->module, b->module) ?: BUF_ORDER(a->address, b->address))

/* Appends the frames that were read last to SPAN, which must be at the end of the
   list. */
static void keep_frames(struct stacks_builder *build, struct stacks_span *span)
{
    struct stacks_places *places = &build->places;
    for (size_t i = 0; i < build->frames.count; i++, span->count++)
        BUF_AT(places->frames, span->first + span->count, places->capacity) =
            number_frame(build, i);
}

static void add_charged(struct stacks_builder *build, struct stacks_span *span,
                        uint32_t module, const struct skid_place *place)
{
    if (place->address && frames_read_at(&build->frames, build->program, module,
                                         place->address, &place->point))
        keep_frames(build, span);
}

/* Reads the frames that samples are charged to. Returns their number. */
static size_t read_charges(struct stacks_builder *build)
{
    const struct skid *skid = build->program->skid;
    size_t points = skid ? skid_point_count(skid) : 0, count = 0;
    struct stacks_span *spans = buf_alloc((2 * points + 1) * sizeof *spans);
    for (size_t i = 0; i < 2 * points; i++) {
        uint32_t module;
        struct skid_charge charge;
        spans[i].first = count;
        if (!skid_point(skid, i / 2, &module, &charge) || !charge.count[i % 2])
            continue;
        add_charged(build, &spans[i], module, &charge.places[i % 2]);
        add_charged(build, &spans[i], module, &charge.returned[i % 2]);
        count += spans[i].count;
    }
    build->places.charged = spans;
    return count;
}

/* Returns the places from 1 to *COUNT, sorted by address. Sets the place of each
   node. The caller frees the result. If samples are charged to other instructions,
   leaf nodes get no place, because few of their own frames are needed. */
static struct place *find_places(struct stacks_builder *build, const bool *leaves,
                                 size_t *count)
{
    const struct profile *profile = build->profile;
    struct index addresses = {0};
    uint32_t *of_node = buf_alloc((profile->nodes.count + 1) * sizeof *of_node);
    bool fresh;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        if (node->module < build->program->count && !(build->program->skid && leaves[i]))
            of_node[i] =
                1 + index_put(&addresses, node->module, node->address, 0, &fresh);
    }
    struct place *list = buf_alloc((addresses.count + 1) * sizeof *list);
    for (uint32_t i = 0; i < addresses.count; i++)
        list[i] = (struct place){.module = (uint32_t)addresses.keys[i].words[0],
                                 .number = i + 1,
                                 .address = addresses.keys[i].words[1]};
    *count = addresses.count;
    BUF_SORT(list, *count, by_address);
    index_free(&addresses);
    build->places.of_node = of_node;
    return list;
}

void stacks_places_read(struct stacks_builder *build, const bool *leaves)
{
    size_t frame_count = read_charges(build), count;
    BUF_OWN struct place *list = find_places(build, leaves, &count);
    struct stacks_span *spans = buf_alloc((count + 1) * sizeof *spans);
    for (size_t i = 0; i < count; i++) {
        struct stacks_span *span = &spans[list[i].number];
        *span = (struct stacks_span){.first = frame_count};
        if (frames_read(&build->frames, build->program, list[i].module, list[i].address))
            keep_frames(build, span);
        frame_count += span->count;
    }
    build->places.spans = spans;
}

void stacks_places_free(struct stacks_places *places)
{
    free(places->frames);
    free(places->of_node);
    free(places->spans);
    free(places->charged);
    *places = (struct stacks_places){0};
}

static uint32_t add_frame(struct stacks *stacks, uint32_t parent,
                          const struct stacks_frame *frame)
{
    bool inlined = frame->inlined;
    if (is_same_activation(stacks, parent, frame->copy)) {
        inlined = stacks->nodes.list[parent].inlined;
        parent = stacks->nodes.list[parent].parent;
    }
    uint32_t node =
        stacks_put_node(stacks, parent, frame->copy, frame->position, frame->address);
    stacks->nodes.list[node].inlined = inlined;
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

/* Adds the frames that were read last below PARENT. */
static uint32_t add_frames(struct stacks_builder *build, uint32_t parent)
{
    uint32_t end = parent;
    for (size_t i = 0; i < build->frames.count; i++) {
        const struct stacks_frame frame = number_frame(build, i);
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

/* Adds the functions that may have jumped to node NUMBER of the profile, which is
   outside. */
static uint32_t add_tail_call(struct stacks_builder *build, size_t number,
                              uint32_t parent)
{
    const struct tail_calls_jumps *jumps =
        build->tail_calls ? tail_calls_find(build->tail_calls, (uint32_t)number) : NULL;
    if (!jumps)
        return parent;
    frames_read(&build->frames, build->program, jumps->jumps[0].module,
                jumps->jumps[0].address);
    for (size_t i = 1; i < jumps->count; i++) {
        frames_read(&build->others, build->program, jumps->jumps[i].module,
                    jumps->jumps[i].address);
        frames_keep(&build->frames, &build->others);
    }
    return add_frames(build, parent);
}

/* Returns a source for an activity of the kernel. The name of a system call differs
   from that of libc's function. */
static uint32_t put_system_call(struct stacks_builder *build,
                                const struct profile_node *node)
{
    BUF_OWN char *call = kernel_name(build->program, node->address);
    const char *kernel = node->address < CCPROF_KERNEL_CALLS ? "" : "kernel ";
    BUF_OWN char *name = buf_format("<%s%s>", kernel, call),
                 *symbol = buf_format("%s [kernel]", call);
    return stacks_source(build->stacks,
                         &(struct identity_source){.name = name, .symbol = symbol});
}

uint32_t stacks_add_outside(struct stacks_builder *build, uint32_t parent,
                            const struct profile_node *node)
{
    uint32_t home = node->module == PROFILE_NO_MODULE ? STACKS_NONE : node->module;
    uint64_t address = build->by_address ? node->address : 0;
    if (node->module == build->kernel)
        return stacks_put_outside_at(build->stacks, parent, put_system_call(build, node),
                                     home, address);
    BUF_OWN char *name = outside_name(build->outside, node->module, node->address);
    uint32_t source = stacks_name_source(build->stacks, name);
    return stacks_put_outside_at(build->stacks, parent, source, home, address);
}

uint32_t stacks_add_around(struct stacks_builder *build, uint32_t parent,
                           const struct profile_node *node)
{
    const struct profile *profile = build->profile;
    uint32_t number = (uint32_t)node->address;
    if (node->module == PROFILE_PARALLELISM) {
        BUF_OWN char *parallelism = latencypoints_text(node->address);
        BUF_OWN char *framed = buf_format("[%s]", parallelism);
        return stacks_put_around(build->stacks, parent, framed, STACKS_PARALLELISM);
    }
    enum stacks_what what = node->module == PROFILE_THREAD    ? STACKS_THREAD
                            : node->module == PROFILE_PROCESS ? STACKS_PROCESS
                                                              : STACKS_PHASE;
    const char *text =
        what == STACKS_THREAD    ? intern_text(&profile->names.threads, number)
        : what == STACKS_PROCESS ? intern_text(&profile->names.processes, number)
                                 : profile->names.labels.list[number];
    /* All threads for which the runtime had no room share the number 0. */
    bool others = what == STACKS_THREAD && strncmp(text, "0 ", 2) == 0;
    BUF_OWN char *name = others ? buf_copy("[other threads]")
                                : buf_format("[%s%s]",
                                             what == STACKS_THREAD    ? "thread "
                                             : what == STACKS_PROCESS ? "process "
                                                                      : "",
                                             text);
    return stacks_put_around(build->stacks, parent, name, what);
}

uint32_t stacks_add_wait(struct stacks_builder *build, uint32_t parent,
                         const struct profile_node *node)
{
    static const char *const reasons[] = CCPROF_WAIT_NAMES;
    BUF_OWN char *name = buf_format("[%s]", reasons[waitpoints_reason(node->address)]);
    return stacks_put_wait(build->stacks, parent, name, waitpoints_object(node->address));
}

/* Returns the frames at the address of node NUMBER of the profile. */
static const struct stacks_span *own_span(const struct stacks_builder *build,
                                          size_t number)
{
    return &build->places.spans[build->places.of_node[number]];
}

bool stacks_is_folded(const struct stacks_builder *build, const struct profile_node *node)
{
    const struct program *program = build->program;
    struct tables_point point;
    return node->module < program->count && program->tables[node->module] &&
           tables_find(program->tables[node->module], node->address, &point);
}

/* Returns whether the node's code, which is outside, belongs to the C library or to the
   start of the program, so that it only calls main or the function of a thread, if it
   has no symbol or one of these. */
static bool is_start(const struct stacks_builder *build, const struct profile_node *node)
{
    static const char names[] = " _start __libc_start_main __libc_start_call_main "
                                "start_thread clone clone3 __clone3 ";
    if (node->module >= build->profile->modules.count || node->module == build->kernel)
        return false;
    const char *symbol = outside_symbol(build->outside, node->module, node->address);
    BUF_OWN char *word = buf_format(" %s ", symbol ? symbol : "");
    const char *file = path_last(build->profile->modules.list[node->module].path);
    return symbol ? strstr(names, word) != NULL
                  : node->module == 0 || strncmp(file, "libc.so.", 8) == 0;
}

/* Returns whether node NUMBER of the profile, if it is outside, has a frame of its own.
   Code around all other frames of a thread has none: it is the same in every program.
   ccprof's own code has none: it starts threads and calls libc for the program. */
static bool is_shown_outside(const struct stacks_builder *build, size_t number)
{
    const struct profile *profile = build->profile;
    const struct profile_node *node = &profile->nodes.list[number];
    bool outermost = node->parent == PROFILE_NO_NODE ||
                     build->ends[node->parent] == build->enclosing[number];
    return build->outside && !stacks_is_folded(build, node) &&
           !profile_is_own(profile, node) && !(outermost && is_start(build, node));
}

uint32_t stacks_add_point(struct stacks_builder *build, size_t number, uint32_t parent)
{
    const struct profile_node *node = &build->profile->nodes.list[number];
    uint32_t end = stacks_add_span(build, parent, own_span(build, number));
    if (end == parent && node->module != PROFILE_NO_MODULE)
        end = stacks_add_local_stack(build, parent, node->module, node->address);
    if (end != parent)
        return end;
    end = add_tail_call(build, number, parent);
    return is_shown_outside(build, number) ? stacks_add_outside(build, end, node) : end;
}

bool stacks_has_frames(struct stacks_builder *build, size_t number)
{
    const struct profile_node *node = &build->profile->nodes.list[number];
    return is_shown_outside(build, number) || own_span(build, number)->count != 0 ||
           (build->tail_calls && tail_calls_find(build->tail_calls, (uint32_t)number)) ||
           (node->module != PROFILE_NO_MODULE &&
            frames_read(&build->frames, build->program, node->module, node->address));
}
