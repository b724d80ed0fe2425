/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts the regions of an earlier profile of a process. The shortest and longest
   times of the difference are bounds, as in slices (rt/regions/regions-slices.c). */

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile-subtract-inside.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t minimum(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t maximum(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Sets the shortest, longest and first time in SUMS, whose other numbers are already
   the difference. If such a time is one of the difference's calls, it is exact: it is
   inside the bounds of the buckets. Cold calls have no buckets of their own. */
static void set_bounds(struct regions_sums *sums)
{
    size_t least = 0, most = CCPROF_BUCKETS - 1;
    while (sums->buckets[least] == 0)
        least++;
    while (sums->buckets[most] == 0)
        most--;
    uint64_t end = regions_bucket_end(most);
    if (end)
        sums->max = minimum(sums->max, end - 1);
    sums->min = minimum(maximum(sums->min, regions_bucket_least(least)), sums->max);
    sums->first = maximum(minimum(sums->first, sums->max), sums->min);
    sums->cold_max = minimum(sums->cold_max, sums->max);
    sums->cold_min = minimum(maximum(sums->cold_min, sums->min), sums->cold_max);
    if (sums->cold == 0)
        sums->cold_total = sums->cold_min = sums->cold_max = 0;
}

/* Makes the numbers agree, as the reader requires of a data file. If a thread was
   interrupted at the end of a call, only some numbers of EARLIER include the call. */
static void make_consistent(struct regions_sums *sums)
{
    sums->nested = minimum(sums->nested, sums->total);
    sums->self = minimum(sums->self, sums->total);
    sums->direct = minimum(sums->direct, sums->inside);
    sums->left = minimum(sums->left, sums->count);
    sums->cold = minimum(sums->cold, sums->count);
    sums->cold_total = minimum(sums->cold_total, sums->total);
}

static bool subtract_sums(struct regions_sums *later, const struct regions_sums *earlier)
{
    /* All calls of LATER are in the difference, so the shortest and longest time, too. */
    if (earlier->count == 0)
        return true;
    bool good =
        subtract_number(&later->count, earlier->count) &&
        subtract_number(&later->total, earlier->total) &&
        subtract_number(&later->nested, earlier->nested) &&
        subtract_number(&later->self, earlier->self) &&
        subtract_number(&later->direct, earlier->direct) &&
        subtract_number(&later->inside, earlier->inside) &&
        subtract_number(&later->left, earlier->left) &&
        subtract_number(&later->cold, earlier->cold) &&
        subtract_number(&later->cold_total, earlier->cold_total) &&
        !__builtin_sub_overflow(later->squares, earlier->squares, &later->squares);
    for (size_t i = 0; i < CCPROF_BUCKETS; i++)
        good = subtract_number(&later->buckets[i], earlier->buckets[i]) && good;
    later->has_cpu &= earlier->has_cpu;
    /* The clock can step back. */
    later->cpu =
        later->has_cpu && later->cpu > earlier->cpu ? later->cpu - earlier->cpu : 0;
    if (!good)
        return false;
    if (later->count == 0) {
        *later = (struct regions_sums){
            .open = later->open, .spent = later->spent, .has_cpu = later->has_cpu};
        return true;
    }
    make_consistent(later);
    set_bounds(later);
    return true;
}

/* Returns the number in LATER of a region of the earlier profile, or SUBTRACT_ABSENT. If
   another module was loaded in place of a function's module, the data file has the
   function's address in the name. */
static uint32_t find_region(const struct subtract_match *match, struct regions *later,
                            const struct regions_region *region)
{
    const char *name = intern_text(&match->earlier->regions.names, region->name);
    bool named = region->module == REGIONS_NAMED;
    uint32_t number;
    if (index_get(&later->region_index, intern_put(&later->names, name),
                  named ? REGIONS_NAMED : match->modules[region->module], region->address,
                  &number))
        return number;
    if (named)
        return SUBTRACT_ABSENT;
    BUF_OWN char *unloaded =
        buf_format("%s at 0x%" PRIx64, name,
                   region->address + match->earlier->modules.list[region->module].bias);
    return index_get(&later->region_index, intern_put(&later->names, unloaded),
                     REGIONS_NAMED, 0, &number)
               ? number
               : SUBTRACT_ABSENT;
}

/* Subtracts the paths of the earlier profile from LATER. */
static bool subtract_paths(const struct subtract_match *match, struct regions *later)
{
    const struct regions *earlier = &match->earlier->regions;
    BUF_OWN uint32_t *numbers = buf_alloc((earlier->paths.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < earlier->paths.count; i++) {
        const struct regions_path *path = &earlier->paths.list[i];
        uint32_t parent =
            path->parent == REGIONS_NO_PATH ? REGIONS_NO_PATH : numbers[path->parent];
        uint32_t region = find_region(match, later, &earlier->regions.list[path->region]);
        if (parent == SUBTRACT_ABSENT || region == SUBTRACT_ABSENT ||
            !index_get(&later->path_index, parent, region, 0, &numbers[i]))
            numbers[i] = SUBTRACT_ABSENT;
        if (numbers[i] == SUBTRACT_ABSENT
                ? path->sums.count != 0
                : !subtract_sums(&later->paths.list[numbers[i]].sums, &path->sums))
            return false;
    }
    return true;
}

/* Fills INTO with the paths of FROM that have calls, and the paths around them. If there
   are none, INTO stays empty. */
static void copy_called(struct regions *into, const struct regions *from)
{
    bool fresh;
    BUF_OWN bool *needed = buf_alloc(from->paths.count + 1);
    BUF_OWN uint32_t *numbers = buf_alloc((from->paths.count + 1) * sizeof *numbers);
    for (size_t i = from->paths.count; i-- > 0;) {
        const struct regions_path *path = &from->paths.list[i];
        needed[i] |= path->sums.count || path->sums.open;
        if (needed[i] && path->parent != REGIONS_NO_PATH)
            needed[path->parent] = true;
    }
    for (size_t i = 0; i < from->paths.count; i++) {
        const struct regions_path *path = &from->paths.list[i];
        const struct regions_region *region = &from->regions.list[path->region];
        if (!needed[i])
            continue;
        uint32_t number = regions_put(into, intern_text(&from->names, region->name),
                                      region->module, region->address, &fresh);
        uint32_t parent =
            path->parent == REGIONS_NO_PATH ? REGIONS_NO_PATH : numbers[path->parent];
        numbers[i] = regions_put_path(into, parent, number, &fresh);
        into->paths.list[numbers[i]].sums = path->sums;
        into->clock = from->clock;
    }
    if (into->clock == REGIONS_NONE)
        return;
    into->hz = from->hz;
    into->inner = from->inner;
    into->outer = from->outer;
    into->unplaced = from->unplaced;
}

bool subtract_regions(const struct subtract_match *match)
{
    struct regions *later = &match->later->regions, joined = {0}, called = {0};
    const struct regions *earlier = &match->earlier->regions;
    regions_merge(&joined, later, match->own_modules);
    bool good = subtract_number(&joined.unplaced, earlier->unplaced) &&
                subtract_paths(match, &joined);
    if (good) {
        copy_called(&called, &joined);
        regions_free(later);
        *later = called;
    }
    regions_free(&joined);
    return good;
}
