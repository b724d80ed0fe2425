/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/heapdata.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which part of the run is young.  */
#define YOUNG_PART 10

uint32_t heapdata_put(struct heapdata *heap, uint32_t parent, uint32_t module,
                      uint64_t address)
{
    bool fresh;
    uint32_t number = index_put(&heap->index, parent, module, address, &fresh);
    if (fresh)
        BUF_NEXT(heap->nodes, heap->node_count, heap->node_capacity) =
            (struct heapdata_node){
                .parent = parent, .module = module, .address = address};
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

void heapdata_keep_sized(struct heapdata *heap, const struct heapdata_sized *sized)
{
    bool fresh;
    uint32_t number =
        index_put(&heap->sized_index, sized->node, sized->size, sized->process, &fresh);
    if (!fresh) {
        for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
            heap->sized[number].blocks[i] += sized->blocks[i];
        return;
    }
    struct heapdata_sized *put =
        &BUF_NEXT(heap->sized, heap->sized_count, heap->sized_capacity);
    *put = *sized;
    put->next = HEAPDATA_NONE;
    if (sized->process == HEAPDATA_NONE)
        return;
    put->next = heap->processes[sized->process].samples;
    heap->processes[sized->process].samples = number;
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
    heapdata_keep_sized(heap, sized);
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

uint32_t heaptimes_young(const struct heaptimes *times)
{
    bool known = times->cells_known && times->count >= YOUNG_PART;
    return known ? times->count - times->count / YOUNG_PART : HEAPTIMES_ALIVE;
}

char *heapdata_manner(const struct heapdata *heap)
{
    return heap->sample
               ? buf_format("by a sample in %llu bytes", (unsigned long long)heap->sample)
               : buf_copy("block by block");
}

void heapdata_free_times(struct heaptimes *times)
{
    free(times->cells);
    memset(times, 0, sizeof *times);
}

void heapdata_free(struct heapdata *heap)
{
    free(heap->nodes);
    free(heap->sized);
    heapdata_free_times(&heap->times);
    free(heap->processes);
    free(heap->parts);
    index_free(&heap->index);
    index_free(&heap->part_index);
    index_free(&heap->sized_index);
    memset(heap, 0, sizeof *heap);
}
