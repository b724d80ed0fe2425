/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/profile.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/intern.h"
#include "mlprof/elf/elffile.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void clear_modules(struct profile *profile)
{
    for (size_t i = 0; i < profile->module_count; i++) {
        free(profile->modules[i].path);
        free(profile->modules[i].build_id);
    }
    profile->module_count = 0;
}

enum profile_measure profile_measure(const struct profile *profile)
{
    if (!profile->kind || profile->kind & (CCPROF_KINDS_SAMPLED | CCPROF_KIND_REGION))
        return PROFILE_SAMPLES;
    return profile->kind & CCPROF_KIND_ALLOC ? PROFILE_BYTES : PROFILE_CALLS;
}

const char *profile_command(const struct profile *profile)
{
    return profile->commands.count ? intern_text(&profile->commands, 0) : NULL;
}

void profile_free(struct profile *profile)
{
    clear_modules(profile);
    free(profile->modules);
    for (size_t i = 0; i < profile->label_count; i++)
        free(profile->labels[i]);
    free(profile->labels);
    intern_free(&profile->commands);
    intern_free(&profile->thread_names);
    shares_free(&profile->times.shares);
    free(profile->nodes);
    index_free(&profile->index);
    free(profile->counters);
    index_free(&profile->counter_index);
    free(profile->targets);
    index_free(&profile->site_index);
    index_free(&profile->target_index);
    regions_free(&profile->regions);
    origins_free(&profile->origins);
    memset(profile, 0, sizeof *profile);
}

void profile_add_module(struct profile *profile, const char *path, const char *build_id)
{
    profile->modules = buf_grow(profile->modules, &profile->module_capacity,
                                profile->module_count + 1, sizeof *profile->modules);
    profile->modules[profile->module_count++] = (struct profile_module){
        .path = buf_copy(path), .build_id = build_id ? buf_copy(build_id) : NULL};
}

void profile_add_label(struct profile *profile, const char *name)
{
    profile->labels = buf_grow(profile->labels, &profile->label_capacity,
                               profile->label_count + 1, sizeof *profile->labels);
    profile->labels[profile->label_count++] = buf_copy(name);
}

uint32_t profile_add_thread(struct profile *profile, uint64_t number, const char *name)
{
    char *text = buf_format("%" PRIu64 " %s", number, name);
    uint32_t thread = intern_put(&profile->thread_names, text);
    free(text);
    return thread;
}

uint32_t profile_add(struct profile *profile, uint32_t parent, uint32_t module,
                     uint64_t address, uint64_t count)
{
    assert(parent == PROFILE_NO_NODE || parent < profile->node_count);
    bool fresh;
    uint32_t number = index_put(&profile->index, parent, module, address, &fresh);
    if (fresh) {
        profile->nodes = buf_grow(profile->nodes, &profile->node_capacity,
                                  profile->node_count + 1, sizeof *profile->nodes);
        profile->nodes[profile->node_count++] =
            (struct profile_node){.parent = parent, .module = module, .address = address};
    }
    profile->nodes[number].count += count;
    return number;
}

void profile_add_counter(struct profile *profile, uint32_t module, uint64_t address,
                         uint64_t count)
{
    bool fresh;
    uint32_t number = index_put(&profile->counter_index, module, address, 0, &fresh);
    if (fresh) {
        profile->counters =
            buf_grow(profile->counters, &profile->counter_capacity,
                     profile->counter_count + 1, sizeof *profile->counters);
        profile->counters[profile->counter_count++] =
            (struct profile_counter){.module = module, .address = address};
    }
    profile->counters[number].count += count;
    profile->counter_total += count;
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
        profile->targets = buf_grow(profile->targets, &profile->target_capacity,
                                    profile->target_count + 1, sizeof *profile->targets);
        profile->targets[profile->target_count] = *target;
        profile->targets[profile->target_count++].count = 0;
    }
    profile->targets[number].count += count;
    profile->counter_total += count;
}

static bool sums_fit(const struct profile *into, const struct profile *from)
{
    uint64_t sum;
    int64_t difference;
    return !__builtin_add_overflow(into->moved, from->moved, &difference) &&
           !__builtin_add_overflow(into->cpu, from->cpu, &sum) &&
           !__builtin_add_overflow(into->wall, from->wall, &sum) &&
           !__builtin_add_overflow(into->threads, from->threads, &sum) &&
           !__builtin_add_overflow(into->uncounted, from->uncounted, &sum) &&
           !__builtin_add_overflow(into->waits, from->waits, &sum) &&
           !__builtin_add_overflow(into->samples, from->samples, &sum) &&
           !__builtin_add_overflow(into->lost, from->lost, &sum) &&
           !__builtin_add_overflow(into->counter_total, from->counter_total, &sum);
}

static bool same_build(const struct profile_module *one,
                       const struct profile_module *other, const char *file,
                       struct fault *fault)
{
    if (elffile_same_build_id(one->build_id, other->build_id))
        return true;
    return fault_set(fault, FAULT_MISMATCH, file,
                     "measured with another build of %s than the data before it",
                     other->path);
}

/* Fills MAP, which has FROM's module_count elements, with the numbers that FROM's
   modules have or will have in INTO.  */
static bool map_modules(const struct profile *into, const struct profile *from,
                        uint32_t *map, const char *file, struct fault *fault)
{
    struct intern paths = {0};
    uint32_t *known = buf_alloc((into->module_count + 1) * sizeof *known);
    uint32_t next = (uint32_t)into->module_count;
    bool good = true;

    /* Paths are numbered in the order of their first occurrence.  */
    size_t known_count = 0;
    for (uint32_t i = 1; i < into->module_count; i++)
        if (intern_put(&paths, into->modules[i].path) == known_count)
            known[known_count++] = i;
    for (size_t i = 0; good && i < from->module_count; i++) {
        bool executable = i == 0 && into->module_count > 0;
        size_t number = executable ? 0 : known_count;
        if (i > 0)
            number = intern_put(&paths, from->modules[i].path);
        if (executable)
            map[i] = 0;
        else if (i > 0 && number < known_count)
            map[i] = known[number];
        else
            map[i] = next++;
        if (map[i] < into->module_count)
            good = same_build(&into->modules[map[i]], &from->modules[i], file, fault);
    }
    free(known);
    intern_free(&paths);
    return good;
}

static void merge_modules(struct profile *into, const struct profile *from,
                          const uint32_t *map)
{
    for (size_t i = 0; i < from->module_count; i++)
        if (map[i] == into->module_count)
            profile_add_module(into, from->modules[i].path, from->modules[i].build_id);
}

/* The number in INTO of the label of that name, which is added if it is new.  */
static uint32_t merge_label(struct profile *into, const char *name)
{
    for (size_t i = 0; i < into->label_count; i++)
        if (strcmp(into->labels[i], name) == 0)
            return (uint32_t)i;
    profile_add_label(into, name);
    return (uint32_t)into->label_count - 1;
}

/* The number in INTO of what stands around code, below PARENT there.  */
static uint32_t merge_around(struct profile *into, const struct profile *from,
                             uint32_t parent, const struct profile_node *node)
{
    uint32_t number =
        node->module == PROFILE_LABEL
            ? merge_label(into, from->labels[node->address])
            : intern_put(&into->thread_names,
                         intern_text(&from->thread_names, (uint32_t)node->address));
    return profile_add(into, parent, node->module, number, node->count);
}

void profile_keep_origins(struct profile *profile)
{
    assert(profile->origins.count == 1);
    profile->origins.kept = true;
    for (uint32_t i = 0; i < profile->node_count; i++)
        shares_add(&profile->origins.shares, i, 0, profile->nodes[i].count);
}

/* Files of one origin have much in common: their entries become one when so many are new.
 */
#define SHARES_UNSORTED 100000

/* NUMBERS are those that FROM's points have in INTO, ORIGINS those of its origins.  */
static void merge_shares(struct profile *into, const struct profile *from,
                         const uint32_t *numbers, const uint32_t *origins)
{
    const struct shares *shares = &from->origins.shares;
    if (!into->origins.kept)
        return;
    for (size_t i = 0; i < shares->count; i++)
        shares_add(&into->origins.shares, numbers[shares->entries[i].owner],
                   origins[shares->entries[i].bin], shares->entries[i].count);
    if (into->origins.shares.count < 2 * into->origins.sorted + SHARES_UNSORTED)
        return;
    shares_sort(&into->origins.shares);
    into->origins.sorted = into->origins.shares.count;
}

/* Returns the numbers that FROM's origins have in INTO, to be freed.  */
static uint32_t *merge_origins(struct profile *into, const struct profile *from)
{
    uint32_t *numbers = buf_alloc((from->origins.count + 1) * sizeof *numbers);
    origins_merge(&into->origins, &from->origins, numbers);
    into->origins.kept &= from->origins.kept;
    return numbers;
}

static void merge_nodes(struct profile *into, const struct profile *from,
                        const uint32_t *map, const uint32_t *origins)
{
    uint32_t *numbers = buf_alloc((from->node_count + 1) * sizeof *numbers);
    for (size_t i = 0; i < from->node_count; i++) {
        const struct profile_node *node = &from->nodes[i];
        uint32_t parent =
            node->parent == PROFILE_NO_NODE ? PROFILE_NO_NODE : numbers[node->parent];
        if (profile_is_around(node)) {
            numbers[i] = merge_around(into, from, parent, node);
            continue;
        }
        uint32_t module =
            node->module == PROFILE_NO_MODULE ? PROFILE_NO_MODULE : map[node->module];
        numbers[i] = profile_add(into, parent, module, node->address, node->count);
    }
    merge_shares(into, from, numbers, origins);
    free(numbers);
}

static void merge_counters(struct profile *into, const struct profile *from,
                           const uint32_t *map)
{
    for (size_t i = 0; i < from->counter_count; i++) {
        const struct profile_counter *counter = &from->counters[i];
        profile_add_counter(into, map[counter->module], counter->address, counter->count);
    }
}

static uint32_t mapped(uint32_t module, const uint32_t *map)
{
    return module == PROFILE_NO_MODULE ? PROFILE_NO_MODULE : map[module];
}

static void merge_targets(struct profile *into, const struct profile *from,
                          const uint32_t *map)
{
    for (size_t i = 0; i < from->target_count; i++) {
        struct profile_target target = from->targets[i];
        target.site_module = mapped(target.site_module, map);
        target.module = mapped(target.module, map);
        profile_add_target(into, &target, target.count);
    }
}

static bool is_empty(const struct profile *profile)
{
    return profile->samples == 0 && profile->node_count == 0 &&
           profile->counter_count == 0 && profile->target_count == 0 &&
           profile->regions.clock == REGIONS_NONE;
}

static const char *clock_text(const struct profile *profile)
{
    return profile->clock == PROFILE_WALL ? "time on the clock" : "CPU time";
}

static bool check_merge(const struct profile *into, const struct profile *from,
                        const char *file, struct fault *fault)
{
    if (!sums_fit(into, from) || !regions_fit(&into->regions, &from->regions))
        return fault_set(fault, FAULT_GARBLED, file,
                         "its numbers and those before it add up to more than 64 bits");
    if (is_empty(into) || is_empty(from))
        return true;
    if (from->kind != into->kind)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with another kind of profile than the data before it");
    if (from->clock != into->clock)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured by %s, the data before it by %s", clock_text(from),
                         clock_text(into));
    if (from->rate != into->rate)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with rate %llu, the data before it with rate %llu",
                         (unsigned long long)from->rate, (unsigned long long)into->rate);
    return true;
}

/* How FROM was measured; of several, INTO has stacks only if all of them have.  */
static void merge_manner(struct profile *into, const struct profile *from, bool first)
{
    into->kind = from->kind;
    into->clock = from->clock;
    into->rate = from->rate;
    into->engines = from->engines | (first ? 0 : into->engines);
    into->stack = from->stack && (first || into->stack);
}

/* Adds what FROM, which is not empty, measured; INTO has room for its sums.  */
static bool merge_counts(struct profile *into, const struct profile *from,
                         const char *file, struct fault *fault)
{
    bool first = is_empty(into);
    if (first)
        clear_modules(into);
    uint32_t *map = buf_alloc((from->module_count + 1) * sizeof *map);
    bool good = map_modules(into, from, map, file, fault);
    if (good) {
        merge_manner(into, from, first);
        into->samples += from->samples;
        into->lost += from->lost;
        shares_free(&into->times.shares);
        into->times = (struct times){0};
        merge_modules(into, from, map);
        uint32_t *origins = merge_origins(into, from);
        merge_nodes(into, from, map, origins);
        free(origins);
        merge_counters(into, from, map);
        merge_targets(into, from, map);
        regions_merge(&into->regions, &from->regions, map);
    }
    free(map);
    return good;
}

static void merge_commands(struct profile *into, const struct profile *from)
{
    for (size_t i = 0; i < from->commands.count; i++)
        intern_put(&into->commands, intern_text(&from->commands, (uint32_t)i));
}

bool profile_merge(struct profile *into, const struct profile *from, const char *file,
                   struct fault *fault)
{
    if (!check_merge(into, from, file, fault))
        return false;
    if (is_empty(from))
        free(merge_origins(into, from));
    else if (!merge_counts(into, from, file, fault))
        return false;
    if (into->kind == 0)
        merge_manner(into, from, true);
    merge_commands(into, from);
    into->cpu += from->cpu;
    into->wall += from->wall;
    into->threads += from->threads;
    into->files += from->files;
    into->uncounted += from->uncounted;
    into->waits += from->waits;
    into->moved += from->moved;
    return true;
}

bool profile_fold(struct profile *into, struct profile *from, const char *file,
                  struct fault *fault)
{
    bool good = true;
    if (into->kind == 0) {
        uint64_t files = into->files;
        *into = *from;
        into->files += files;
        memset(from, 0, sizeof *from);
    } else {
        good = profile_merge(into, from, file, fault);
    }
    profile_free(from);
    return good;
}
