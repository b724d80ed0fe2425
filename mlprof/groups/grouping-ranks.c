/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/groups/grouping-inside.h"

#include <inttypes.h>
#include <stdlib.h>

/* By origin: the number of its samples; to be freed.  */
static uint64_t *counts_of(const struct stacks *stacks, const struct origins *origins)
{
    uint64_t *counts = buf_alloc((origins->count + 1) * sizeof *counts);
    struct shares scratch = {0};
    for (uint32_t node = 0; node < stacks->node_count; node++) {
        struct shares_own own = packed_of(&stacks->origins, node, &scratch);
        for (size_t i = 0; i < own.count; i++)
            counts[own.entries[i].bin] += own.entries[i].count;
    }
    shares_free(&scratch);
    return counts;
}

void grouping_add_ranks(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->asked->rows->stacks;
    const struct origins *origins = &build->asked->profile->origins;
    if (build->asked->key != ROWS_RANKS)
        return;
    uint64_t *counts = counts_of(stacks, origins);
    for (uint32_t i = 0; i < origins->count; i++)
        if (counts[i])
            grouping_row(build, grouping_put_rank(&build->keys, i))->cur += counts[i];
    free(counts);
    /* Lost samples are in no point, so that they are added here.  */
    for (uint32_t i = 0; !stacks->filtered && i < origins->count; i++)
        if (origins->origins[i].lost)
            grouping_row(build, grouping_put_rank(&build->keys, i))->cur +=
                origins->origins[i].lost;
    for (uint32_t i = 0; i < build->keys.count; i++)
        grouping_row(build, i)->stack = grouping_row(build, i)->cur;
}

char *grouping_rank_name(const struct profile *profile, uint32_t origin)
{
    const struct origins_origin *of = &profile->origins.origins[origin];
    const char *host = origins_host(&profile->origins, origin);
    char *rank = of->ranked ? buf_format("rank %" PRIu64, of->rank) : buf_copy("no rank");
    char *name = buf_format("[%s%s%s]", rank, host ? " " : "", host ? host : "");
    free(rank);
    return name;
}
