/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/groups/grouping-inside.h"

#include <inttypes.h>
#include <stdlib.h>

void grouping_add_ranks(struct grouping_builder *build)
{
    const struct stacks *stacks = &build->asked->rows->stacks;
    const struct origins *origins = &build->asked->profile->origins;
    if (build->asked->key != ROWS_RANKS)
        return;
    for (size_t i = 0; i < stacks->origins.count; i++) {
        const struct shares_entry *entry = &stacks->origins.entries[i];
        grouping_row(build, grouping_put_rank(&build->keys, entry->bin))->cur +=
            entry->count;
    }
    /* What was lost is of no point.  */
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
