/* SPDX-License-Identifier: GPL-3.0-or-later */

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
