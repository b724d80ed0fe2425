/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks-inside.h"

/* What the stacks tell of an allocator is that blocks came from it.  */
static const struct alloctable_site unknown = {.allocator = "", .symbol = "", .type = ""};

static struct allocs_site site_of(const struct stacks *stacks, uint32_t node)
{
    const struct stacks_node *at = &stacks->nodes[node];
    const struct stacks_position *position = &stacks->positions[at->position];
    struct allocs_site site = {.module = stacks->copies[at->copy].module,
                               .site = &unknown,
                               .file = position->file,
                               .line = position->line,
                               .column = position->column};
    stacks_place_site(stacks, &site, node);
    return site;
}

uint64_t stacks_weigh_heap(struct stacks *stacks, enum heapdata_measure measure,
                           uint64_t all)
{
    const struct shares *shares = &stacks->heap;
    struct allocs *allocs = &stacks->allocs;
    size_t capacity = 0;
    uint64_t sum = 0;
    stacks->heap = stacks->times.shares;
    stacks->times.shares = (struct shares){0};
    for (size_t i = 0; i < stacks->node_count; i++) {
        struct stacks_node *node = &stacks->nodes[i];
        node->others = node->weight != 0;
        node->count = node->weight = 0;
    }
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        bool blocks = entry->bin == HEAPPOINTS_BLOCKS(measure);
        if (!entry->count || (!blocks && entry->bin != HEAPPOINTS_BYTES(measure)))
            continue;
        /* The two bins of an owner stand beside each other.  */
        if (!allocs->count || allocs->sites[allocs->count - 1].node != entry->owner)
            BUF_NEXT(allocs->sites, allocs->count, capacity) =
                site_of(stacks, entry->owner);
        struct allocs_site *site = &allocs->sites[allocs->count - 1];
        *(blocks ? &site->blocks : &site->bytes) = entry->count;
        if (!blocks)
            sum += stacks->nodes[entry->owner].count = entry->count;
    }
    for (size_t i = stacks->node_count; i-- > 0;) {
        struct stacks_node *node = &stacks->nodes[i];
        node->weight += node->count;
        if (node->parent != STACKS_NONE)
            stacks->nodes[node->parent].weight += node->weight;
    }
    allocs->left_out = all - sum;
    return sum;
}
