/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over the points of the profile from callers to callees, and adds the frames of
   each point to the tree. The allocation sites come last. */

#include "mlprof/base/buf.h"
#include "mlprof/program/code-names.h"
#include "mlprof/program/skid.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether node NUMBER of the profile is outside of all frames. It is outside
   if it is a phase or a thread, or if it does not exist (PROFILE_NO_NODE). */
static bool is_outside(const struct profile *profile, uint32_t number)
{
    return number == PROFILE_NO_NODE || profile_is_around(&profile->nodes.list[number]);
}

/* Points that represent frames missing from the stack (mlmon.out(5)), or, with
   CUT_NOTHING, a guessed call. These points have no position, but may have other points
   below them. */
enum cut { NO_CUT, CUT_DEEP, CUT_BROKEN, CUT_REPEATED, CUT_NOTHING };

static enum cut cut_of(const struct profile *profile, const struct profile_node *node)
{
    if (node->module != PROFILE_NO_MODULE)
        return NO_CUT;
    switch (node->address) {
    case CCPROF_POINT_CUT:
        return CUT_DEEP;
    case CCPROF_POINT_BROKEN:
        return is_outside(profile, node->parent) ? CUT_BROKEN : NO_CUT;
    case CCPROF_POINT_REPEATED:
        return CUT_REPEATED;
    case CCPROF_POINT_GUESSED:
        return CUT_NOTHING;
    default:
        return NO_CUT;
    }
}

/* Returns whether no node around node NUMBER of the profile has the same address. */
static bool is_first(const struct profile *profile, uint32_t number)
{
    const struct profile_node *node = &profile->nodes.list[number];
    for (uint32_t i = node->parent; i != PROFILE_NO_NODE;
         i = profile->nodes.list[i].parent)
        if (profile->nodes.list[i].module == node->module &&
            profile->nodes.list[i].address == node->address)
            return false;
    return true;
}

/* Node NUMBER of the profile represents repeated calls that the runtime left out.
   Returns whether there are frames at these calls. The repeated calls are at the
   nodes above NUMBER, up to the first node whose address does not occur again further
   up. */
static bool has_repeated_frames(struct stacks_builder *build, uint32_t number)
{
    const struct profile_node *nodes = build->profile->nodes.list;
    for (uint32_t i = nodes[number].parent; i != PROFILE_NO_NODE; i = nodes[i].parent) {
        if (profile_is_around(&nodes[i]))
            return false;
        if (cut_of(build->profile, &nodes[i]) != NO_CUT)
            continue;
        if (stacks_has_frames(build, i))
            return true;
        if (is_first(build->profile, i))
            return false;
    }
    return false;
}

/* Returns the frame below which node NUMBER of the profile is added. PARENT is the
   innermost frame of its caller. Repeated calls that were left out get a frame only
   if there are frames on both sides of them. If the node has no frames, its samples
   belong to the nearest frame around it, which is PARENT with and without the repeated
   calls. */
static uint32_t below_repeated(struct stacks_builder *build, size_t number,
                               uint32_t parent)
{
    uint32_t caller = build->profile->nodes.list[number].parent;
    if (caller == PROFILE_NO_NODE || !build->repeated[caller])
        return parent;
    if (stacks_has_frames(build, number))
        return stacks_put_outside(build->stacks, parent, STACKS_RECURSION, STACKS_NONE);
    build->repeated[number] = true;
    return parent;
}

/* Adds COUNT samples of node NUMBER of the profile to the frame END. */
static void add_samples(struct stacks_builder *build, size_t number, uint32_t end,
                        uint64_t count)
{
    const struct profile_node *node = &build->profile->nodes.list[number];
    const uint32_t module = node->module;
    bool event = build->stacks->events;
    if (count == 0 && !build->values.total)
        return;
    if (end == build->enclosing[number] && build->outside &&
        !stacks_is_folded(build, node))
        end = stacks_add_outside(build, end, node);
    else if (end == build->enclosing[number])
        end = stacks_put_outside_at(build->stacks, end,
                                    stacks_name_source(build->stacks, STACKS_UNPROFILED),
                                    module < PROFILE_MODULES ? module : STACKS_NONE,
                                    event && build->by_address ? node->address : 0);
    else if (module == build->kernel && !build->outside)
        end = stacks_put_in_kernel(build->stacks, end);
    build->stacks->nodes.list[end].count += count;
    shares_take(&build->stacks->times.shares, end, &build->times, count);
    shares_take(&build->stacks->values, end, &build->values, build->values.total);
    packed_take(&build->stacks->origins, end, &build->origins, count);
}

/* Charges the samples of node NUMBER of the profile to the instructions that the
   program waited for (skid.h). The frames are added below PARENT. Returns false and
   adds nothing if the samples are charged to their own address. */
static bool charge_samples(struct stacks_builder *build, size_t number, uint32_t parent)
{
    struct skid_charge charge;
    if (!build->program->skid || !skid_find(build->program->skid, number, &charge))
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (charge.count[i] == 0)
            continue;
        uint32_t end =
            stacks_add_span(build, parent, &build->places.charged[2 * charge.point + i]);
        add_samples(build, number, end, charge.count[i]);
    }
    return true;
}

/* Adds a node. LEAF: no other node is below it. A leaf is no cut. */
static void add_node(struct stacks_builder *build, size_t number, bool leaf)
{
    const struct profile_node *node = &build->profile->nodes.list[number];
    enum cut cut = leaf ? NO_CUT : cut_of(build->profile, node);
    bool root = node->parent == PROFILE_NO_NODE;
    uint32_t parent = root ? STACKS_NONE : build->ends[node->parent];
    build->enclosing[number] = root ? STACKS_NONE : build->enclosing[node->parent];
    if (cut == CUT_REPEATED) {
        build->ends[number] = parent;
        build->repeated[number] = (!root && build->repeated[node->parent]) ||
                                  has_repeated_frames(build, (uint32_t)number);
    } else if (cut == CUT_NOTHING) {
        build->ends[number] = parent;
        build->repeated[number] = !root && build->repeated[node->parent];
    } else if (node->module == PROFILE_WAIT)
        build->ends[number] = stacks_add_wait(build, parent, node);
    else if (profile_is_around(node))
        build->ends[number] = build->enclosing[number] =
            stacks_add_around(build, parent, node);
    else if (cut == CUT_DEEP)
        build->ends[number] =
            stacks_put_outside(build->stacks, parent, STACKS_DEEP, STACKS_NONE);
    else if (cut == CUT_BROKEN)
        /* The callers are unknown, so time outside of profiled code must not be
           charged to the callers of the cut. */
        build->ends[number] = build->enclosing[number] =
            stacks_put_outside(build->stacks, parent, STACKS_BROKEN, STACKS_NONE);
    else {
        parent = below_repeated(build, number, parent);
        if (charge_samples(build, number, parent)) {
            /* Points below this point belong below the frames at this point's own
               address, not below the frames to which its samples are charged. */
            if (!leaf)
                build->ends[number] = stacks_add_point(build, number, parent);
            return;
        }
        build->ends[number] = stacks_add_point(build, number, parent);
    }
    add_samples(build, number, build->ends[number], node->count);
}

static bool *find_leaves(const struct profile *profile)
{
    bool *leaves = buf_alloc((profile->nodes.count + 1) * sizeof *leaves);
    for (size_t i = 0; i < profile->nodes.count; i++) {
        leaves[i] = true;
        if (profile->nodes.list[i].parent != PROFILE_NO_NODE)
            leaves[profile->nodes.list[i].parent] = false;
    }
    return leaves;
}

static void add_points(struct stacks_builder *build)
{
    const struct profile *profile = build->profile;
    BUF_OWN bool *leaves = find_leaves(profile);
    build->stacks->nodes.list =
        buf_grow(build->stacks->nodes.list, &build->stacks->nodes.capacity,
                 profile->nodes.count + 1, sizeof *build->stacks->nodes.list);
    children_reserve(&build->stacks->children, profile->nodes.count + 1);
    stacks_places_read(build, leaves);
    build->ends = buf_alloc((profile->nodes.count + 1) * sizeof *build->ends);
    build->enclosing = buf_alloc((profile->nodes.count + 1) * sizeof *build->enclosing);
    build->repeated = buf_alloc((profile->nodes.count + 1) * sizeof *build->repeated);
    struct shares scratch = {0};
    size_t time = 0, value = 0;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        build->times = shares_of(&profile->times.shares, (uint32_t)i, &time);
        build->values = shares_of(&profile->values, (uint32_t)i, &value);
        build->origins = packed_of(&profile->origins.shares, (uint32_t)i, &scratch);
        add_node(build, i, leaves[i]);
    }
    shares_free(&scratch);
    build->stacks->times.width = profile->times.width;
    build->stacks->times.span = profile->times.span;
    free(build->ends);
    free(build->enclosing);
    free(build->repeated);
    stacks_places_free(&build->places);
}

/* Returns the copy that contains a site. If samples were measured, the result is the
   copy of the site's machine code, if known. If only bytes were measured, the result
   is the copy in the tables of sites. */
static uint32_t copy_of_site(struct stacks_builder *build, const struct allocs_site *site,
                             const struct tables_point *call)
{
    struct tables *tables = build->program->tables[site->module];
    uint32_t number = call->function, point = call->point;
    struct function_frame frame;
    if (!profile_measure(build->profile)->memory)
        site_code_find(build->site_code, site->module, &number, &point);
    const struct function *function = tables_function(tables, number);
    struct function_frames walk = function_frames(function, point);
    function_frames_next(&walk, &frame);
    return stacks_put_frame_copy(build->stacks, site->module, number, function->unit,
                                 &frame);
}

/* Finds the source, copy, position and frames of a site. */
static void resolve_site(struct stacks_builder *build, struct allocs_site *site)
{
    struct stacks *stacks = build->stacks;
    struct tables *tables = build->program->tables[site->module];
    struct tables_point point;
    struct function_frame frame;
    site->node = STACKS_NONE;
    if (tables_find(tables, site->site->address, &point)) {
        const struct function *function = tables_function(tables, point.function);
        const struct unit *unit = function->unit;
        struct function_frames walk = function_frames(function, point.point);
        while (function_frames_next(&walk, &frame)) {
            uint32_t source = stacks_unit_source(stacks, unit, frame.source);
            if (!site->frames.count) {
                site->source = source;
                site->file = unit_file(unit, frame.position.file);
                site->line = frame.position.line;
                site->column = frame.position.column;
                site->copy = copy_of_site(build, site, &point);
                site->place = stacks_put_position(stacks, unit, &frame.position);
            }
            allocs_add_frame(site, source,
                             stacks_put_position(stacks, unit, &frame.position));
        }
    }
    if (site->frames.count)
        return;
    site->source = stacks_name_source(stacks, STACKS_UNPROFILED);
    site->copy = stacks_put_outside_copy(stacks, site->source, site->module);
    site->place = stacks_put_position(stacks, NULL, &(struct function_position){0});
    allocs_add_frame(site, site->source, site->place);
}

/* Adds the bytes that each site has allocated. */
static void add_bytes(struct stacks_builder *build)
{
    struct stacks *stacks = build->stacks;
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        struct allocs_site *site = &stacks->allocs.sites[i];
        uint32_t node =
            stacks_add_local_stack(build, STACKS_NONE, site->module, site->site->address);
        if (node == STACKS_NONE)
            node =
                stacks_put_outside(stacks, STACKS_NONE, STACKS_UNPROFILED, STACKS_NONE);
        stacks->nodes.list[node].count += site->bytes;
        site->node = node;
    }
}

void stacks_build(struct stacks *stacks, const struct profile *profile,
                  const struct program *program, struct outside *outside, bool by_address)
{
    struct stacks_builder build = {.stacks = stacks,
                                   .profile = profile,
                                   .program = program,
                                   .outside = outside,
                                   .kernel = kernel_module(profile),
                                   .by_address = by_address};
    memset(stacks, 0, sizeof *stacks);
    stacks->events = profile_measure(profile)->weigh;
    if (profile->sampling.stack && program->code)
        build.tail_calls = tail_calls_new(profile, program);
    add_points(&build);
    allocs_collect(&stacks->allocs, profile, program);
    build.site_code = site_code_new(program);
    for (size_t i = 0; i < stacks->allocs.count; i++)
        resolve_site(&build, &stacks->allocs.sites[i]);
    for (size_t i = 0; i < stacks->allocs.call_count; i++)
        resolve_site(&build, &stacks->allocs.calls[i]);
    if (profile_measure(profile)->memory)
        add_bytes(&build);
    if (profile->sampling.lost) {
        uint32_t lost = stacks_put_outside(stacks, STACKS_NONE, STACKS_LOST, STACKS_NONE);
        stacks->nodes.list[lost].count += profile->sampling.lost;
    }
    site_code_free(build.site_code);
    tail_calls_free(build.tail_calls);
    frames_free(&build.frames);
    frames_free(&build.others);
    stacks_finish(stacks);
}
