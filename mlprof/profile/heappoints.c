/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/heappoints.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

uint64_t *heappoints_of_bin(struct heapdata_amount *amounts, uint32_t bin)
{
    struct heapdata_amount *amount = &amounts[bin / 2];
    return bin % 2 ? &amount->bytes : &amount->blocks;
}

bool heappoints_alone(const struct profile *profile)
{
    return profile->kind == CCPROF_KIND_REGION && profile->heap.measured &&
           profile->regions.clock == REGIONS_NONE;
}

void heappoints_make(struct profile *points, const struct profile *profile)
{
    const struct heapdata *heap = &profile->heap;
    *points = *profile;
    points->kind = CCPROF_KIND_ALLOC;
    points->rate = 1;
    points->stack = true;
    points->samples = points->own = points->lost = points->uncounted = 0;
    points->own_count = points->counter_count = points->target_count = 0;
    points->rest_count = points->indexed = 0;
    memset(&points->counter_index, 0, sizeof points->counter_index);
    memset(&points->site_index, 0, sizeof points->site_index);
    memset(&points->target_index, 0, sizeof points->target_index);
    memset(&points->origins, 0, sizeof points->origins);
    memset(&points->children, 0, sizeof points->children);
    points->times = (struct times){0};
    points->nodes = buf_alloc((heap->node_count + 1) * sizeof *points->nodes);
    points->node_count = heap->node_count;
    for (uint32_t i = 0; i < heap->node_count; i++) {
        const struct heapdata_node *from = &heap->nodes[i];
        struct heapdata_node copy = *from;
        struct profile_node *node = &points->nodes[i];
        *node = (struct profile_node){
            .parent = from->parent, .module = from->module, .address = from->address};
        for (uint32_t bin = 0; bin < HEAPPOINTS_BINS; bin++) {
            uint64_t amount = *heappoints_of_bin(copy.of, bin);
            node->count += amount;
            if (amount)
                shares_add(&points->times.shares, i, bin, amount);
        }
    }
    shares_sort(&points->times.shares);
}

void heappoints_free(struct profile *points)
{
    free(points->nodes);
    shares_free(&points->times.shares);
    memset(points, 0, sizeof *points);
}
