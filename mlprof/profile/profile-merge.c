/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds one profile to another: maps modules, threads and points of one to the numbers
   of the other, and checks that the measurements can be added up. */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/statistics.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/profile/heapdata.h"
#include "mlprof/profile/profile.h"

#include <stdlib.h>
#include <string.h>

/* The fields that are added when profiles are merged. */
static const size_t sums[] = {offsetof(struct profile, runs.cpu),
                              offsetof(struct profile, runs.wall),
                              offsetof(struct profile, runs.threads),
                              offsetof(struct profile, runs.uncounted),
                              offsetof(struct profile, runs.waits),
                              offsetof(struct profile, runs.files),
                              offsetof(struct profile, sampling.interrupted),
                              offsetof(struct profile, sampling.samples),
                              offsetof(struct profile, sampling.ccprof_samples),
                              offsetof(struct profile, sampling.lost),
                              offsetof(struct profile, sampling.late)};

/* Adds the sums of FROM to the sums of INTO. If a sum becomes too large, returns
   false, and INTO is invalid. */
static bool add_sums(struct profile *into, const struct profile *from)
{
    bool good = true;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        uint64_t *sum = (uint64_t *)((char *)into + sums[i]);
        uint64_t more = *(const uint64_t *)((const char *)from + sums[i]);
        good = !__builtin_add_overflow(*sum, more, sum) && good;
    }
    good =
        statistics_add_weights(&into->sampling.weights, &from->sampling.weights) && good;
    return !__builtin_add_overflow(into->sampling.moved, from->sampling.moved,
                                   &into->sampling.moved) &&
           good;
}

static bool sums_fit(const struct profile *into, const struct profile *from)
{
    struct profile sum = *into;
    return add_sums(&sum, from) &&
           (into->weighted || from->weighted ||
            !__builtin_add_overflow(into->counts.total, from->counts.total,
                                    &sum.counts.total));
}

/* Returns whether both are the same build. Builds without a build ID are distinguished
   by their paths. */
static bool same_build(const struct profile_module *one,
                       const struct profile_module *other)
{
    if (!one->build_id && !other->build_id)
        return strcmp(one->path, other->path) == 0;
    return elffile_same_build_id(one->build_id, other->build_id);
}

/* Returns the number in INTO of FROM's executable. If INTO has modules for several
   builds, but none for the build of FROM, returns the number of INTO's modules. */
static uint32_t find_executable(const struct profile *into, const struct profile *from)
{
    if (!into->merges_builds || into->modules.count == 0)
        return 0;
    for (uint32_t i = 0; i < into->modules.count; i++)
        if ((i == 0 || into->modules.list[i].program) &&
            same_build(&into->modules.list[i], &from->modules.list[0]))
            return i;
    return (uint32_t)into->modules.count;
}

/* Returns the number of a shared object in KEYS. Different builds with the same path
   have different numbers. */
static uint32_t object_number(struct intern *keys, const struct profile_module *module)
{
    BUF_OWN char *key =
        buf_format("%s\n%s", module->path, module->build_id ? module->build_id : "");
    uint32_t number = intern_put(keys, key);
    return number;
}

/* Sets MAP[module of FROM] to the number that the module has or will have in INTO. */
static bool map_modules(const struct profile *into, const struct profile *from,
                        uint32_t *map, const char *file, struct fault *fault)
{
    uint32_t next = (uint32_t)into->modules.count;
    uint32_t executable = find_executable(into, from);
    if (executable < next && !into->merges_builds &&
        !elffile_same_build_id(into->modules.list[0].build_id,
                               from->modules.list[0].build_id))
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with another build of %s than the data before it",
                         from->modules.list[0].path);

    /* Modules are numbered in the order of their first occurrence. */
    struct intern keys = {0};
    BUF_OWN uint32_t *known =
        buf_alloc((into->modules.count + from->modules.count + 1) * sizeof *known);
    size_t known_count = 0;
    for (uint32_t i = 1; i < into->modules.count; i++)
        if (!into->modules.list[i].program &&
            object_number(&keys, &into->modules.list[i]) == known_count)
            known[known_count++] = i;
    map[0] = executable < next ? executable : next++;
    for (size_t i = 1; i < from->modules.count; i++) {
        uint32_t number = object_number(&keys, &from->modules.list[i]);
        if (number == known_count)
            known[known_count++] = next++;
        map[i] = known[number];
    }
    intern_free(&keys);
    return true;
}

static void merge_modules(struct profile *into, const struct profile *from,
                          const uint32_t *map)
{
    for (size_t i = 0; i < from->modules.count; i++) {
        const struct profile_module *module = &from->modules.list[i];
        if (map[i] == into->modules.count) {
            profile_add_module(into, module->path, module->build_id);
            into->modules.list[map[i]].program = i == 0 && map[i] > 0;
        }
        struct profile_module *known = &into->modules.list[map[i]];
        known->runs = saturate_add(known->runs, module->runs);
        known->peaks = saturate_add(known->peaks, module->peaks);
    }
}

/* Adds the missing ranges of ccprof's own code. */
static void merge_owns(struct profile *into, const struct profile *from,
                       const uint32_t *map)
{
    for (size_t i = 0; i < from->owns.count; i++) {
        struct profile_own range = from->owns.list[i];
        size_t number = 0;
        range.module = map[range.module];
        while (number < into->owns.count &&
               (into->owns.list[number].module != range.module ||
                into->owns.list[number].start != range.start ||
                into->owns.list[number].end != range.end))
            number++;
        if (number == into->owns.count)
            BUF_PUSH(into->owns) = range;
    }
}

/* Adds the missing labels of FROM to INTO. Returns the numbers in INTO of FROM's
   labels; freed by free. */
static uint32_t *merge_labels(struct profile *into, const struct profile *from)
{
    struct intern names = {0};
    uint32_t *map = buf_alloc((from->names.labels.count + 1) * sizeof *map);
    BUF_OWN uint32_t *first = buf_alloc(
        (into->names.labels.count + from->names.labels.count + 1) * sizeof *first);
    for (size_t i = into->names.labels.count; i-- > 0;)
        first[intern_put(&names, into->names.labels.list[i])] = (uint32_t)i;
    for (size_t i = 0; i < from->names.labels.count; i++) {
        size_t known = names.count;
        uint32_t name = intern_put(&names, from->names.labels.list[i]);
        if (name == known) {
            first[name] = (uint32_t)into->names.labels.count;
            profile_add_label(into, from->names.labels.list[i]);
        }
        map[i] = first[name];
    }
    intern_free(&names);
    return map;
}

/* Files with the same origin have many entries in common. When SHARES_AGAIN entries
   have been added, equal entries are joined to save memory. */
#define SHARES_AGAIN 100000

/* Maps numbers of FROM to numbers of INTO: numbers of points, of modules, of labels
   and threads, and of origins. KNOWN is the number of origins that INTO had before. */
struct mapping {
    uint32_t *nodes;
    struct heapmerge_numbers new_numbers;
    const uint32_t *origins;
    size_t known;
};

static void merge_shares(struct profile *into, const struct profile *from,
                         const struct mapping *map)
{
    struct origins *origins = &into->origins;
    struct packed_at cursor = {0};
    if (!origins->kept)
        return;
    while (packed_next(&from->origins.shares, &cursor)) {
        uint32_t origin = map->origins[cursor.entry.bin];
        packed_add(&origins->shares, map->nodes[cursor.entry.owner], origin,
                   cursor.entry.count);
        origins->again += origin < map->known;
    }
    if (origins->again < origins->joined + SHARES_AGAIN)
        return;
    packed_join(&origins->shares);
    origins->joined = origins->shares.count;
    origins->again = 0;
}

/* Adds the origins of FROM to INTO. Returns the number in INTO of each origin of FROM;
   freed by free. */
static uint32_t *merge_origins(struct profile *into, const struct profile *from)
{
    uint32_t *numbers = buf_alloc((from->origins.count + 1) * sizeof *numbers);
    origins_merge(&into->origins, &from->origins, numbers);
    into->origins.kept = from->origins.kept && (into->kind == 0 || into->origins.kept);
    return numbers;
}

/* Adds the names of threads or processes FROM to INTO. Returns the number in INTO of each
   of them; freed by free. */
static uint32_t *merge_names(struct intern *into, const struct intern *from)
{
    uint32_t *map = buf_alloc((from->count + 1) * sizeof *map);
    for (uint32_t i = 0; i < from->count; i++)
        map[i] = intern_put(into, intern_text(from, i));
    return map;
}

static void merge_nodes(struct profile *into, const struct profile *from,
                        struct mapping *map)
{
    BUF_OWN uint32_t *numbers = buf_alloc((from->nodes.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < from->nodes.count; i++) {
        const struct profile_node *node = &from->nodes.list[i];
        uint32_t parent =
            node->parent == PROFILE_NO_NODE ? PROFILE_NO_NODE : numbers[node->parent];
        struct heapmerge_place place =
            heapmerge_place(&map->new_numbers, node->module, node->address);
        numbers[i] = profile_add(into, parent, place.module, place.address, node->count);
    }
    map->nodes = numbers;
    merge_shares(into, from, map);
}

static void merge_counters(struct profile *into, const struct profile *from,
                           const uint32_t *map)
{
    for (size_t i = 0; i < from->counts.counters.count; i++) {
        const struct profile_counter *counter = &from->counts.counters.list[i];
        uint32_t module = map[counter->module];
        if (counter->most)
            profile_keep_most(into, module, counter->address, counter->count);
        else
            profile_add_counter(into, module, counter->address, counter->count);
    }
}

static uint32_t map_module(uint32_t module, const uint32_t *map)
{
    return module == PROFILE_NO_MODULE ? PROFILE_NO_MODULE : map[module];
}

static void merge_targets(struct profile *into, const struct profile *from,
                          const uint32_t *map)
{
    for (size_t i = 0; i < from->counts.targets.count; i++) {
        struct profile_target target = from->counts.targets.list[i];
        target.site_module = map_module(target.site_module, map);
        target.module = map_module(target.module, map);
        profile_add_target(into, &target, target.count);
    }
}

static bool is_empty(const struct profile *profile)
{
    return profile->sampling.samples == 0 && profile->nodes.count == 0 &&
           profile->counts.counters.count == 0 && profile->counts.targets.count == 0 &&
           profile->regions.clock == REGIONS_NONE && !profile->heap.measured &&
           !profile->waits.measured;
}

static const char *clock_text(const struct profile *profile)
{
    return profile->sampling.clock == PROFILE_WALL ? "time on the clock" : "CPU time";
}

/* Checks that both heaps were sampled in the same way. If they were not, the sum would
   have no confidence interval. */
static bool check_heaps(const struct heapdata *into, const struct heapdata *from,
                        const char *file, struct fault *fault)
{
    if (!into->measured || !from->measured || into->sample == from->sample)
        return true;
    BUF_OWN char *before = heapdata_manner(into), *manner = heapdata_manner(from);
    fault_set(fault, FAULT_MISMATCH, file, "measured the heap %s, the data before it %s",
              manner, before);
    return false;
}

static bool check_merge(const struct profile *into, const struct profile *from,
                        const char *file, struct fault *fault)
{
    if (!sums_fit(into, from) || !regions_fit(&into->regions, &from->regions) ||
        !heapmerge_fit(&into->heap, &from->heap) ||
        !waitdata_fit(&into->waits, &from->waits))
        return fault_set(fault, FAULT_GARBLED, file,
                         "its numbers and those before it add up to more than 64 bits");
    if (is_empty(into) || is_empty(from))
        return true;
    if (from->kind != into->kind)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with another kind of profile than the data before it");
    if (from->sampling.clock != into->sampling.clock)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured by %s, the data before it by %s", clock_text(from),
                         clock_text(into));
    if (from->sampling.rate != into->sampling.rate)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with rate %llu, the data before it with rate %llu",
                         (unsigned long long)from->sampling.rate,
                         (unsigned long long)into->sampling.rate);
    return check_heaps(&into->heap, &from->heap, file, fault);
}

/* Adds how FROM was measured. INTO has call stacks only if all its files have them. */
static void merge_method(struct profile *into, const struct profile *from, bool first)
{
    into->kind = from->kind;
    into->sampling.clock = from->sampling.clock;
    into->sampling.rate = from->sampling.rate;
    into->sampling.engines =
        from->sampling.engines | (first ? 0 : into->sampling.engines);
    into->sampling.stack = from->sampling.stack && (first || into->sampling.stack);
}

/* Adds the measured data of FROM, which is not empty. check_merge has checked that the
   sums fit. */
static bool merge_counts(struct profile *into, const struct profile *from,
                         const char *file, struct fault *fault)
{
    bool first = is_empty(into);
    if (first && !into->merges_builds)
        profile_clear_modules(into);
    BUF_OWN uint32_t *map = buf_alloc((from->modules.count + 1) * sizeof *map);
    bool good = map_modules(into, from, map, file, fault);
    if (good) {
        size_t known = into->origins.count;
        BUF_OWN uint32_t *origins = merge_origins(into, from);
        BUF_OWN uint32_t *labels = merge_labels(into, from);
        BUF_OWN uint32_t *threads =
            merge_names(&into->names.threads, &from->names.threads);
        BUF_OWN uint32_t *processes =
            merge_names(&into->names.processes, &from->names.processes);
        merge_method(into, from, first);
        shares_free(&into->times.shares);
        into->times = (struct times){0};
        merge_modules(into, from, map);
        merge_owns(into, from, map);
        struct mapping mapping = {.new_numbers = {map, labels, threads, processes},
                                  .origins = origins,
                                  .known = known};
        merge_nodes(into, from, &mapping);
        merge_counters(into, from, map);
        merge_targets(into, from, map);
        regions_merge(&into->regions, &from->regions, map);
        heapmerge(&into->heap, &from->heap, &mapping.new_numbers);
        waitdata_merge(&into->waits, &from->waits, &mapping.new_numbers);
    }
    return good;
}

/* Sets the start of the sum of both. The number of files of INTO is not the sum yet. */
static void merge_start(struct profile_runs *into, const struct profile_runs *from)
{
    bool first = into->files == 0;
    bool unknown = !from->start || (!first && !into->start);
    if (unknown)
        into->start = 0;
    else if (first || from->start < into->start)
        into->start = from->start;
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
        merge_method(into, from, true);
    for (size_t i = 0; i < from->runs.commands.count; i++)
        intern_put(&into->runs.commands, intern_text(&from->runs.commands, (uint32_t)i));
    for (size_t i = 0; i < from->runs.messages.count; i++)
        intern_put(&into->runs.messages, intern_text(&from->runs.messages, (uint32_t)i));
    merge_start(&into->runs, &from->runs);
    add_sums(into, from);
    if (into->runs.most_threads < from->runs.most_threads)
        into->runs.most_threads = from->runs.most_threads;
    into->weighted |= from->weighted;
    into->runs.switched |= from->runs.switched;
    into->sampling.refused |= from->sampling.refused;
    return true;
}

bool profile_fold(struct profile *into, struct profile *from, const char *file,
                  struct fault *fault)
{
    bool good = true;
    bool same = !into->merges_builds || find_executable(into, from) == 0;
    if (into->kind == 0 && same) {
        struct profile_runs runs = into->runs;
        merge_start(&runs, &from->runs);
        bool merges_builds = into->merges_builds;
        bool weighted = into->weighted;
        profile_free(into);
        *into = *from;
        into->runs.files += runs.files;
        into->runs.start = runs.start;
        into->merges_builds = merges_builds;
        into->weighted |= weighted;
        memset(from, 0, sizeof *from);
    } else {
        good = profile_merge(into, from, file, fault);
    }
    profile_free(from);
    return good;
}
