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
    for (size_t i = 0; i < profile->modules.count; i++) {
        free(profile->modules.list[i].path);
        free(profile->modules.list[i].build_id);
    }
    profile->modules.count = profile->owns.count = 0;
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
    return profile->runs.commands.count ? intern_text(&profile->runs.commands, 0) : NULL;
}

size_t profile_builds(const struct profile *profile)
{
    size_t count = profile->modules.count > 0;
    for (size_t i = 1; i < profile->modules.count; i++)
        count += profile->modules.list[i].program;
    return count;
}

void profile_free(struct profile *profile)
{
    profile_clear_modules(profile);
    free(profile->modules.list);
    for (size_t i = 0; i < profile->names.labels.count; i++)
        free(profile->names.labels.list[i]);
    free(profile->names.labels.list);
    free(profile->owns.list);
    intern_free(&profile->runs.commands);
    intern_free(&profile->runs.messages);
    intern_free(&profile->names.threads);
    intern_free(&profile->names.processes);
    shares_free(&profile->times.shares);
    free(profile->nodes.list);
    children_free(&profile->children);
    free(profile->counts.counters.list);
    index_free(&profile->counts.counter_index);
    free(profile->counts.targets.list);
    free(profile->counts.rests.list);
    index_free(&profile->counts.site_index);
    index_free(&profile->counts.target_index);
    regions_free(&profile->regions);
    heapdata_free(&profile->heap);
    waitdata_free(&profile->waits);
    origins_free(&profile->origins);
    memset(profile, 0, sizeof *profile);
}

void profile_derive(struct profile *points, const struct profile *profile, unsigned kind)
{
    *points = *profile;
    points->kind = kind;
    points->sampling.samples = points->sampling.ccprof_samples = points->sampling.lost =
        0;
    points->counts = (struct profile_counts){0};
    points->origins = (struct origins){0};
    points->children = (struct children){0};
    points->times.shares = points->values = (struct shares){0};
    points->nodes.list = NULL;
    points->nodes.count = points->nodes.capacity = points->indexed = 0;
}

void profile_free_derived(struct profile *points)
{
    free(points->nodes.list);
    shares_free(&points->values);
    shares_free(&points->times.shares);
    memset(points, 0, sizeof *points);
}

void profile_add_module(struct profile *profile, const char *path, const char *build_id)
{
    BUF_PUSH(profile->modules) = (struct profile_module){
        .path = buf_copy(path), .build_id = build_id ? buf_copy(build_id) : NULL};
}

bool profile_is_own(const struct profile *profile, const struct profile_node *node)
{
    for (size_t i = 0; i < profile->owns.count; i++) {
        const struct profile_own *range = &profile->owns.list[i];
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
        if (!profile_is_own(profile, &profile->nodes.list[shares->entries[i].owner]))
            shares->entries[kept++] = shares->entries[i];
    shares->count = kept;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        struct profile_node *node = &profile->nodes.list[i];
        if (node->count == 0 || !profile_is_own(profile, node))
            continue;
        profile->sampling.ccprof_samples += node->count;
        profile->sampling.samples -= node->count;
        node->count = 0;
    }
}

void profile_add_label(struct profile *profile, const char *name)
{
    BUF_PUSH(profile->names.labels) = buf_copy(name);
}

uint32_t profile_add_thread(struct profile *profile, uint64_t number, const char *name)
{
    BUF_OWN char *text = buf_format("%" PRIu64 " %s", number, name);
    return intern_put(&profile->names.threads, text);
}

uint32_t profile_append(struct profile *profile, uint32_t parent, uint32_t module,
                        uint64_t address, uint64_t count)
{
    assert(parent == PROFILE_NO_NODE || parent < profile->nodes.count);
    BUF_PUSH(profile->nodes) = (struct profile_node){
        .parent = parent, .module = module, .address = address, .count = count};
    return (uint32_t)profile->nodes.count - 1;
}

/* Finds a point. If it is missing, returns false, and SEARCH is the place for adding
   it. */
static bool find_node(struct profile *profile, uint32_t parent, uint32_t module,
                      uint64_t address, struct children_search *search, uint32_t *number)
{
    uint64_t hash = index_mix(index_seed(), (uint64_t)parent << 32 | module);
    children_reserve(&profile->children, profile->nodes.count + 1);
    *search = children_begin(&profile->children, parent, index_mix(hash, address));
    while (children_next(&profile->children, search, number)) {
        const struct profile_node *node = &profile->nodes.list[*number];
        if (node->address == address && node->parent == parent && node->module == module)
            return true;
    }
    return false;
}

bool profile_find(struct profile *profile, uint32_t parent, uint32_t module,
                  uint64_t address, uint32_t *number)
{
    struct children_search search;
    profile_join(profile);
    return find_node(profile, parent, module, address, &search, number);
}

uint32_t profile_add(struct profile *profile, uint32_t parent, uint32_t module,
                     uint64_t address, uint64_t count)
{
    struct children_search search;
    uint32_t number;
    profile_join(profile);
    if (find_node(profile, parent, module, address, &search, &number)) {
        profile->nodes.list[number].count += count;
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
    size_t count = profile->nodes.count;
    if (profile->indexed == count)
        return;
    BUF_OWN uint32_t *numbers = buf_alloc((count + 1) * sizeof *numbers);
    children_free(&profile->children);
    children_reserve(&profile->children, count);
    profile->nodes.count = profile->indexed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct profile_node node = profile->nodes.list[i];
        bool root = node.parent == PROFILE_NO_NODE;
        numbers[i] = profile_add(profile, root ? PROFILE_NO_NODE : numbers[node.parent],
                                 node.module, node.address, node.count);
    }
    if (profile->nodes.count < count)
        renumber(profile, numbers);
}

/* Returns the counter at ADDRESS of a module; adds it if it is missing. */
static struct profile_counter *counter_at(struct profile *profile, uint32_t module,
                                          uint64_t address)
{
    bool fresh;
    uint32_t number =
        index_put(&profile->counts.counter_index, module, address, 0, &fresh);
    if (fresh)
        BUF_PUSH(profile->counts.counters) =
            (struct profile_counter){.module = module, .address = address};
    return &profile->counts.counters.list[number];
}

void profile_add_counter(struct profile *profile, uint32_t module, uint64_t address,
                         uint64_t count)
{
    struct profile_counter *counter = counter_at(profile, module, address);
    counter->count = saturate_add(counter->count, count);
    profile->counts.total = saturate_add(profile->counts.total, count);
}

void profile_keep_most(struct profile *profile, uint32_t module, uint64_t address,
                       uint64_t count)
{
    struct profile_counter *counter = counter_at(profile, module, address);
    if (!counter->most)
        profile->counts.total -= counter->count;
    if (!counter->most || counter->count < count)
        counter->count = count;
    counter->most = true;
}

uint64_t profile_count_of(const struct profile *profile, uint32_t module,
                          uint64_t address)
{
    uint32_t number;
    if (!index_get(&profile->counts.counter_index, module, address, 0, &number))
        return 0;
    return profile->counts.counters.list[number].count;
}

void profile_add_target(struct profile *profile, const struct profile_target *target,
                        uint64_t count)
{
    bool fresh;
    uint32_t site = index_put(&profile->counts.site_index, target->site_module,
                              target->site, 0, &fresh);
    uint32_t number = index_put(&profile->counts.target_index, site, target->module,
                                target->address, &fresh);
    if (fresh) {
        BUF_PUSH(profile->counts.targets) = *target;
        profile->counts.targets.list[number].count = 0;
    }
    struct profile_target *known = &profile->counts.targets.list[number];
    known->count = saturate_add(known->count, count);
    profile->counts.total = saturate_add(profile->counts.total, count);
}

void profile_add_rest(struct profile *profile, const struct profile_target *rest)
{
    BUF_PUSH(profile->counts.rests) = *rest;
}

void profile_multiply(struct profile *profile, uint64_t weight)
{
    uint64_t total = 0;
    for (size_t i = 0; i < profile->counts.counters.count; i++) {
        struct profile_counter *counter = &profile->counts.counters.list[i];
        if (counter->most)
            continue;
        counter->count = saturate_multiply(counter->count, weight);
        total = saturate_add(total, counter->count);
    }
    for (size_t i = 0; i < profile->counts.targets.count; i++) {
        struct profile_target *target = &profile->counts.targets.list[i];
        target->count = saturate_multiply(target->count, weight);
        total = saturate_add(total, target->count);
    }
    for (size_t i = 0; i < profile->modules.count; i++) {
        struct profile_module *module = &profile->modules.list[i];
        module->runs = saturate_multiply(module->runs, weight);
        module->peaks = saturate_multiply(module->peaks, weight);
    }
    profile->counts.total = total;
    profile->weighted = true;
}

void profile_keep_origins(struct profile *profile)
{
    assert(profile->origins.count == 1);
    profile->origins.kept = true;
    for (uint32_t i = 0; i < profile->nodes.count; i++)
        packed_add(&profile->origins.shares, i, 0, profile->nodes.list[i].count);
}

void profile_put_process(struct profile *profile)
{
    struct profile_node *nodes = profile->nodes.list;
    if (!profile->names.processes.count)
        return;
    nodes = buf_grow(nodes, &profile->nodes.capacity, profile->nodes.count + 1,
                     sizeof *nodes);
    memmove(nodes + 1, nodes, profile->nodes.count++ * sizeof *nodes);
    nodes[0] =
        (struct profile_node){.parent = PROFILE_NO_NODE, .module = PROFILE_PROCESS};
    for (size_t i = 1; i < profile->nodes.count; i++)
        nodes[i].parent = nodes[i].parent == PROFILE_NO_NODE ? 0 : nodes[i].parent + 1;
    for (size_t i = 0; i < profile->times.shares.count; i++)
        profile->times.shares.entries[i].owner++;
    children_free(&profile->children);
    profile->indexed = 0;
    profile->nodes.list = nodes;
}

uint64_t profile_nanoseconds(const struct profile *profile, uint64_t samples)
{
    uint64_t second = 1000000000,
             rate = profile->sampling.rate ? profile->sampling.rate : 1;
    return samples / rate * second + samples % rate * second / rate;
}
