/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/heapdata.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/profile.h"

#include <stdlib.h>
#include <string.h>

uint32_t heapdata_put(struct heapdata *heap, uint32_t parent, uint32_t module,
                      uint64_t address)
{
    bool fresh;
    uint32_t number = index_put(&heap->index, parent, module, address, &fresh);
    if (fresh) {
        heap->nodes = buf_grow(heap->nodes, &heap->node_capacity, heap->node_count + 1,
                               sizeof *heap->nodes);
        heap->nodes[heap->node_count++] = (struct heapdata_node){
            .parent = parent, .module = module, .address = address};
    }
    return number;
}

static bool add(uint64_t *sum, uint64_t amount)
{
    if (amount > HEAPDATA_MOST - *sum)
        return false;
    *sum += amount;
    return true;
}

bool heapdata_add(struct heapdata_amount *sums, const struct heapdata_amount *amounts)
{
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        if (!add(&sums[i].blocks, amounts[i].blocks) ||
            !add(&sums[i].bytes, amounts[i].bytes))
            return false;
    return true;
}

bool heapdata_fit(const struct heapdata *into, const struct heapdata *from)
{
    struct heapdata sums = *into;
    return heapdata_add(sums.sums, from->sums) && add(&sums.unknown, from->unknown) &&
           add(&sums.unkept, from->unkept);
}

void heapdata_merge(struct heapdata *into, const struct heapdata *from,
                    const uint32_t *modules)
{
    if (!from->measured)
        return;
    uint32_t *numbers = buf_alloc((from->node_count + 1) * sizeof *numbers);
    for (size_t i = 0; i < from->node_count; i++) {
        const struct heapdata_node *node = &from->nodes[i];
        uint32_t parent = node->parent, module = node->module;
        numbers[i] = heapdata_put(
            into, parent == PROFILE_NO_NODE ? parent : numbers[parent],
            module == PROFILE_NO_MODULE ? module : modules[module], node->address);
        heapdata_add(into->nodes[numbers[i]].of, node->of);
    }
    free(numbers);
    heapdata_add(into->sums, from->sums);
    into->peak_time = into->measured ? 0 : from->peak_time;
    into->ended = from->ended && (!into->measured || into->ended);
    into->measured = true;
    into->unknown += from->unknown;
    into->unkept += from->unkept;
    if (into->memory < from->memory)
        into->memory = from->memory;
}

void heapdata_free(struct heapdata *heap)
{
    free(heap->nodes);
    index_free(&heap->index);
    memset(heap, 0, sizeof *heap);
}
