/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/groups.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static uint32_t number_at(const void *array, size_t place)
{
    return *(const uint32_t *)(const void *)((const char *)array + place);
}

void groups_by(struct groups *groups, size_t group_count, const void *array,
               size_t offset, size_t stride, size_t count)
{
    groups->first = buf_alloc((group_count + 2) * sizeof *groups->first);
    groups->members = buf_alloc((count + 1) * sizeof *groups->members);
    /* Sizes are counted two places further on, so that their sums make FIRST[G + 1] the
       beginning of G.  Each member that is put in moves FIRST[G + 1] on, in the end to
       the beginning of the next group.  */
    for (size_t i = 0; i < count; i++) {
        uint32_t group = number_at(array, offset + i * stride);
        if (group < group_count)
            groups->first[group + 2]++;
    }
    for (size_t g = 2; g < group_count + 2; g++)
        groups->first[g] += groups->first[g - 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t group = number_at(array, offset + i * stride);
        if (group < group_count)
            groups->members[groups->first[group + 1]++] = i;
    }
}

void groups_make(struct groups *groups, size_t group_count, const uint32_t *group_of,
                 size_t count)
{
    groups_by(groups, group_count, group_of, 0, sizeof *group_of, count);
}

void groups_free(struct groups *groups)
{
    free(groups->first);
    free(groups->members);
    memset(groups, 0, sizeof *groups);
}
