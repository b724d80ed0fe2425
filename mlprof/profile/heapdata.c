/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/heapdata.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/profile.h"

#include <math.h>
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

/* The probability that a block of SIZE bytes is sampled (mlmon.out(5)).  */
static double probability(uint64_t sample, uint64_t size)
{
    return -expm1(-((double)size + 1) / (double)sample);
}

double heapdata_weight(const struct heapdata *heap, uint64_t size)
{
    return heap->sample ? 1 / probability(heap->sample, size) : 1;
}

/* Sets ESTIMATES, by measure, to those of blocks, each of which stands for WEIGHT,
   rounded down with *CARRY.  What is left of those that are GONE or alive is alive.  */
static void estimate(uint64_t estimates[HEAPDATA_MEASURES], const uint64_t *blocks,
                     double weight, double *carry)
{
    uint64_t all = blocks[HEAPDATA_FREED] + blocks[HEAPDATA_LIVE];
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        estimates[i] = (uint64_t)floor((double)blocks[i] * weight + *carry);
    double whole = floor((double)all * weight + *carry);
    estimates[HEAPDATA_LIVE] = (uint64_t)whole - estimates[HEAPDATA_FREED];
    *carry += (double)all * weight - whole;
}

bool heapdata_put_sized(struct heapdata *heap, const struct heapdata_sized *sized,
                        double carry[2])
{
    double p = probability(heap->sample, sized->size), size = (double)sized->size;
    uint64_t blocks[HEAPDATA_MEASURES], bytes[HEAPDATA_MEASURES];
    struct heapdata_amount amounts[HEAPDATA_MEASURES];
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        if ((double)sized->blocks[i] * fmax(size, 1) / p > (double)HEAPDATA_MOST)
            return false;
    estimate(blocks, sized->blocks, 1 / p, &carry[0]);
    estimate(bytes, sized->blocks, size / p, &carry[1]);
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        amounts[i] = (struct heapdata_amount){blocks[i], bytes[i]};
    heap->sized = buf_grow(heap->sized, &heap->sized_capacity, heap->sized_count + 1,
                           sizeof *heap->sized);
    heap->sized[heap->sized_count++] = *sized;
    return heapdata_add(heap->sums, amounts) &&
           heapdata_add(heap->nodes[sized->node].of, amounts);
}

void heapdata_doubt(struct statistics_doubt doubts[2], uint64_t sample, uint64_t size,
                    uint64_t count)
{
    double p = probability(sample, size);
    statistics_doubt_add(&doubts[0], 1, p, (double)count);
    statistics_doubt_add(&doubts[1], (double)size, p, (double)count);
}

struct statistics_interval heapdata_interval(const struct heapdata_amount *amounts,
                                             const struct statistics_doubt *doubt,
                                             uint64_t sample,
                                             enum heapdata_measure measure, bool bytes)
{
    const struct heapdata_amount *amount = &amounts[measure];
    double estimate = (double)(bytes ? amount->bytes : amount->blocks);
    double step = bytes ? (double)sample : 0;
    if (measure != HEAPDATA_PEAK)
        return statistics_estimate(estimate, doubt, step);
    double times = (double)amounts[HEAPDATA_TOTAL].bytes / fmax((double)amount->bytes, 1);
    return statistics_greatest(estimate, doubt, step, times);
}

char *heapdata_manner(const struct heapdata *heap)
{
    return heap->sample
               ? buf_format("by a sample in %llu bytes", (unsigned long long)heap->sample)
               : buf_copy("block by block");
}

bool heapdata_fit(const struct heapdata *into, const struct heapdata *from)
{
    struct heapdata sums = *into;
    return heapdata_add(sums.sums, from->sums) && add(&sums.unknown, from->unknown) &&
           add(&sums.unkept, from->unkept);
}

/* Takes over the times of the first run; those of several are not of one axis.  NUMBERS
   has, by node of FROM, the number in INTO.  */
static void merge_times(struct heapdata *into, const struct heapdata *from,
                        const uint32_t *numbers)
{
    heaptimes_free(&into->times);
    if (into->measured)
        return;
    into->times = from->times;
    into->times.cells = NULL;
    into->times.cell_count = into->times.cell_capacity = 0;
    for (size_t i = 0; i < from->times.cell_count; i++) {
        struct heaptimes_cell cell = from->times.cells[i];
        cell.node = numbers[cell.node];
        heaptimes_add(&into->times, &cell);
    }
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
    for (size_t i = 0; i < from->sized_count; i++) {
        into->sized = buf_grow(into->sized, &into->sized_capacity, into->sized_count + 1,
                               sizeof *into->sized);
        into->sized[into->sized_count] = from->sized[i];
        into->sized[into->sized_count++].node = numbers[from->sized[i].node];
    }
    merge_times(into, from, numbers);
    free(numbers);
    heapdata_add(into->sums, from->sums);
    into->sample = from->sample;
    into->peak_time = into->measured ? 0 : from->peak_time;
    into->lives = from->lives && (!into->measured || into->lives);
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
    free(heap->sized);
    heaptimes_free(&heap->times);
    index_free(&heap->index);
    memset(heap, 0, sizeof *heap);
}
