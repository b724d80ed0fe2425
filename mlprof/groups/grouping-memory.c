/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the groups of allocated memory: types, sites and paths. The program counted it
   at its allocation sites (stacks/allocs.h), or the heap's stacks have it.

   A site is a call that allocates, with the type and the called function. A path is the
   innermost call outside of libraries that led to the allocation. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/groups/grouping-inside.h"
#include "mlprof/names/readable.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of the name of TYPE. The name is in the user's style, but keeps all
   template arguments, because types with the same text are added up. */
static uint32_t put_type(struct grouping_builder *build, const char *type)
{
    BUF_OWN char *clean = text_clean(type);
    BUF_OWN char *name = build->request->names->form == NAMES_READABLE
                             ? readable(clean, 0)
                             : buf_copy(clean);
    return intern_put(&build->keys.paths, name);
}

/* Returns the number of the name of the type of the blocks allocated in a node of the
   heap's stacks, or of another name if the type is unknown. For a call at a position in a
   source, the tables either give the type, or say that the function returns the blocks.
   In the second case, the caller's call has the type (doc/tables.md, "Types of
   blocks"). */
static uint32_t type_of(struct grouping_builder *build, uint32_t number)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const char *none = STACKS_UNPROFILED;
    if (stacks->skipped_types && stacks->skipped_types[number])
        return put_type(build, stacks->skipped_types[number]);
    for (uint32_t frame = number; frame != STACKS_NONE;
         frame = stacks->nodes.list[frame].parent) {
        if (stacks->copies.list[stacks->nodes.list[frame].copy].module == STACKS_NONE)
            continue;
        struct blockcalls_info info = blockcalls_at(build->types, stacks, frame);
        if (info.type)
            return put_type(build, info.type);
        none = GROUPING_UNKNOWN_TYPE;
        if (!info.returned)
            break;
    }
    return intern_put(&build->keys.paths, none);
}

/* Returns the number of the name of function SOURCE. */
static uint32_t put_function(struct grouping_builder *build, uint32_t source)
{
    BUF_OWN char *name = grouping_function_name(build, source);
    BUF_OWN char *clean = text_clean(name);
    return intern_put(&build->keys.paths, clean);
}

/* Returns the group of a call at POSITION in function SOURCE. */
static uint32_t put_place(struct grouping_builder *build, uint32_t source,
                          const struct stacks_position *position, uint32_t type,
                          uint32_t called)
{
    struct grouping_keys *keys = &build->keys;
    struct grouping_group new_group = grouping_none;
    new_group.source = source;
    new_group.file = position->file;
    new_group.path =
        new_group.file ? intern_put(&keys->paths, new_group.file) : GROUPING_NONE;
    new_group.line = new_group.file ? position->line : 0;
    new_group.column = new_group.file ? position->column : 0;
    new_group.type = type;
    new_group.called = called;
    uint32_t group =
        grouping_put_group(keys, (uint64_t)source << 32 | new_group.path,
                           (uint64_t)new_group.line << 32 | type, called, &new_group);
    /* Calls in one line share a row. */
    if (keys->groups[group].column != new_group.column)
        keys->groups[group].column = 0;
    return group;
}

static bool is_library(const struct grouping_builder *build, uint32_t source)
{
    static const struct patterns none;
    const struct grouping *request = build->request;
    return library_has(&request->rows->stacks.sources.list[source],
                       request->libraries ? request->libraries : &none);
}

/* Returns the index of the innermost frame outside of libraries. If there is none,
   returns the index of the outermost frame. */
static size_t own_frame(const struct grouping_builder *build,
                        const struct allocs_site *site)
{
    size_t frame = 0;
    while (frame + 1 < site->frames.count &&
           is_library(build, site->frames.list[frame].source))
        frame++;
    return frame;
}

/* Returns the group of a counted site, or of a call that led to sites. The type of a
   call is unknown. */
static uint32_t put_site(struct grouping_builder *build, const struct allocs_site *site,
                         bool is_call)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const char *name = site->site->type;
    bool known = !is_call && *name;
    uint32_t type = known ? put_type(build, name) : GROUPING_NONE;
    if (build->request->key == ROWS_TYPES)
        return grouping_put_named(
            &build->keys,
            known ? type : intern_put(&build->keys.paths, GROUPING_UNKNOWN_TYPE));
    size_t number = build->request->key == ROWS_PATHS ? own_frame(build, site) : 0;
    const struct allocs_frame *frame = &site->frames.list[number];
    BUF_OWN char *allocator =
        is_call ? names_of(&(struct identity_source){.name = site->site->allocator,
                                                     .symbol = site->site->symbol},
                           build->request->names)
                : buf_copy(site->site->allocator);
    BUF_OWN char *clean = text_clean(allocator);
    uint32_t called = number   ? put_function(build, site->frames.list[number - 1].source)
                      : *clean ? intern_put(&build->keys.paths, clean)
                               : GROUPING_NONE;
    return put_place(build, frame->source, &stacks->positions.list[frame->position], type,
                     called);
}

static void add_site(struct grouping_builder *build, const struct allocs_site *site,
                     uint64_t bytes, uint64_t blocks, bool is_call)
{
    if (!bytes && !blocks)
        return;
    uint32_t group = put_site(build, site, is_call);
    struct measured *measured = build->rows->measured;
    grouping_amount(build, group, MEASURED_SELF);
    measured_amounts(measured, measured->memory, MEASURED_SELF, false)[group] += bytes;
    measured_amounts(measured, measured->memory, MEASURED_SELF, true)[group] += blocks;
    if (measured->memory == measured->shown)
        build->rows->total += bytes;
    if (!is_call && site->node != STACKS_NONE)
        build->by_node[site->node] = group;
}

void grouping_add_memory(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const struct allocs *allocs = &stacks->allocs;
    /* If stacks were filtered, the calls include memory that was removed. */
    bool calls = build->request->key == ROWS_PATHS && !stacks->filtered;
    build->rows->total =
        profile_measure(build->request->profile)->memory ? allocs->left_out : 0;
    build->by_node = buf_alloc((stacks->nodes.count + 1) * sizeof *build->by_node);
    for (size_t i = 0; i < stacks->nodes.count; i++)
        build->by_node[i] = GROUPING_NONE;
    for (size_t i = 0; i < allocs->count; i++) {
        const struct allocs_site *site = &allocs->sites[i];
        bool rest = calls && site->by_calls;
        add_site(build, site, rest ? site->rest_bytes : site->bytes,
                 rest ? site->rest_blocks : site->blocks, false);
    }
    for (size_t i = 0; calls && i < allocs->call_count; i++)
        add_site(build, &allocs->calls[i], allocs->calls[i].bytes,
                 allocs->calls[i].blocks, true);
}

/* Returns the node of the site or path of node NUMBER: of the innermost profiled frame
   or, for paths, of the innermost one outside of libraries. Returns STACKS_NONE if no
   frame is profiled. Sets *CALLED to the node that it called, or STACKS_NONE. */
static uint32_t find_frame(const struct grouping_builder *build, uint32_t number,
                           uint32_t *called)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    uint32_t found = STACKS_NONE;
    *called = STACKS_NONE;
    for (uint32_t frame = number;
         frame != STACKS_NONE && stacks_what(stacks, frame) == STACKS_CODE;
         frame = stacks->nodes.list[frame].parent) {
        bool outside =
            stacks->copies.list[stacks->nodes.list[frame].copy].module == STACKS_NONE;
        if (outside && found == STACKS_NONE)
            *called = frame;
        if (outside)
            continue;
        if (found != STACKS_NONE)
            *called = found;
        found = frame;
        if (build->request->key != ROWS_PATHS ||
            !is_library(build, stacks_source_of(stacks, frame)))
            break;
    }
    return found;
}

uint32_t grouping_memory_of(struct grouping_builder *build, uint32_t number)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    uint32_t type = type_of(build, number), called;
    uint32_t frame = build->request->key == ROWS_TYPES
                         ? STACKS_NONE
                         : find_frame(build, number, &called);
    if (frame == STACKS_NONE)
        return grouping_put_named(&build->keys, type);
    bool known =
        strcmp(intern_text(&build->keys.paths, type), GROUPING_UNKNOWN_TYPE) != 0;
    bool named = called != STACKS_NONE &&
                 strcmp(stacks->sources.list[stacks_source_of(stacks, called)].name,
                        STACKS_UNPROFILED) != 0;
    return put_place(build, stacks_source_of(stacks, frame),
                     &stacks->positions.list[stacks->nodes.list[frame].position],
                     known ? type : GROUPING_NONE,
                     named ? put_function(build, stacks_source_of(stacks, called))
                           : GROUPING_NONE);
}
