/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts an earlier profile of a process from a later one (mlmon.out(5), version 14):
   its sums, points, counters and targets. Each point of the earlier profile is looked up
   in the later one, from the outermost point inwards. */

#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/profile/profile-subtract-inside.h"

#include <stdlib.h>

/* Returns the point of the later profile that is the point NODE of the earlier one, or
   SUBTRACT_ABSENT. PARENT is the same for the point above. */
static uint32_t find_point(const struct subtract_match *match, uint32_t parent,
                           const struct profile_node *node)
{
    struct heapmerge_place place;
    uint32_t number;
    if (parent == SUBTRACT_ABSENT)
        return SUBTRACT_ABSENT;
    for (size_t n = 0; subtract_place(match, node->module, node->address, n, &place); n++)
        if (profile_find(match->later, parent, place.module, place.address, &number))
            return number;
    return SUBTRACT_ABSENT;
}

/* Gives equal modules and labels of the later profile's points the same number, and
   joins the points that are then equal. */
static void join_own(const struct subtract_match *match)
{
    struct profile *later = match->later;
    for (size_t i = 0; i < later->nodes.count; i++) {
        struct profile_node *node = &later->nodes.list[i];
        if (node->module < PROFILE_MODULES)
            node->module = match->own_modules[node->module];
        else if (node->module == PROFILE_LABEL)
            node->address = match->own_labels[node->address];
    }
    later->indexed = 0;
    profile_join(later);
}

/* Removes the points that have no samples and no points below. */
static void remove_empty_points(struct profile *profile)
{
    size_t kept = 0, times = 0, count = profile->nodes.count;
    BUF_OWN uint32_t *numbers = buf_alloc((count + 1) * sizeof *numbers);
    BUF_OWN bool *needed = buf_alloc(count + 1);
    for (size_t i = count; i-- > 0;) {
        const struct profile_node *node = &profile->nodes.list[i];
        needed[i] |= node->count != 0;
        if (needed[i] && node->parent != PROFILE_NO_NODE)
            needed[node->parent] = true;
    }
    for (size_t i = 0; i < count; i++) {
        struct profile_node node = profile->nodes.list[i];
        if (!needed[i])
            continue;
        if (node.parent != PROFILE_NO_NODE)
            node.parent = numbers[node.parent];
        numbers[i] = (uint32_t)kept;
        profile->nodes.list[kept++] = node;
    }
    struct shares *shares = &profile->times.shares;
    for (size_t i = 0; i < shares->count; i++)
        if (shares->entries[i].count) {
            shares->entries[times] = shares->entries[i];
            shares->entries[times].owner = numbers[shares->entries[i].owner];
            times++;
        }
    shares->count = times;
    profile->nodes.count = kept;
    profile->indexed = 0;
    children_free(&profile->children);
}

/* Subtracts the times. NUMBERS has the points of the earlier profile in the later one.
   Buckets begin with measuring in both profiles, and only become wider by doubling, so
   each bucket of EARLIER is inside one of LATER. The bucket in which EARLIER was written
   becomes the first one; the buckets before it are empty, except for a sample that was
   taken just before EARLIER was written and stored just after. */
static bool subtract_times(struct times *later, const struct times *earlier,
                           const uint32_t *numbers)
{
    struct shares *shares = &later->shares;
    if (earlier->width == 0)
        return true;
    if (later->width == 0 || later->width % earlier->width || later->span < earlier->span)
        return false;
    for (size_t i = 0; i < earlier->shares.count; i++) {
        const struct shares_entry *entry = &earlier->shares.entries[i];
        uint32_t owner = numbers[entry->owner];
        uint32_t bin = (uint32_t)(entry->bin / (later->width / earlier->width));
        size_t place;
        BUF_SEARCH(
            place, shares->count, k,
            shares->entries[k].owner < owner ||
                (shares->entries[k].owner == owner && shares->entries[k].bin < bin));
        if (place == shares->count || shares->entries[place].owner != owner ||
            shares->entries[place].bin != bin ||
            !subtract_number(&shares->entries[place].count, entry->count))
            return false;
    }
    uint64_t first = earlier->span / later->width;
    for (size_t i = 0; i < shares->count; i++) {
        uint32_t *bin = &shares->entries[i].bin;
        *bin = *bin > first ? (uint32_t)(*bin - first) : 0;
    }
    shares_sort(shares);
    later->span -= first * later->width;
    return true;
}

static bool subtract_points(const struct subtract_match *match)
{
    struct profile *later = match->later;
    const struct profile *earlier = match->earlier;
    BUF_OWN uint32_t *numbers = buf_alloc((earlier->nodes.count + 1) * sizeof *numbers);
    join_own(match);
    for (size_t i = 0; i < earlier->nodes.count; i++) {
        const struct profile_node *node = &earlier->nodes.list[i];
        bool root = node->parent == PROFILE_NO_NODE;
        numbers[i] =
            find_point(match, root ? PROFILE_NO_NODE : numbers[node->parent], node);
        if (numbers[i] == SUBTRACT_ABSENT
                ? node->count != 0
                : !subtract_number(&later->nodes.list[numbers[i]].count, node->count))
            return false;
    }
    if (!subtract_times(&later->times, &earlier->times, numbers))
        return false;
    remove_empty_points(later);
    return true;
}

/* Adds up the counters and targets of the later profile again, without those that are 0,
   and with one number for equal modules. */
static void renew_counts(const struct subtract_match *match)
{
    struct profile *later = match->later;
    const uint32_t *map = match->own_modules;
    struct profile_counts old = later->counts;
    later->counts = (struct profile_counts){0};
    for (size_t i = 0; i < old.counters.count; i++) {
        const struct profile_counter *counter = &old.counters.list[i];
        if (counter->most)
            profile_keep_most(later, map[counter->module], counter->address,
                              counter->count);
        else if (counter->count)
            profile_add_counter(later, map[counter->module], counter->address,
                                counter->count);
    }
    for (size_t i = 0; i < old.targets.count + old.rests.count; i++) {
        bool rest = i >= old.targets.count;
        struct profile_target target =
            rest ? old.rests.list[i - old.targets.count] : old.targets.list[i];
        if (target.site_module != PROFILE_NO_MODULE)
            target.site_module = map[target.site_module];
        if (target.module != PROFILE_NO_MODULE)
            target.module = map[target.module];
        if (rest)
            profile_add_rest(later, &target);
        else if (target.count)
            profile_add_target(later, &target, target.count);
    }
    free(old.counters.list);
    free(old.targets.list);
    free(old.rests.list);
    index_free(&old.counter_index);
    index_free(&old.site_index);
    index_free(&old.target_index);
}

/* Subtracts the counters. If LATER has no inclusive counters any more, EARLIER can have
   counters that LATER lacks. */
static bool subtract_counters(const struct subtract_match *match)
{
    struct profile_counts *later = &match->later->counts;
    const struct profile_counts *earlier = &match->earlier->counts;
    for (size_t i = 0; i < earlier->counters.count; i++) {
        const struct profile_counter *counter = &earlier->counters.list[i];
        uint32_t number;
        if (!index_get(&later->counter_index, match->modules[counter->module],
                       counter->address, 0, &number)) {
            if (counter->count && !match->later->runs.switched)
                return false;
        } else if (!later->counters.list[number].most &&
                   !subtract_number(&later->counters.list[number].count,
                                    counter->count)) {
            return false;
        }
    }
    return true;
}

/* Sets *NUMBER to the number in INDEX of a target of the earlier profile. SITES has the
   numbers of sites. */
static bool find_target(const struct subtract_match *match, const struct index *sites,
                        const struct index *index, const struct profile_target *target,
                        uint32_t *number)
{
    struct heapmerge_place site, place;
    uint32_t site_number;
    for (size_t n = 0; subtract_place(match, target->site_module, target->site, n, &site);
         n++)
        if (index_get(sites, site.module, site.address, 0, &site_number))
            for (size_t k = 0;
                 subtract_place(match, target->module, target->address, k, &place); k++)
                if (index_get(index, site_number, place.module, place.address, number))
                    return true;
    return false;
}

static bool subtract_targets(const struct subtract_match *match)
{
    struct profile_counts *later = &match->later->counts;
    const struct profile_counts *earlier = &match->earlier->counts;
    for (size_t i = 0; i < earlier->targets.count; i++) {
        const struct profile_target *target = &earlier->targets.list[i];
        uint32_t number;
        if (!find_target(match, &later->site_index, &later->target_index, target, &number)
                ? target->count != 0
                : !subtract_number(&later->targets.list[number].count, target->count))
            return false;
    }
    return true;
}

/* Checks that the first targets of the earlier profile are first targets of the later
   one, too. The number of their calls is the difference of the executions minus the
   differences of the other targets, so first targets need not be subtracted. */
static bool check_rests(const struct subtract_match *match)
{
    const struct profile_counts *later = &match->later->counts;
    const struct profile_counts *earlier = &match->earlier->counts;
    struct index sites = {0}, rests = {0};
    bool fresh, good = true;
    uint32_t number;
    for (size_t i = 0; i < later->rests.count; i++) {
        const struct profile_target *rest = &later->rests.list[i];
        uint32_t site = index_put(&sites, rest->site_module, rest->site, 0, &fresh);
        index_put(&rests, site, rest->module, rest->address, &fresh);
    }
    for (size_t i = 0; good && i < earlier->rests.count; i++)
        good = find_target(match, &sites, &rests, &earlier->rests.list[i], &number);
    index_free(&sites);
    index_free(&rests);
    return good;
}

static bool subtract_counts(const struct subtract_match *match)
{
    renew_counts(match);
    if (!subtract_counters(match) || !subtract_targets(match) || !check_rests(match))
        return false;
    renew_counts(match);
    return true;
}

/* The numbers that are subtracted. If LIMITED, the difference is at least 0: clocks can
   step back, and a thread whose counts were incomplete can become complete. */
static const struct {
    size_t offset;
    bool limited;
} sums[] = {{offsetof(struct profile, runs.cpu), true},
            {offsetof(struct profile, runs.wall), true},
            {offsetof(struct profile, runs.uncounted), true},
            {offsetof(struct profile, runs.waits), false},
            {offsetof(struct profile, sampling.samples), false},
            {offsetof(struct profile, sampling.lost), false},
            {offsetof(struct profile, sampling.interrupted), false},
            {offsetof(struct profile, sampling.late), false},
            {offsetof(struct profile, sampling.weights.excess), false}};

static bool subtract_sums(struct profile *later, const struct profile *earlier)
{
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        uint64_t *sum = (uint64_t *)((char *)later + sums[i].offset);
        uint64_t less = *(const uint64_t *)((const char *)earlier + sums[i].offset);
        if (sums[i].limited && *sum < less)
            *sum = 0;
        else if (!subtract_number(sum, less))
            return false;
    }
    later->runs.switched |= earlier->runs.switched;
    return !__builtin_sub_overflow(later->sampling.moved, earlier->sampling.moved,
                                   &later->sampling.moved);
}

/* Returns whether both can be of one run. A module with another kind may have been
   loaded after the earlier answer. */
static bool are_of_one_run(const struct profile *later, const struct profile *earlier)
{
    const struct profile_sampling *now = &later->sampling, *before = &earlier->sampling;
    bool timed = earlier->kind & CCPROF_KIND_TIME;
    bool regions = earlier->regions.clock == REGIONS_NONE ||
                   earlier->regions.clock == later->regions.clock;
    bool heap = !earlier->heap.measured ||
                (later->heap.measured && earlier->heap.sample == later->heap.sample);
    return elffile_same_build_id(later->modules.list[0].build_id,
                                 earlier->modules.list[0].build_id) &&
           (earlier->kind & ~(later->kind | CCPROF_KIND_REGION)) == 0 &&
           (!timed || (now->clock == before->clock && now->rate == before->rate)) &&
           regions && heap;
}

bool profile_subtract(struct profile *later, const struct profile *earlier,
                      const char *file, struct fault *fault)
{
    if (!are_of_one_run(later, earlier))
        return fault_set(fault, FAULT_MISMATCH, file,
                         "the two parts are of different runs");
    struct subtract_match match = subtract_match_open(later, earlier);
    const char *more = !subtract_sums(later, earlier) ? "samples or waits"
                       : !subtract_points(&match)     ? "samples at a point"
                       : !subtract_counts(&match)     ? "executions"
                       : !subtract_regions(&match)    ? "calls of regions"
                       : !subtract_heap(&match)       ? "blocks of memory"
                                                      : NULL;
    if (!more)
        subtract_waits(&match);
    subtract_match_close(&match);
    return !more ||
           fault_set(
               fault, FAULT_GARBLED, file,
               "the second part has more %s than the first: the file is damaged, or "
               "its parts are not of one process",
               more);
}
