/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds points, counters and modules to a profile, and finds them by hash. The points
   form a tree by their parents. */

#include "mlprof/profile/profile.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void profile_clear_modules(struct profile *profile)
{
    for (size_t i = 0; i < profile->module_count; i++) {
        free(profile->modules[i].path);
        free(profile->modules[i].build_id);
    }
    profile->module_count = profile->own_count = 0;
}

const struct measure *profile_measure(const struct profile *profile)
{
    return profile->measure ? profile->measure : measure_of_kinds(profile->kind);
}

const struct measure *profile_memory(const struct profile *profile)
{
    return profile_is_of_heap(profile)         ? profile->measure
           : profile->kind & CCPROF_KIND_ALLOC ? measure_of_kinds(CCPROF_KIND_ALLOC)
                                               : NULL;
}

bool profile_has(const struct profile *profile, const struct measure *measure)
{
    return measure == profile_measure(profile) ||
           (profile->kind & measure->kinds && !profile_is_of_heap(profile) &&
            !measure->weigh);
}

const char *profile_command(const struct profile *profile)
{
    return profile->commands.count ? intern_text(&profile->commands, 0) : NULL;
}

size_t profile_builds(const struct profile *profile)
{
    size_t count = profile->module_count > 0;
    for (size_t i = 1; i < profile->module_count; i++)
        count += profile->modules[i].program;
    return count;
}

void profile_free(struct profile *profile)
{
    profile_clear_modules(profile);
    free(profile->modules);
    for (size_t i = 0; i < profile->label_count; i++)
        free(profile->labels[i]);
    free(profile->labels);
    free(profile->owns);
    intern_free(&profile->commands);
    intern_free(&profile->messages);
    intern_free(&profile->thread_names);
    intern_free(&profile->processes);
    shares_free(&profile->times.shares);
    free(profile->nodes);
    children_free(&profile->children);
    free(profile->counters);
    index_free(&profile->counter_index);
    free(profile->targets);
    free(profile->rests);
    index_free(&profile->site_index);
    index_free(&profile->target_index);
    regions_free(&profile->regions);
    heapdata_free(&profile->heap);
    origins_free(&profile->origins);
    memset(profile, 0, sizeof *profile);
}

void profile_add_module(struct profile *profile, const char *path, const char *build_id)
{
    BUF_NEXT(profile->modules, profile->module_count, profile->module_capacity) =
        (struct profile_module){.path = buf_copy(path),
                                .build_id = build_id ? buf_copy(build_id) : NULL};
}

bool profile_is_own(const struct profile *profile, const struct profile_node *node)
{
    for (size_t i = 0; i < profile->own_count; i++) {
        const struct profile_own *range = &profile->owns[i];
        if (node->module == range->module && node->address >= range->start &&
            node->address < range->end)
            return true;
    }
    return false;
}

void profile_leave_own(struct profile *profile)
{
    struct shares *shares = &profile->times.shares;
    size_t kept = 0;
    for (size_t i = 0; i < shares->count; i++)
        if (!profile_is_own(profile, &profile->nodes[shares->entries[i].owner]))
            shares->entries[kept++] = shares->entries[i];
    shares->count = kept;
    for (size_t i = 0; i < profile->node_count; i++) {
        struct profile_node *node = &profile->nodes[i];
        if (node->count == 0 || !profile_is_own(profile, node))
            continue;
        profile->ccprof_samples += node->count;
        profile->samples -= node->count;
        node->count = 0;
    }
}

void profile_add_label(struct profile *profile, const char *name)
{
    BUF_NEXT(profile->labels, profile->label_count, profile->label_capacity) =
        buf_copy(name);
}

uint32_t profile_add_thread(struct profile *profile, uint64_t number, const char *name)
{
    BUF_OWN char *text = buf_format("%" PRIu64 " %s", number, name);
    return intern_put(&profile->thread_names, text);
}

uint32_t profile_append(struct profile *profile, uint32_t parent, uint32_t module,
                        uint64_t address, uint64_t count)
{
    assert(parent == PROFILE_NO_NODE || parent < profile->node_count);
    BUF_NEXT(profile->nodes, profile->node_count, profile->node_capacity) =
        (struct profile_node){
            .parent = parent, .module = module, .address = address, .count = count};
    return (uint32_t)profile->node_count - 1;
}

/* Finds a point. If it is missing, returns false, and SEARCH is the place for adding
   it. */
static bool find_node(struct profile *profile, uint32_t parent, uint32_t module,
                      uint64_t address, struct children_search *search, uint32_t *number)
{
    uint64_t hash = index_mix(index_seed(), (uint64_t)parent << 32 | module);
    children_reserve(&profile->children, profile->node_count + 1);
    *search = children_begin(&profile->children, parent, index_mix(hash, address));
    while (children_next(&profile->children, search, number)) {
        const struct profile_node *node = &profile->nodes[*number];
        if (node->address == address && node->parent == parent && node->module == module)
            return true;
    }
    return false;
}

uint32_t profile_add(struct profile *profile, uint32_t parent, uint32_t module,
                     uint64_t address, uint64_t count)
{
    struct children_search search;
    uint32_t number;
    profile_join(profile);
    if (find_node(profile, parent, module, address, &search, &number)) {
        profile->nodes[number].count += count;
        return number;
    }
    number = profile_append(profile, parent, module, address, count);
    children_put(&profile->children, &search, number);
    profile->indexed++;
    return number;
}

/* Renumbers the points in the times and in the origins. NUMBERS[i] is the new number
   of point i. */
static void renumber(struct profile *profile, const uint32_t *numbers)
{
    struct shares *times = &profile->times.shares;
    struct packed origins = {0};
    struct packed_at cursor = {0};
    for (size_t i = 0; i < times->count; i++)
        times->entries[i].owner = numbers[times->entries[i].owner];
    shares_sort(times);
    while (packed_next(&profile->origins.shares, &cursor))
        packed_add(&origins, numbers[cursor.entry.owner], cursor.entry.bin,
                   cursor.entry.count);
    packed_free(&profile->origins.shares);
    profile->origins.shares = origins;
}

void profile_join(struct profile *profile)
{
    size_t count = profile->node_count;
    if (profile->indexed == count)
        return;
    BUF_OWN uint32_t *numbers = buf_alloc((count + 1) * sizeof *numbers);
    children_free(&profile->children);
    children_reserve(&profile->children, count);
    profile->node_count = profile->indexed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct profile_node node = profile->nodes[i];
        bool root = node.parent == PROFILE_NO_NODE;
        numbers[i] = profile_add(profile, root ? PROFILE_NO_NODE : numbers[node.parent],
                                 node.module, node.address, node.count);
    }
    if (profile->node_count < count)
        renumber(profile, numbers);
}

/* Returns the counter at ADDRESS of a module; adds it if it is missing. */
static struct profile_counter *counter_at(struct profile *profile, uint32_t module,
                                          uint64_t address)
{
    bool fresh;
    uint32_t number = index_put(&profile->counter_index, module, address, 0, &fresh);
    if (fresh)
        BUF_NEXT(profile->counters, profile->counter_count, profile->counter_capacity) =
            (struct profile_counter){.module = module, .address = address};
    return &profile->counters[number];
}

void profile_add_counter(struct profile *profile, uint32_t module, uint64_t address,
                         uint64_t count)
{
    struct profile_counter *counter = counter_at(profile, module, address);
    counter->count = saturate_add(counter->count, count);
    profile->counter_total = saturate_add(profile->counter_total, count);
}

void profile_keep_most(struct profile *profile, uint32_t module, uint64_t address,
                       uint64_t count)
{
    struct profile_counter *counter = counter_at(profile, module, address);
    if (!counter->most)
        profile->counter_total -= counter->count;
    if (!counter->most || counter->count < count)
        counter->count = count;
    counter->most = true;
}

uint64_t profile_count_of(const struct profile *profile, uint32_t module,
                          uint64_t address)
{
    uint32_t number;
    if (!index_get(&profile->counter_index, module, address, 0, &number))
        return 0;
    return profile->counters[number].count;
}

void profile_add_target(struct profile *profile, const struct profile_target *target,
                        uint64_t count)
{
    bool fresh;
    uint32_t site =
        index_put(&profile->site_index, target->site_module, target->site, 0, &fresh);
    uint32_t number =
        index_put(&profile->target_index, site, target->module, target->address, &fresh);
    if (fresh) {
        BUF_NEXT(profile->targets, profile->target_count, profile->target_capacity) =
            *target;
        profile->targets[number].count = 0;
    }
    struct profile_target *known = &profile->targets[number];
    known->count = saturate_add(known->count, count);
    profile->counter_total = saturate_add(profile->counter_total, count);
}

void profile_add_rest(struct profile *profile, const struct profile_target *rest)
{
    BUF_NEXT(profile->rests, profile->rest_count, profile->rest_capacity) = *rest;
}

void profile_multiply(struct profile *profile, uint64_t weight)
{
    uint64_t total = 0;
    for (size_t i = 0; i < profile->counter_count; i++) {
        struct profile_counter *counter = &profile->counters[i];
        if (counter->most)
            continue;
        counter->count = saturate_multiply(counter->count, weight);
        total = saturate_add(total, counter->count);
    }
    for (size_t i = 0; i < profile->target_count; i++) {
        struct profile_target *target = &profile->targets[i];
        target->count = saturate_multiply(target->count, weight);
        total = saturate_add(total, target->count);
    }
    for (size_t i = 0; i < profile->module_count; i++) {
        struct profile_module *module = &profile->modules[i];
        module->runs = saturate_multiply(module->runs, weight);
        module->peaks = saturate_multiply(module->peaks, weight);
    }
    profile->counter_total = total;
    profile->weighted = true;
}

void profile_keep_origins(struct profile *profile)
{
    assert(profile->origins.count == 1);
    profile->origins.kept = true;
    for (uint32_t i = 0; i < profile->node_count; i++)
        packed_add(&profile->origins.shares, i, 0, profile->nodes[i].count);
}

void profile_put_process(struct profile *profile)
{
    struct profile_node *nodes = profile->nodes;
    if (!profile->processes.count)
        return;
    nodes =
        buf_grow(nodes, &profile->node_capacity, profile->node_count + 1, sizeof *nodes);
    memmove(nodes + 1, nodes, profile->node_count++ * sizeof *nodes);
    nodes[0] =
        (struct profile_node){.parent = PROFILE_NO_NODE, .module = PROFILE_PROCESS};
    for (size_t i = 1; i < profile->node_count; i++)
        nodes[i].parent = nodes[i].parent == PROFILE_NO_NODE ? 0 : nodes[i].parent + 1;
    for (size_t i = 0; i < profile->times.shares.count; i++)
        profile->times.shares.entries[i].owner++;
    children_free(&profile->children);
    profile->indexed = 0;
    profile->nodes = nodes;
}

uint64_t profile_nanoseconds(const struct profile *profile, uint64_t samples)
{
    uint64_t second = 1000000000, rate = profile->rate ? profile->rate : 1;
    return samples / rate * second + samples % rate * second / rate;
}
