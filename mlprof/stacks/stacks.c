/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds sources, copies, positions and nodes, and finds them by hash. stacks_walk_next
   visits the tree. */

#include "mlprof/stacks/stacks.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks-inside.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Used instead of a module number for copies outside of the tables. */
#define OUTSIDE UINT64_MAX

/* Used instead of a module number for reasons of waiting. */
#define WAIT (UINT64_MAX - 1)

/* Returns a copy of TEXT that lives as long as STACKS. TEXT may be NULL. */
static const char *keep_text(struct stacks *stacks, const char *text)
{
    return text ? intern_text(&stacks->names, intern_put(&stacks->names, text)) : NULL;
}

/* Adds a source with the next number. */
static void add_source(struct stacks *stacks, const struct identity_source *source)
{
    BUF_PUSH(stacks->uncertainties) = (struct stacks_uncertainty){0};
    BUF_PUSH(stacks->sources) = *source;
}

uint32_t stacks_source(struct stacks *stacks, const struct identity_source *source)
{
    bool fresh;
    uint32_t number = identity_put(&stacks->identity, source, &fresh);
    if (!fresh)
        return number;
    struct identity_source kept = {
        .file = source->file, .line = source->line, .column = source->column};
    kept.name = keep_text(stacks, source->name);
    kept.symbol =
        source->symbol == source->name ? kept.name : keep_text(stacks, source->symbol);
    add_source(stacks, &kept);
    return number;
}

uint32_t stacks_double_source(struct stacks *stacks, uint32_t source)
{
    const struct identity_source same = stacks->sources.list[source];
    add_source(stacks, &same);
    return identity_new(&stacks->identity);
}

uint32_t stacks_unit_source(struct stacks *stacks, const struct unit *unit,
                            const struct unit_source *source)
{
    bool fresh;
    uint32_t known = index_put(&stacks->units.index, (uintptr_t)source, 0, 0, &fresh);
    if (fresh) {
        struct identity_source identity = identity_of(unit, source);
        uint32_t number = stacks_source(stacks, &identity);
        BUF_AT(stacks->units.sources, known, stacks->units.capacity) = number;
    }
    return stacks->units.sources[known];
}

uint32_t stacks_name_source(struct stacks *stacks, const char *name)
{
    return stacks_source(stacks, &(struct identity_source){.name = name});
}

uint32_t stacks_put_copy(struct stacks *stacks, uint64_t module, uint32_t function,
                         uint32_t copy, bool *fresh)
{
    uint32_t number = index_put(&stacks->copy_index, module, function, copy, fresh);
    if (*fresh)
        BUF_PUSH(stacks->copies) = (struct stacks_copy){
            .source = STACKS_NONE,
            .module = module == OUTSIDE ? STACKS_NONE : (uint32_t)module,
            .function = function,
            .copy = copy,
            .home = STACKS_NONE};
    return number;
}

uint32_t stacks_put_outside_copy(struct stacks *stacks, uint32_t source, uint32_t home)
{
    bool fresh;
    uint32_t copy = stacks_put_copy(stacks, OUTSIDE, source, home, &fresh);
    stacks->copies.list[copy].source = source;
    stacks->copies.list[copy].home = home;
    return copy;
}

static uint64_t hash_of_position(const struct stacks_position *position)
{
    uint64_t hash = index_mix(index_seed(), (uintptr_t)position->file);
    hash = index_mix(hash, index_pair(position->line, position->column));
    hash = index_mix(hash, index_pair(position->start_line, position->start_column));
    return index_mix(hash, index_pair(position->end_line, position->end_column));
}

/* Returns whether both positions are the same. Equal files have equal
   pointers. */
static bool is_position(const struct stacks_position *one,
                        const struct stacks_position *other)
{
    return one->file == other->file && one->line == other->line &&
           one->column == other->column && one->start_line == other->start_line &&
           one->start_column == other->start_column && one->end_line == other->end_line &&
           one->end_column == other->end_column;
}

static uint32_t put_position(struct stacks *stacks, struct stacks_position position)
{
    uint32_t number;
    slots_reserve(&stacks->position_slots, stacks->positions.count + 1);
    struct slots_search search =
        slots_begin(&stacks->position_slots, hash_of_position(&position));
    while (slots_next(&stacks->position_slots, &search, &number)) {
        if (is_position(&stacks->positions.list[number], &position))
            return number;
        slots_skip(&stacks->position_slots, &search);
    }
    number = (uint32_t)stacks->positions.count;
    BUF_PUSH(stacks->positions) = position;
    slots_put(&stacks->position_slots, &search, number);
    return number;
}

uint32_t stacks_put_position(struct stacks *stacks, const struct unit *unit,
                             const struct function_position *position)
{
    const char *file = position->line ? unit_file(unit, position->file) : NULL;
    struct stacks_position known = {.file = file};
    if (file) {
        known.line = position->line;
        known.column = position->column;
    }
    if (file && position->column && position->start_column) {
        known.start_line = position->start_line;
        known.start_column = position->start_column;
        known.end_line = position->end_line;
        known.end_column = position->end_column;
    }
    return put_position(stacks, known);
}

static uint64_t hash_of_node(const struct stacks_node *node)
{
    uint64_t hash = index_mix(index_seed(), index_pair(node->parent, node->copy));
    return index_mix(index_mix(hash, index_pair(node->kernel, node->position)),
                     node->address);
}

static bool is_node(const struct stacks_node *one, const struct stacks_node *other)
{
    return one->parent == other->parent && one->copy == other->copy &&
           one->position == other->position && one->address == other->address &&
           one->kernel == other->kernel;
}

static uint32_t put_node(struct stacks *stacks, const struct stacks_node *node)
{
    assert(node->parent == STACKS_NONE || node->parent < stacks->nodes.count);
    assert(node->copy < stacks->copies.count && node->position < stacks->positions.count);
    uint32_t number;
    children_reserve(&stacks->children, stacks->nodes.count + 1);
    struct children_search search =
        children_begin(&stacks->children, node->parent, hash_of_node(node));
    while (children_next(&stacks->children, &search, &number))
        if (is_node(&stacks->nodes.list[number], node))
            return number;
    number = (uint32_t)stacks->nodes.count;
    BUF_PUSH(stacks->nodes) = *node;
    children_put(&stacks->children, &search, number);
    return number;
}

uint32_t stacks_put_node(struct stacks *stacks, uint32_t parent, uint32_t copy,
                         uint32_t position, uint64_t address)
{
    return put_node(stacks, &(struct stacks_node){.parent = parent,
                                                  .child = STACKS_NONE,
                                                  .sibling = STACKS_NONE,
                                                  .copy = copy,
                                                  .position = position,
                                                  .address = address});
}

uint32_t stacks_put_in_kernel(struct stacks *stacks, uint32_t node)
{
    const struct stacks_node *caller = &stacks->nodes.list[node];
    return put_node(stacks, &(struct stacks_node){.parent = caller->parent,
                                                  .child = STACKS_NONE,
                                                  .sibling = STACKS_NONE,
                                                  .copy = caller->copy,
                                                  .position = caller->position,
                                                  .address = caller->address,
                                                  .inlined = caller->inlined,
                                                  .kernel = true});
}

uint32_t stacks_put_outside(struct stacks *stacks, uint32_t parent, const char *name,
                            uint32_t home)
{
    return stacks_put_outside_at(stacks, parent, stacks_name_source(stacks, name), home,
                                 0);
}

uint32_t stacks_put_outside_at(struct stacks *stacks, uint32_t parent, uint32_t source,
                               uint32_t home, uint64_t address)
{
    return stacks_put_node(stacks, parent, stacks_put_outside_copy(stacks, source, home),
                           put_position(stacks, (struct stacks_position){0}), address);
}

uint32_t stacks_put_around(struct stacks *stacks, uint32_t parent, const char *name,
                           enum stacks_what what)
{
    /* Phases and threads are in the same index as copies. They use STACKS_NONE - WHAT
       instead of a module, because no module has such a number. */
    bool fresh;
    uint32_t source = stacks_name_source(stacks, name);
    uint32_t copy = stacks_put_copy(stacks, OUTSIDE, source, STACKS_NONE - what, &fresh);
    stacks->copies.list[copy].source = source;
    stacks->copies.list[copy].what = what;
    return stacks_put_node(stacks, parent, copy,
                           put_position(stacks, (struct stacks_position){0}), 0);
}

uint32_t stacks_put_wait(struct stacks *stacks, uint32_t parent, const char *name,
                         uint32_t object)
{
    bool fresh;
    uint32_t source = stacks_name_source(stacks, name);
    uint32_t number = stacks_put_copy(stacks, WAIT, source, object, &fresh);
    struct stacks_copy *copy = &stacks->copies.list[number];
    copy->source = source;
    copy->module = STACKS_NONE;
    copy->waits = true;
    copy->object = object;
    return stacks_put_node(stacks, parent, number,
                           put_position(stacks, (struct stacks_position){0}), 0);
}

/* Marks nodes that have only values of measures that stand beside the shown one. */
static void mark_others(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->values.count; i++) {
        struct stacks_node *node = &stacks->nodes.list[stacks->values.entries[i].owner];
        node->others |= !node->weight;
    }
    for (size_t i = stacks->nodes.count; i-- > 0;)
        if (stacks->nodes.list[i].others && stacks->nodes.list[i].parent != STACKS_NONE)
            stacks->nodes.list[stacks->nodes.list[i].parent].others = true;
}

void stacks_finish(struct stacks *stacks)
{
    stacks->first = STACKS_NONE;
    for (size_t i = stacks->nodes.count; i-- > 0;) {
        struct stacks_node *node = &stacks->nodes.list[i];
        bool root = node->parent == STACKS_NONE;
        uint32_t *first = root ? &stacks->first : &stacks->nodes.list[node->parent].child;
        node->sibling = *first;
        *first = (uint32_t)i;
        node->weight += node->count;
        if (!root)
            stacks->nodes.list[node->parent].weight += node->weight;
    }
    shares_sort(&stacks->times.shares);
    shares_sort(&stacks->values);
    packed_sort(&stacks->origins);
    mark_others(stacks);
}

void stacks_free(struct stacks *stacks)
{
    allocs_free(&stacks->allocs);
    shares_free(&stacks->times.shares);
    shares_free(&stacks->values);
    free(stacks->skipped_types);
    packed_free(&stacks->origins);
    free(stacks->sources.list);
    free(stacks->uncertainties.list);
    free(stacks->copies.list);
    free(stacks->positions.list);
    free(stacks->nodes.list);
    intern_free(&stacks->names);
    identity_free(&stacks->identity);
    index_free(&stacks->copy_index);
    slots_free(&stacks->position_slots);
    children_free(&stacks->children);
    index_free(&stacks->units.index);
    free(stacks->units.sources);
    memset(stacks, 0, sizeof *stacks);
}

uint32_t stacks_source_of(const struct stacks *stacks, uint32_t node)
{
    assert(node < stacks->nodes.count);
    return stacks->copies.list[stacks->nodes.list[node].copy].source;
}

static const char thread[] = "[thread ", process[] = "[process ";

const char *stacks_numbered(const struct stacks *stacks, uint32_t copy,
                            enum stacks_what what, uint64_t *number)
{
    const char *name = stacks->sources.list[stacks->copies.list[copy].source].name;
    const char *start = what == STACKS_PROCESS ? process : thread;
    char *end = NULL;
    if (stacks->copies.list[copy].what != what ||
        strncmp(name, start, strlen(start)) != 0)
        return NULL;
    *number = strtoull(name + strlen(start), &end, 10);
    return end > name + strlen(start) && *end == ' ' ? end + 1 : NULL;
}

char *stacks_around_text(const struct stacks *stacks, uint32_t node)
{
    const char *name = stacks->sources.list[stacks_source_of(stacks, node)].name;
    enum stacks_what what = stacks_what(stacks, node);
    const char *start = what == STACKS_PROCESS ? process : thread;
    bool begins = what != STACKS_PHASE && strncmp(name, start, strlen(start)) == 0;
    name += begins ? strlen(start) : 1;
    BUF_OWN char *inner = buf_copy_prefix(name, strlen(name) - 1);
    return text_clean(inner);
}

void stacks_place_site(const struct stacks *stacks, struct allocs_site *site,
                       uint32_t node)
{
    site->node = node;
    site->source = stacks_source_of(stacks, node);
    site->copy = stacks->nodes.list[node].copy;
    site->place = stacks->nodes.list[node].position;
    site->frames.count = 0;
    for (bool more = true; more; node = stacks->nodes.list[node].parent) {
        allocs_add_frame(site, stacks_source_of(stacks, node),
                         stacks->nodes.list[node].position);
        more = stacks->nodes.list[node].inlined;
    }
}

bool stacks_walk_next(const struct stacks *stacks, struct stacks_walk *walk)
{
    if (!walk->started) {
        walk->started = true;
        walk->node = stacks->first;
        return stacks->nodes.count > 0;
    }
    const struct stacks_node *node = &stacks->nodes.list[walk->node];
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

/* For an allocator that stacks do not describe further. */
static const struct alloctable_site unknown = {.allocator = "", .symbol = "", .type = ""};

static struct allocs_site site_of(const struct stacks *stacks, uint32_t node)
{
    const struct stacks_node *frame = &stacks->nodes.list[node];
    const struct stacks_position *position = &stacks->positions.list[frame->position];
    struct allocs_site site = {.module = stacks->copies.list[frame->copy].module,
                               .site = &unknown,
                               .file = position->file,
                               .line = position->line,
                               .column = position->column};
    stacks_place_site(stacks, &site, node);
    return site;
}

void stacks_add_sites(struct stacks *stacks, const struct profile *profile)
{
    enum heapdata_measure measure = profile->measure->heap.number;
    const struct shares *values = &stacks->values;
    struct allocs *allocs = &stacks->allocs;
    size_t capacity = 0;
    allocs->left_out = profile->heap.sums[measure].bytes;
    for (size_t i = 0; i < values->count; i++) {
        const struct shares_entry *entry = &values->entries[i];
        bool blocks = entry->bin == HEAPPOINTS_BLOCKS(measure);
        if (!entry->count || (!blocks && entry->bin != HEAPPOINTS_BYTES(measure)))
            continue;
        /* The two columns of an owner are adjacent. */
        if (!allocs->count || allocs->sites[allocs->count - 1].node != entry->owner)
            BUF_NEXT(allocs->sites, allocs->count, capacity) =
                site_of(stacks, entry->owner);
        struct allocs_site *site = &allocs->sites[allocs->count - 1];
        *(blocks ? &site->blocks : &site->bytes) = entry->count;
        allocs->left_out -= blocks ? 0 : entry->count;
    }
}

uint64_t *stacks_amounts(const struct stacks *stacks, const struct measure *shown,
                         const struct measure *measure, bool blocks)
{
    const struct shares *values = &stacks->values;
    uint32_t column = !measure_is_of_heap(measure)
                          ? (uint32_t)(measure - measure_of_event(0))
                      : blocks ? HEAPPOINTS_BLOCKS(measure->heap.number)
                               : HEAPPOINTS_BYTES(measure->heap.number);
    uint64_t *amounts = buf_alloc((stacks->nodes.count + (size_t)1) * sizeof *amounts);
    bool counted = measure == shown && !blocks;
    for (size_t i = 0; counted && i < stacks->nodes.count; i++)
        amounts[i] = stacks->nodes.list[i].count;
    for (size_t i = 0; !counted && i < values->count; i++)
        if (values->entries[i].bin == column)
            amounts[values->entries[i].owner] = values->entries[i].count;
    return amounts;
}
