/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the group of a frame (grouping-inside.h). */

#include "mlprof/base/buf.h"
#include "mlprof/groups/grouping-inside.h"

#include <stdlib.h>
#include <string.h>

/* Used instead of a path in the keys of sources and of special groups. */
#define NO_PATH UINT32_MAX
#define NOWHERE (UINT32_MAX - 1)

uint32_t grouping_put_group(struct grouping_keys *keys, uint64_t a, uint64_t b,
                            uint64_t c, const struct grouping_group *new_group)
{
    bool fresh;
    uint32_t number = index_put(&keys->index, a, b, c, &fresh);
    if (fresh)
        BUF_NEXT(keys->groups, keys->count, keys->capacity) = *new_group;
    return number;
}

const struct grouping_group grouping_none = {.copy = STACKS_NONE,
                                             .source = STACKS_NONE,
                                             .path = GROUPING_NONE,
                                             .outer = GROUPING_NONE,
                                             .type = GROUPING_NONE,
                                             .called = GROUPING_NONE,
                                             .verdict = GROUPING_NONE};

/* Returns the group of a range in a file. Loops with equal ranges are distinguished
   by DEPTH. */
static uint32_t put_range(struct grouping_keys *keys,
                          const struct grouping_group *new_group, uint32_t depth)
{
    bool fresh;
    uint32_t end = index_put(&keys->ranges, new_group->range.end_line,
                             new_group->range.end_column, depth, &fresh);
    return grouping_put_group(keys, new_group->path,
                              index_pair(new_group->range.line, new_group->range.column),
                              end, new_group);
}

/* Returns the group of a source without a position. Such sources are distinguished by
   name. */
static uint32_t put_source(struct grouping_keys *keys, uint32_t source)
{
    struct grouping_group new_group = grouping_none;
    new_group.source = source;
    return grouping_put_group(keys, NO_PATH, source, 0, &new_group);
}

uint32_t grouping_put_named(struct grouping_keys *keys, uint32_t name)
{
    struct grouping_group new_group = grouping_none;
    new_group.path = name;
    new_group.named = true;
    return grouping_put_group(keys, name, 0, 0, &new_group);
}

static uint32_t put_copy(struct grouping_keys *keys, uint32_t number)
{
    const struct stacks_copy *copy = &keys->request->rows->stacks.copies.list[number];
    struct grouping_group new_group = grouping_none;
    if (copy->module == STACKS_NONE)
        return put_source(keys, copy->source);
    new_group.copy = number;
    new_group.source = copy->source;
    return grouping_put_group(keys, copy->module, copy->function, copy->copy, &new_group);
}

uint32_t grouping_put_file(struct grouping_keys *keys, uint32_t number)
{
    const struct identity_source *source =
        &keys->request->rows->stacks.sources.list[number];
    struct grouping_group new_group = grouping_none;
    if (!source->file)
        return put_source(keys, number);
    new_group.source = number;
    new_group.file = source->file;
    new_group.path = intern_put(&keys->paths, new_group.file);
    return grouping_put_group(keys, new_group.path, 0, 0, &new_group);
}

/* Returns the group of a line or, found by its range, of an expression. */
static uint32_t put_point(struct grouping_keys *keys, uint32_t source, const char *file,
                          uint32_t line, uint32_t column,
                          const struct flowgraph_range *range)
{
    struct grouping_group new_group = grouping_none;
    new_group.source = source;
    new_group.file = file;
    new_group.path = intern_put(&keys->paths, new_group.file);
    new_group.line = line;
    if (keys->request->key == ROWS_LINES)
        return grouping_put_group(keys, new_group.path, new_group.line, 0, &new_group);
    new_group.column = column;
    new_group.range.line = range->start_line;
    new_group.range.column = range->start_column;
    new_group.range.end_line = range->end_line;
    new_group.range.end_column = range->end_column;
    return put_range(keys, &new_group, 0);
}

static uint32_t put_position(struct grouping_keys *keys, uint32_t copy, uint32_t number)
{
    const struct stacks *stacks = &keys->request->rows->stacks;
    const struct stacks_position *position = &stacks->positions.list[number];
    uint32_t source = stacks->copies.list[copy].source;
    struct flowgraph_range range = {position->line, position->column, position->line,
                                    position->column};
    if (position->start_column)
        range = (struct flowgraph_range){position->start_line, position->start_column,
                                         position->end_line, position->end_column};
    return position->file ? put_point(keys, source, position->file, position->line,
                                      position->column, &range)
                          : put_source(keys, source);
}

/* Returns the group of a thread. A thread outside of a group of threads is
   distinguished by its number and name. */
static uint32_t put_thread(struct grouping_keys *keys, uint32_t copy)
{
    struct grouping_group new_group = grouping_none;
    struct grouping_thread *thread = &keys->threads[copy];
    new_group.source = keys->request->rows->stacks.copies.list[copy].source;
    if (thread->name == GROUPING_NONE)
        return put_source(keys, new_group.source);
    uint32_t group = grouping_put_group(keys, thread->name, thread->start, 0, &new_group);
    struct grouping_group *entry = &keys->groups[group];
    if (!thread->counted &&
        (entry->threads++ == 0 || thread->samples > keys->threads[entry->copy].samples))
        entry->copy = copy;
    thread->counted = true;
    return group;
}

/* Returns the group of a reason of waiting, or of what a thread waits for. */
static uint32_t put_wait(struct grouping_keys *keys, const struct stacks_copy *copy)
{
    const char *reason = keys->request->rows->stacks.sources.list[copy->source].name;
    if (!copy->waits)
        return GROUPING_NONE;
    if (keys->request->key == ROWS_REASONS) {
        BUF_OWN char *inner = buf_copy_prefix(reason + 1, strlen(reason) - 2);
        return grouping_put_named(keys, intern_put(&keys->paths, inner));
    }
    if (copy->object == WAITDATA_NONE)
        return grouping_put_nowhere(keys, false);
    const char *name = places_object(keys->places, copy->object);
    return grouping_put_named(keys, intern_put(&keys->paths, name));
}

uint32_t grouping_put(struct grouping_keys *keys, uint32_t copy, uint32_t position)
{
    const struct stacks_copy *entry = &keys->request->rows->stacks.copies.list[copy];
    const enum rows_key key = keys->request->key;
    uint32_t module = entry->module == STACKS_NONE ? entry->home : entry->module;
    if (entry->what != rows_keys[key].what || key == ROWS_LOOPS || key == ROWS_RANKS ||
        key == ROWS_MPI || rows_keys[key].memory)
        return GROUPING_NONE;
    if (rows_keys[key].waits)
        return put_wait(keys, entry);
    if (key == ROWS_COPIES)
        return put_copy(keys, copy);
    if (key == ROWS_FILES)
        return grouping_put_file(keys, entry->source);
    if (key == ROWS_LINES || key == ROWS_EXPRESSIONS)
        return put_position(keys, copy, position);
    if (key == ROWS_THREADS || key == ROWS_PROCESSES)
        return put_thread(keys, copy);
    if (key == ROWS_MODULES && module != STACKS_NONE)
        return grouping_put_module(keys, module);
    return put_source(keys, entry->source);
}

uint32_t grouping_put_nowhere(struct grouping_keys *keys, bool unknown)
{
    struct grouping_group new_group = grouping_none;
    new_group.unknown = unknown;
    return grouping_put_group(keys, NOWHERE, unknown, 0, &new_group);
}

uint32_t grouping_put_module(struct grouping_keys *keys, uint32_t module)
{
    struct grouping_group new_group = grouping_none;
    new_group.file = keys->request->profile->modules.list[module].path;
    new_group.path = intern_put(&keys->paths, new_group.file);
    return grouping_put_group(keys, new_group.path, 0, 0, &new_group);
}

uint32_t grouping_put_point(struct grouping_keys *keys,
                            const struct executions_point *point)
{
    return put_point(keys, STACKS_NONE, point->file, point->line, point->column,
                     &point->range);
}

uint32_t grouping_put_loop(struct grouping_keys *keys, const struct loops_loop *loop,
                           uint32_t outer)
{
    struct grouping_group new_group = grouping_none;
    new_group.file = loop->file;
    new_group.path = intern_put(&keys->paths, new_group.file);
    new_group.line = new_group.range.line = loop->first_line;
    new_group.column = new_group.range.column = loop->first_column;
    new_group.range.end_line = loop->last_line;
    new_group.range.end_column = loop->last_column;
    new_group.outer = outer;
    return put_range(keys, &new_group, loop->depth);
}

uint64_t *grouping_amount(struct grouping_builder *build, uint32_t group,
                          enum measured_part part)
{
    measured_grow(build->rows->measured, build->keys.count);
    return &build->rows->measured->columns.list[part].amounts[group];
}

void grouping_add_calls(struct grouping_builder *build, uint32_t group, uint64_t calls)
{
    measured_grow(build->rows->measured, build->keys.count);
    build->keys.groups[group].counted = true;
    measured_amounts(build->rows->measured, measure_of_kinds(CCPROF_KIND_COUNT),
                     MEASURED_SELF, false)[group] += calls;
}

void grouping_add_piece(struct grouping_builder *build, uint32_t group, uint32_t source,
                        uint64_t cur, uint64_t weight)
{
    bool fresh;
    uint32_t number = index_put(&build->piece_index, group, source, 0, &fresh);
    if (fresh) {
        BUF_AT(build->pieces, number, build->piece_capacity) =
            (struct grouping_piece){.group = group, .source = source};
        build->keys.groups[group].functions++;
    }
    build->pieces[number].cur += cur;
    build->pieces[number].weight += weight;
}

uint32_t *grouping_sources_of_rows(const struct rows *rows)
{
    uint32_t *sources = buf_alloc((rows->count + 1) * sizeof *sources);
    for (uint32_t i = 0; i < rows->source_count; i++)
        if (rows->of_source[i] != STACKS_NONE)
            sources[rows->of_source[i]] = i;
    return sources;
}

void grouping_free(struct grouping_keys *keys)
{
    index_free(&keys->index);
    index_free(&keys->ranges);
    intern_free(&keys->paths);
    free(keys->groups);
    free(keys->threads);
    places_free(keys->places);
    memset(keys, 0, sizeof *keys);
}

/* Processes are grouped by name; threads by name and start routine, because a program may
   create hundreds of threads that do the same work, one after the other. If only a few
   threads do the same work, for example in a pool, each thread has its own row. */

/* Maximum number of threads with the same work that get separate rows. */
#define FEW 8

static void find_start(struct grouping_thread *thread, const struct stacks *stacks,
                       uint32_t node, uint64_t samples)
{
    uint32_t source = stacks_source_of(stacks, node);
    if (samples > thread->most && stacks->sources.list[source].file) {
        thread->most = samples;
        thread->start = source;
    }
}

/* A thread without samples in profiled functions is assumed to have the same start
   routine as the first thread with the same name. */
static void complete_starts(struct grouping_thread *threads, size_t copies, size_t names)
{
    BUF_OWN uint32_t *starts = buf_alloc((names + 1) * sizeof *starts);
    memset(starts, 0xff, names * sizeof *starts);
    for (size_t i = copies; i-- > 0;)
        if (threads[i].name != GROUPING_NONE && threads[i].start != STACKS_NONE)
            starts[threads[i].name] = threads[i].start;
    for (size_t i = 0; i < copies; i++)
        if (threads[i].name != GROUPING_NONE && threads[i].start == STACKS_NONE)
            threads[i].start = starts[threads[i].name];
}

/* Removes the names of those threads that form small groups. */
static void ungroup_few(struct grouping_thread *threads, size_t copies)
{
    struct index index = {0};
    BUF_OWN uint32_t *counts = buf_alloc((copies + 1) * sizeof *counts);
    BUF_OWN uint32_t *groups = buf_alloc((copies + 1) * sizeof *groups);
    bool fresh;
    for (size_t i = 0; i < copies; i++)
        if (threads[i].name != GROUPING_NONE) {
            groups[i] = index_put(&index, threads[i].name, threads[i].start, 0, &fresh);
            counts[groups[i]]++;
        }
    for (size_t i = 0; i < copies; i++)
        if (threads[i].name != GROUPING_NONE && counts[groups[i]] <= FEW)
            threads[i].name = GROUPING_NONE;
    index_free(&index);
}

void grouping_find_threads(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    struct grouping_thread *threads =
        buf_alloc((stacks->copies.count + 1) * sizeof *threads);
    BUF_OWN uint64_t *sums = buf_alloc((stacks->nodes.count + 1) * sizeof *sums);
    struct intern names = {0};
    for (uint32_t i = 0; i < stacks->copies.count; i++) {
        uint64_t number;
        const char *name =
            stacks_numbered(stacks, i, rows_keys[build->request->key].what, &number);
        threads[i].name = name ? intern_put(&names, name) : GROUPING_NONE;
        threads[i].start = STACKS_NONE;
    }
    /* The node of a caller comes before the nodes of its callees. */
    for (uint32_t i = (uint32_t)stacks->nodes.count; i-- > 0;) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        sums[i] += node->count;
        threads[node->copy].samples += sums[i];
        if (node->parent == STACKS_NONE)
            continue;
        sums[node->parent] += sums[i];
        if (build->request->profile->sampling.stack &&
            stacks_what(stacks, node->parent) == STACKS_THREAD)
            find_start(&threads[stacks->nodes.list[node->parent].copy], stacks, i,
                       sums[i]);
    }
    complete_starts(threads, stacks->copies.count, names.count);
    ungroup_few(threads, stacks->copies.count);
    intern_free(&names);
    build->keys.threads = threads;
}
