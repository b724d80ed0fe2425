/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/stacks/stacks-inside.h"

#include <stdlib.h>
#include <string.h>

/* Whether the profile's node NUMBER, which may be none, is outside of all frames.  */
static bool is_outside(const struct profile *profile, uint32_t number)
{
    return number == PROFILE_NO_NODE || profile_is_around(&profile->nodes[number]);
}

/* Points that stand for frames that are missing from stacks (mlmon.out(5)), by their
   names, NULL for all others: they have no position and points below them.  */
static const char **find_cuts(const struct profile *profile)
{
    const char **cuts = buf_alloc((profile->node_count + 1) * sizeof *cuts);
    for (size_t i = 0; i < profile->node_count; i++) {
        uint32_t parent = profile->nodes[i].parent;
        if (parent == PROFILE_NO_NODE)
            continue;
        const struct profile_node *above = &profile->nodes[parent];
        if (is_outside(profile, above->parent) && above->module == PROFILE_NO_MODULE)
            cuts[parent] = above->address == CCPROF_POINT_CUT      ? STACKS_DEEP
                           : above->address == CCPROF_POINT_BROKEN ? STACKS_BROKEN
                                                                   : NULL;
    }
    return cuts;
}

/* CUT: the name of what is missing there, or NULL.  LEAF: there is no point below it.  */
static void add_node(struct stacks_builder *build, size_t number, const char *cut,
                     bool leaf)
{
    const struct profile_node *node = &build->profile->nodes[number];
    bool root = node->parent == PROFILE_NO_NODE;
    uint32_t parent = root ? STACKS_NONE : build->ends[node->parent];
    build->around[number] = root ? STACKS_NONE : build->around[node->parent];
    if (profile_is_around(node))
        build->ends[number] = build->around[number] =
            stacks_add_around(build, parent, node);
    else if (cut) {
        build->ends[number] = stacks_put_outside(build->stacks, parent, cut, STACKS_NONE);
        /* Time outside of profiled code is not of callers that nobody knows.  */
        if (node->address == CCPROF_POINT_BROKEN)
            build->around[number] = build->ends[number];
    } else if (stacks_charge(build, number, parent)) {
        /* The frames at the point itself are those around the points below it.  */
        if (!leaf)
            build->ends[number] = stacks_add_point(build, number, parent);
        return;
    } else
        build->ends[number] = stacks_add_point(build, number, parent);
    stacks_add_samples(build, number, build->ends[number], node->count);
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

static void add_points(struct stacks_builder *build)
{
    const struct profile *profile = build->profile;
    const char **cuts = find_cuts(profile);
    bool *leaves = find_leaves(profile);
    slots_reserve(&build->stacks->node_slots, profile->node_count + 1);
    stacks_places_read(build, leaves);
    build->ends = buf_alloc((profile->node_count + 1) * sizeof *build->ends);
    build->around = buf_alloc((profile->node_count + 1) * sizeof *build->around);
    struct shares scratch = {0};
    size_t time = 0;
    for (size_t i = 0; i < profile->node_count; i++) {
        build->times = shares_of(&profile->times.shares, (uint32_t)i, &time);
        build->origins = packed_of(&profile->origins.shares, (uint32_t)i, &scratch);
        add_node(build, i, cuts[i], leaves[i]);
    }
    shares_free(&scratch);
    build->stacks->times.width = profile->times.width;
    build->stacks->times.span = profile->times.span;
    free(build->ends);
    free(build->around);
    stacks_places_free(&build->places);
    free(cuts);
    free(leaves);
}

/* The copy that a site is in: of machine code, where that is known and has samples of its
   own; bytes alone are by site.  */
static uint32_t copy_of_site(struct stacks_builder *build, const struct allocs_site *site,
                             const struct tables_point *at)
{
    struct tables *tables = build->program->tables[site->module];
    uint32_t number = at->function, point = at->point;
    struct function_frame frame;
    if (profile_measure(build->profile) != PROFILE_BYTES)
        site_code_find(build->site_code, site->module, &number, &point);
    const struct function *function = tables_function(tables, number);
    struct function_frames walk = function_frames(function, point);
    function_frames_next(&walk, &frame);
    return stacks_put_frame_copy(build->stacks, site->module, number, function->unit,
                                 &frame);
}

/* Finds out where the site is.  */
static void resolve_site(struct stacks_builder *build, struct allocs_site *site)
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
            site->file = stacks_text(
                build->stacks,
                stacks_put_text(build->stacks, unit_file(unit, frame.position.file)));
            site->line = frame.position.line;
            site->column = frame.position.column;
            site->copy = copy_of_site(build, site, &point);
            site->place = stacks_put_position(build->stacks, unit, &frame.position);
            allocs_add_frame(site, site->source, site->place);
            while (function_frames_next(&walk, &frame))
                allocs_add_frame(
                    site, stacks_unit_source(build->stacks, unit, frame.source),
                    stacks_put_position(build->stacks, unit, &frame.position));
            return;
        }
    }
    site->copy = stacks_put_outside_copy(build->stacks, STACKS_UNPROFILED, site->module);
    site->source = build->stacks->copies[site->copy].source;
    site->place =
        stacks_put_position(build->stacks, NULL, &(struct function_position){0});
    allocs_add_frame(site, site->source, site->place);
}

/* Adds the bytes that each site has allocated.  */
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
        stacks->nodes[node].count += site->bytes;
        site->node = node;
    }
}

static void build_with(struct stacks *stacks, const struct profile *profile,
                       const struct program *program, struct outside *outside,
                       bool by_address)
{
    struct stacks_builder build = {.stacks = stacks,
                                   .profile = profile,
                                   .program = program,
                                   .outside = outside,
                                   .by_address = by_address};
    memset(stacks, 0, sizeof *stacks);
    if (profile->stack && program->code)
        build.tail_calls = tail_calls_new(profile, program);
    add_points(&build);
    allocs_collect(&stacks->allocs, profile, program);
    build.site_code = site_code_new(program);
    for (size_t i = 0; i < stacks->allocs.count; i++)
        resolve_site(&build, &stacks->allocs.sites[i]);
    for (size_t i = 0; i < stacks->allocs.call_count; i++)
        resolve_site(&build, &stacks->allocs.calls[i]);
    if (profile_measure(profile) == PROFILE_BYTES)
        add_bytes(&build);
    if (profile->lost) {
        uint32_t lost = stacks_put_outside(stacks, STACKS_NONE, STACKS_LOST, STACKS_NONE);
        stacks->nodes[lost].count += profile->lost;
    }
    site_code_free(build.site_code);
    tail_calls_free(build.tail_calls);
    frames_free(&build.frames);
    frames_free(&build.others);
    stacks_finish(stacks);
}

void stacks_build(struct stacks *stacks, const struct profile *profile,
                  const struct program *program, struct outside *outside)
{
    build_with(stacks, profile, program, outside, false);
}

void stacks_build_by_address(struct stacks *stacks, const struct profile *profile,
                             const struct program *program, struct outside *outside)
{
    build_with(stacks, profile, program, outside, true);
}
