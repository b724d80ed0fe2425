/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/stacks.h"
#include "mlprof/base/buf.h"
#include "mlprof/evaluate/frames.h"
#include "mlprof/evaluate/skid.h"
#include "mlprof/evaluate/tail-calls.h"

#include <stdlib.h>
#include <string.h>

/* Number of no text.  */
#define NONE UINT32_MAX

/* Stands in place of a module for what lies in no table.  */
#define OUTSIDE UINT64_MAX

static uint32_t put_text(struct stacks *stacks, const char *text)
{
    return text ? intern_put(&stacks->names, text) : NONE;
}

static const char *get_text(const struct stacks *stacks, uint32_t number)
{
    return number == NONE ? NULL : intern_text(&stacks->names, number);
}

uint32_t stacks_source(struct stacks *stacks, const struct identity_source *source)
{
    bool fresh;
    uint32_t number = identity_put(&stacks->identity, source, &fresh);
    if (fresh) {
        stacks->sources = buf_grow(stacks->sources, &stacks->source_capacity,
                                   stacks->source_count + 1, sizeof *stacks->sources);
        stacks->trusts = buf_grow(stacks->trusts, &stacks->trust_capacity,
                                  stacks->source_count + 1, sizeof *stacks->trusts);
        stacks->trusts[stacks->source_count] = (struct stacks_trust){0};
        stacks->sources[stacks->source_count++] = (struct identity_source){
            .name = get_text(stacks, put_text(stacks, source->name)),
            .symbol = get_text(stacks, put_text(stacks, source->symbol)),
            .file = get_text(stacks, put_text(stacks, source->file)),
            .directory = get_text(stacks, put_text(stacks, source->directory)),
            .line = source->line,
            .column = source->column};
    }
    return number;
}

uint32_t stacks_unit_source(struct stacks *stacks, const struct unit *unit,
                            const struct unit_source *source)
{
    struct identity_source identity = identity_of(unit, source);
    return stacks_source(stacks, &identity);
}

/* Something outside.  */
static uint32_t name_source(struct stacks *stacks, const char *name)
{
    return stacks_source(stacks, &(struct identity_source){.name = name});
}

/* The copy with this identity; *FRESH tells that its source is still to be set.  */
static uint32_t put_copy(struct stacks *stacks, uint64_t module, uint32_t function,
                         uint32_t copy, bool *fresh)
{
    uint32_t number = index_put(&stacks->copy_index, module, function, copy, fresh);
    if (*fresh) {
        stacks->copies = buf_grow(stacks->copies, &stacks->copy_capacity,
                                  stacks->copy_count + 1, sizeof *stacks->copies);
        stacks->copies[stacks->copy_count++] = (struct stacks_copy){
            .source = NONE, .module = module == OUTSIDE ? STACKS_NONE : (uint32_t)module};
    }
    return number;
}

/* The only copy of something outside.  */
static uint32_t put_outside(struct stacks *stacks, const char *name)
{
    bool fresh;
    uint32_t source = name_source(stacks, name);
    uint32_t copy = put_copy(stacks, OUTSIDE, source, 0, &fresh);
    stacks->copies[copy].source = source;
    return copy;
}

static uint32_t put_position(struct stacks *stacks, const char *file, uint32_t line)
{
    bool fresh;
    uint32_t file_number = line ? put_text(stacks, file) : NONE;
    if (file_number == NONE)
        line = 0;
    uint32_t number = index_put(&stacks->position_index, file_number, line, 0, &fresh);
    if (fresh) {
        stacks->positions =
            buf_grow(stacks->positions, &stacks->position_capacity,
                     stacks->position_count + 1, sizeof *stacks->positions);
        stacks->positions[stacks->position_count++] =
            (struct stacks_position){.file = get_text(stacks, file_number), .line = line};
    }
    return number;
}

static uint32_t put_node(struct stacks *stacks, uint32_t parent, uint32_t copy,
                         uint32_t position)
{
    bool fresh;
    uint32_t number = index_put(&stacks->node_index, parent, copy, position, &fresh);
    if (fresh) {
        stacks->nodes = buf_grow(stacks->nodes, &stacks->node_capacity,
                                 stacks->node_count + 1, sizeof *stacks->nodes);
        stacks->nodes[stacks->node_count++] = (struct stacks_node){.parent = parent,
                                                                   .child = STACKS_NONE,
                                                                   .sibling = STACKS_NONE,
                                                                   .copy = copy,
                                                                   .position = position};
    }
    return number;
}

static uint32_t put_outside_node(struct stacks *stacks, uint32_t parent, const char *name)
{
    return put_node(stacks, parent, put_outside(stacks, name),
                    put_position(stacks, NULL, 0));
}

/* What a build needs beside the tree.  */
struct build {
    struct stacks *stacks;
    const struct profile *profile;
    const struct program *program;
    struct outside *outside;       /* NULL: not shown */
    uint32_t *ends;                /* by the profile's node: the innermost frame there */
    uint32_t *phases;              /* and the innermost label, or none */
    struct frames frames, others;  /* for use over and over */
    struct tail_calls *tail_calls; /* NULL: not looked for */
};

/* Whether the copy of a source with these flags goes on with what the frame PARENT, which
   may be none, began.  */
static bool is_same_activation(const struct stacks *stacks, uint32_t parent,
                               uint32_t copy, uint32_t flags)
{
    if (parent == STACKS_NONE ||
        stacks_source_of(stacks, parent) != stacks->copies[copy].source)
        return false;
    return flags & CCPROF_SOURCE_SPLIT ||
           stacks->copies[stacks->nodes[parent].copy].entry;
}

/* Adds the frame of a copy below PARENT.  */
static uint32_t add_frame(struct build *build, uint32_t parent, uint32_t module,
                          uint32_t function_number, const struct function *function,
                          const struct function_frame *frame)
{
    struct stacks *stacks = build->stacks;
    const struct unit *unit = function->unit;
    bool fresh;
    uint32_t copy = put_copy(stacks, module, function_number, frame->copy, &fresh);
    if (fresh) {
        uint32_t number = stacks_unit_source(stacks, unit, frame->source);
        stacks->copies[copy].source = number;
        stacks->copies[copy].entry = frame->source->flags & CCPROF_SOURCE_ENTRY;
    }
    if (is_same_activation(stacks, parent, copy, frame->source->flags))
        parent = stacks->nodes[parent].parent;
    return put_node(stacks, parent, copy,
                    put_position(stacks, unit_file(unit, frame->position.file),
                                 frame->position.line));
}

/* Adds the frames that were read last below PARENT.  */
static uint32_t add_frames(struct build *build, uint32_t parent)
{
    const struct frames *frames = &build->frames;
    uint32_t end = parent;
    for (size_t i = 0; i < frames->count; i++)
        end = add_frame(build, end, frames->module, frames->number, frames->function,
                        &frames->list[i]);
    return end;
}

/* Adds the local stack at an address below PARENT; PARENT if there is none.  */
static uint32_t add_local_stack(struct build *build, uint32_t parent, uint32_t module,
                                uint64_t address)
{
    frames_read(&build->frames, build->program, module, address);
    return add_frames(build, parent);
}

/* Adds what went to the profile's node NUMBER, which is outside, by a jump.  */
static uint32_t add_tail_call(struct build *build, size_t number, uint32_t parent)
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

static uint32_t add_outside(struct build *build, uint32_t parent,
                            const struct profile_node *node)
{
    char *name = outside_name(build->outside, node->module, node->address);
    uint32_t end = put_outside_node(build->stacks, parent, name);
    free(name);
    return end;
}

static uint32_t add_label(struct build *build, uint32_t parent, uint64_t label)
{
    char *name = buf_format("[%s]", build->profile->labels[label]);
    uint32_t end = put_outside_node(build->stacks, parent, name);
    free(name);
    return end;
}

/* The frames at the profile's node NUMBER, below PARENT; returns the innermost one.  */
static uint32_t add_point(struct build *build, size_t number, uint32_t parent)
{
    const struct profile_node *node = &build->profile->nodes[number];
    uint32_t end = parent;
    if (node->module != PROFILE_NO_MODULE)
        end = add_local_stack(build, parent, node->module, node->address);
    if (end != parent)
        return end;
    end = add_tail_call(build, number, parent);
    return build->outside ? add_outside(build, end, node) : end;
}

/* Whether the profile's node NUMBER, which may be none, is outside of all frames.  */
static bool is_phase(const struct profile *profile, uint32_t number)
{
    return number == PROFILE_NO_NODE || profile->nodes[number].module == PROFILE_LABEL;
}

/* Points that stand for what was left out of stacks (mlmon.out(5)): they have no position
   and points below them.  */
static bool *find_cuts(const struct profile *profile)
{
    bool *cuts = buf_alloc((profile->node_count + 1) * sizeof *cuts);
    for (size_t i = 0; i < profile->node_count; i++) {
        uint32_t parent = profile->nodes[i].parent;
        if (parent == PROFILE_NO_NODE)
            continue;
        const struct profile_node *above = &profile->nodes[parent];
        cuts[parent] = is_phase(profile, above->parent) &&
                       above->module == PROFILE_NO_MODULE && above->address == 0;
    }
    return cuts;
}

/* Adds samples of the profile's node NUMBER to the frame END.  */
static void add_samples(struct build *build, size_t number, uint32_t end, uint64_t count)
{
    if (count == 0)
        return;
    if (end == build->phases[number])
        end = put_outside_node(build->stacks, end, STACKS_UNPROFILED);
    build->stacks->nodes[end].count += count;
}

/* Adds the samples of the profile's node NUMBER below PARENT where the program spent the
   time; false if that is where they were taken.  */
static bool add_waits(struct build *build, size_t number, uint32_t parent)
{
    const struct profile_node *node = &build->profile->nodes[number];
    struct skid_charge charge;
    if (!build->program->skid || node->count == 0 ||
        !skid_find(build->program->skid, node->module, node->address, node->count,
                   &charge))
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (charge.count[i] == 0)
            continue;
        uint32_t end = add_local_stack(build, parent, node->module, charge.address[i]);
        if (charge.returned[i])
            end = add_local_stack(build, end, node->module, charge.returned[i]);
        add_samples(build, number, end, charge.count[i]);
    }
    return true;
}

/* LEAF: there is no point below it.  */
static void add_node(struct build *build, size_t number, bool cut, bool leaf)
{
    const struct profile_node *node = &build->profile->nodes[number];
    bool root = node->parent == PROFILE_NO_NODE;
    uint32_t parent = root ? STACKS_NONE : build->ends[node->parent];
    build->phases[number] = root ? STACKS_NONE : build->phases[node->parent];
    if (node->module == PROFILE_LABEL)
        build->ends[number] = build->phases[number] =
            add_label(build, parent, node->address);
    else if (cut)
        build->ends[number] = put_outside_node(build->stacks, parent, STACKS_DEEP);
    else if (add_waits(build, number, parent)) {
        /* The frames at the point itself are those around the points below it.  */
        if (!leaf)
            build->ends[number] = add_point(build, number, parent);
        return;
    } else
        build->ends[number] = add_point(build, number, parent);
    add_samples(build, number, build->ends[number], node->count);
}

static bool *find_leaves(const struct profile *profile)
{
    bool *leaves = buf_alloc((profile->node_count + 1) * sizeof *leaves);
    for (size_t i = 0; i < profile->node_count; i++) {
        leaves[i] = true;
        if (profile->nodes[i].parent != PROFILE_NO_NODE)
            leaves[profile->nodes[i].parent] = false;
    }
    return leaves;
}

static void add_points(struct build *build)
{
    const struct profile *profile = build->profile;
    bool *cuts = find_cuts(profile), *leaves = find_leaves(profile);
    build->ends = buf_alloc((profile->node_count + 1) * sizeof *build->ends);
    build->phases = buf_alloc((profile->node_count + 1) * sizeof *build->phases);
    for (size_t i = 0; i < profile->node_count; i++) {
        add_node(build, i, cuts[i], leaves[i]);
    }
    free(build->ends);
    free(build->phases);
    free(cuts);
    free(leaves);
}

/* Joins the nodes and adds their counts up.  */
static void finish(struct stacks *stacks)
{
    stacks->first = STACKS_NONE;
    for (size_t i = stacks->node_count; i-- > 0;) {
        struct stacks_node *node = &stacks->nodes[i];
        bool root = node->parent == STACKS_NONE;
        uint32_t *first = root ? &stacks->first : &stacks->nodes[node->parent].child;
        node->sibling = *first;
        *first = (uint32_t)i;
        node->weight += node->count;
        if (!root)
            stacks->nodes[node->parent].weight += node->weight;
    }
}

/* Finds out where the site is.  */
static void resolve_site(struct build *build, struct allocs_site *site)
{
    struct tables *tables = build->program->tables[site->module];
    struct tables_point point;
    struct function_frame frame;
    if (tables_find(tables, site->site->address, &point)) {
        const struct function *function = tables_function(tables, point.function);
        const struct unit *unit = function->unit;
        struct function_frames walk = function_frames(function, point.point);
        if (function_frames_next(&walk, &frame)) {
            site->source = stacks_unit_source(build->stacks, unit, frame.source);
            site->file =
                get_text(build->stacks,
                         put_text(build->stacks, unit_file(unit, frame.position.file)));
            site->line = frame.position.line;
            site->column = frame.position.column;
            return;
        }
    }
    site->source = name_source(build->stacks, STACKS_UNPROFILED);
}

/* Adds the bytes that each site has allocated.  */
static void add_bytes(struct build *build)
{
    struct stacks *stacks = build->stacks;
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        uint32_t node =
            add_local_stack(build, STACKS_NONE, site->module, site->site->address);
        if (node == STACKS_NONE)
            node = put_outside_node(stacks, STACKS_NONE, STACKS_UNPROFILED);
        stacks->nodes[node].count += site->bytes;
    }
}

void stacks_build(struct stacks *stacks, const struct profile *profile,
                  const struct program *program, struct outside *outside)
{
    struct build build = {
        .stacks = stacks, .profile = profile, .program = program, .outside = outside};
    memset(stacks, 0, sizeof *stacks);
    if (profile->stack && program->code)
        build.tail_calls = tail_calls_new(profile, program);
    add_points(&build);
    allocs_collect(&stacks->allocs, profile, program);
    for (size_t i = 0; i < stacks->allocs.count; i++)
        resolve_site(&build, &stacks->allocs.sites[i]);
    if (profile_measure(profile) == PROFILE_BYTES)
        add_bytes(&build);
    if (profile->lost) {
        uint32_t lost = put_outside_node(stacks, STACKS_NONE, STACKS_LOST);
        stacks->nodes[lost].count += profile->lost;
    }
    tail_calls_free(build.tail_calls);
    frames_free(&build.frames);
    frames_free(&build.others);
    finish(stacks);
}

void stacks_free(struct stacks *stacks)
{
    allocs_free(&stacks->allocs);
    free(stacks->sources);
    free(stacks->trusts);
    free(stacks->copies);
    free(stacks->positions);
    free(stacks->nodes);
    intern_free(&stacks->names);
    identity_free(&stacks->identity);
    index_free(&stacks->copy_index);
    index_free(&stacks->position_index);
    index_free(&stacks->node_index);
    memset(stacks, 0, sizeof *stacks);
}

uint32_t stacks_source_of(const struct stacks *stacks, uint32_t node)
{
    return stacks->copies[stacks->nodes[node].copy].source;
}

bool stacks_walk_next(const struct stacks *stacks, struct stacks_walk *walk)
{
    if (!walk->started) {
        walk->started = true;
        walk->node = stacks->first;
        return stacks->node_count > 0;
    }
    const struct stacks_node *node = &stacks->nodes[walk->node];
    if (!walk->leave) {
        if (node->child != STACKS_NONE)
            walk->node = node->child;
        else
            walk->leave = true;
        return true;
    }
    if (node->sibling != STACKS_NONE) {
        walk->node = node->sibling;
        walk->leave = false;
        return true;
    }
    walk->node = node->parent;
    return walk->node != STACKS_NONE;
}
