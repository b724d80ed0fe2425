/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/profile/mlmon.h"
#include "testsuite/fuzz/targets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sum_of_nodes(const struct profile *profile)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < profile->nodes.count; i++)
        sum += profile->nodes.list[i].count;
    return sum;
}

/* A profile and itself are twice the profile; points that are there twice become one. */
static void check_twice(const struct profile *once, const struct profile *twice)
{
    assert(twice->sampling.samples == 2 * once->sampling.samples &&
           twice->sampling.lost == 2 * once->sampling.lost);
    assert(twice->nodes.count <= once->nodes.count);
    assert(sum_of_nodes(twice) == 2 * sum_of_nodes(once));
    assert(twice->counts.counters.count == once->counts.counters.count);
    assert(twice->counts.targets.count == once->counts.targets.count);
    assert(twice->counts.total == 2 * once->counts.total);
    assert(twice->regions.paths.count == once->regions.paths.count);
    for (size_t i = 0; i < once->regions.paths.count; i++) {
        const struct regions_sums *one = &once->regions.paths.list[i].sums;
        const struct regions_sums *two = &twice->regions.paths.list[i].sums;
        assert(two->count == 2 * one->count && two->total == 2 * one->total);
        assert(two->squares == 2 * one->squares && two->max == one->max);
        for (size_t k = 0; k < CCPROF_BUCKETS; k++)
            assert(two->buckets[k] == 2 * one->buckets[k]);
    }
    assert(twice->waits.waits.count == once->waits.waits.count);
    assert(twice->waits.sums.time == 2 * once->waits.sums.time);
}

/* Whether the paths of the modules are all different; those that are not become one. */
static bool has_own_paths(const struct profile *profile)
{
    for (size_t i = 1; i < profile->modules.count; i++)
        for (size_t j = 1; j < i; j++)
            if (strcmp(profile->modules.list[i].path, profile->modules.list[j].path) == 0)
                return false;
    return true;
}

static bool has_own_labels(const struct profile *profile)
{
    for (size_t i = 0; i < profile->names.labels.count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(profile->names.labels.list[i], profile->names.labels.list[j]) == 0)
                return false;
    return true;
}

static uint64_t samples_of(const struct profile *profile)
{
    return profile->sampling.samples + profile->sampling.ccprof_samples;
}

static uint64_t calls_of(const struct profile *profile)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < profile->regions.paths.count; i++)
        sum += profile->regions.paths.list[i].sums.count;
    return sum;
}

/* If TEXT has two parts, their DIFFERENCE and the second part are the first part. */
static void check_difference(const struct profile *difference, const char *text,
                             size_t size)
{
    struct profile later = {0}, earlier = {0}, sum = {0};
    struct fault fault = {0};
    const char *end = memmem(text, size, "\nend\n", strlen("\nend\n"));
    size_t first = (size_t)(end - text) + strlen("\nend\n");
    if (first == size)
        return;
    bool good = mlmon_parse(&later, "m", text, first, &fault) &&
                mlmon_parse(&earlier, "m", text + first, size - first, &fault);
    assert(good);
    for (size_t i = 0; i < difference->nodes.count; i++)
        assert(difference->nodes.list[i].parent == PROFILE_NO_NODE ||
               difference->nodes.list[i].parent < i);
    if (profile_merge(&sum, difference, "m", &fault) &&
        profile_merge(&sum, &earlier, "m", &fault)) {
        assert(samples_of(&sum) == samples_of(&later));
        assert(sum_of_nodes(&sum) + sum.sampling.ccprof_samples ==
               sum_of_nodes(&later) + later.sampling.ccprof_samples);
        assert(calls_of(&sum) == calls_of(&later));
        assert(later.runs.switched || sum.counts.total == later.counts.total);
        for (size_t i = HEAPDATA_TOTAL; i <= HEAPDATA_FREED && !later.heap.sample; i++)
            assert(sum.heap.sums[i].blocks == later.heap.sums[i].blocks &&
                   sum.heap.sums[i].bytes == later.heap.sums[i].bytes);
    }
    fault_clear(&fault);
    profile_free(&later);
    profile_free(&earlier);
    profile_free(&sum);
}

bool targets_mlmon(const unsigned char *bytes, size_t size)
{
    struct fault fault = {0};
    struct profile one = {0}, other = {0}, sum = {0};
    /* In memory of its own size, so that a sanitizer sees a byte too many. */
    char *text = malloc(size ? size : 1);
    memcpy(text, bytes, size);
    bool good = mlmon_parse(&one, "m", text, size, &fault);
    assert(good == (fault.kind == FAULT_NONE));
    assert(good || strncmp(fault.text, "m: ", 3) == 0);
    assert(good || (one.nodes.count == 0 && one.modules.count == 0));
    fault_clear(&fault);
    if (good)
        check_difference(&one, text, size);
    if (good && profile_merge(&sum, &one, "m", &fault)) {
        bool second = mlmon_parse(&other, "m", text, size, &fault);
        assert(second);
        if (profile_fold(&sum, &other, "m", &fault) && has_own_paths(&one) &&
            has_own_labels(&one))
            check_twice(&one, &sum);
    }
    fault_clear(&fault);
    profile_free(&one);
    profile_free(&other);
    profile_free(&sum);
    free(text);
    return good;
}
