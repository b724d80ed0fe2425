/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the sums by point and by size of sampled blocks. The second part (heapmerge)
   adds the heap of another run, and replaces the peak of a process when a later slice
   has a larger one. */

#include "mlprof/profile/heapdata.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last 1 / YOUNG_PART of the run is young. */
#define YOUNG_PART 10

uint32_t heapdata_put(struct heapdata *heap, uint32_t parent, uint32_t module,
                      uint64_t address)
{
    bool fresh;
    uint32_t number = index_put(&heap->index, parent, module, address, &fresh);
    if (fresh)
        BUF_PUSH(heap->nodes) = (struct heapdata_node){
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

/* Returns the probability that a block of SIZE bytes is sampled (mlmon.out(5)). */
static double probability(uint64_t sample, uint64_t size)
{
    return -expm1(-((double)size + 1) / (double)sample);
}

double heapdata_weight(const struct heapdata *heap, uint64_t size)
{
    return heap->sample ? 1 / probability(heap->sample, size) : 1;
}

/* Computes ESTIMATES, one for each measure, from sampled blocks. Each sampled block
   represents WEIGHT blocks. Estimates are rounded down; *CARRY passes the fraction
   that was cut off to the next call. The estimate of blocks in use is the estimate of
   all blocks minus the estimate of freed blocks. */
static void estimate(uint64_t estimates[HEAPDATA_MEASURES], const uint64_t *blocks,
                     double weight, double *carry)
{
    uint64_t all = blocks[HEAPDATA_FREED] + blocks[HEAPDATA_LIVE];
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        estimates[i] = (uint64_t)floor((double)blocks[i] * weight + *carry);
    double rounded = floor((double)all * weight + *carry);
    estimates[HEAPDATA_LIVE] = (uint64_t)rounded - estimates[HEAPDATA_FREED];
    *carry += (double)all * weight - rounded;
}

/* Adds sampled blocks to the list of sampled blocks only, not to the sums. */
static void heapdata_keep_sized(struct heapdata *heap, const struct heapdata_sized *sized)
{
    bool fresh;
    uint32_t number =
        index_put(&heap->sampled.index, sized->node, sized->size, sized->process, &fresh);
    if (!fresh) {
        for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
            heap->sampled.blocks.list[number].blocks[i] += sized->blocks[i];
        return;
    }
    struct heapdata_sized *put = &BUF_PUSH(heap->sampled.blocks);
    *put = *sized;
    put->next = HEAPDATA_NONE;
    if (sized->process == HEAPDATA_NONE)
        return;
    put->next = heap->slices.processes.list[sized->process].samples;
    heap->slices.processes.list[sized->process].samples = number;
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
           heapdata_add(heap->nodes.list[sized->node].amounts, amounts);
}

void heapdata_add_error(struct statistics_error errors[2], uint64_t sample, uint64_t size,
                        uint64_t count)
{
    double p = probability(sample, size);
    statistics_error_add(&errors[0], 1, p, (double)count);
    statistics_error_add(&errors[1], (double)size, p, (double)count);
}

struct statistics_interval heapdata_interval(const struct heapdata_amount *amount,
                                             uint64_t allocated,
                                             const struct statistics_error *error,
                                             uint64_t sample,
                                             enum heapdata_measure measure, bool blocks)
{
    double estimate = (double)(blocks ? amount->blocks : amount->bytes);
    double step = blocks ? 0 : (double)sample;
    if (measure != HEAPDATA_PEAK)
        return statistics_estimate(estimate, error, step);
    double times = (double)allocated / fmax((double)amount->bytes, 1);
    return statistics_greatest(estimate, error, step, times);
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

static void heapdata_free_times(struct heaptimes *times)
{
    free(times->cells.list);
    memset(times, 0, sizeof *times);
}

void heapdata_free(struct heapdata *heap)
{
    free(heap->nodes.list);
    free(heap->sampled.blocks.list);
    heapdata_free_times(&heap->times);
    free(heap->slices.processes.list);
    free(heap->slices.parts.list);
    index_free(&heap->index);
    index_free(&heap->slices.part_index);
    index_free(&heap->sampled.index);
    memset(heap, 0, sizeof *heap);
}

bool heapmerge_fit(const struct heapdata *into, const struct heapdata *from)
{
    struct heapdata sums = *into;
    return heapdata_add(sums.sums, from->sums) &&
           from->unknown <= HEAPDATA_MOST - into->unknown &&
           from->unkept <= HEAPDATA_MOST - into->unkept &&
           from->unseen.blocks <= HEAPDATA_MOST - into->unseen.blocks &&
           from->unseen.bytes <= HEAPDATA_MOST - into->unseen.bytes;
}

/* The measures of struct heapdata_part. */
static const enum heapdata_measure in_use[2] = {HEAPDATA_LIVE, HEAPDATA_PEAK};

/* Adds PROCESS, with empty lists. Returns its number. */
static uint32_t put_process(struct heapdata *heap, const struct heapdata_process *process)
{
    struct heapdata_process *put = &BUF_PUSH(heap->slices.processes);
    *put = *process;
    put->parts = put->samples = HEAPDATA_NONE;
    return (uint32_t)heap->slices.processes.count - 1;
}

/* Returns the amounts of NODE that belong to the process NUMBER; adds them if they are
   missing. */
static struct heapdata_part *process_part(struct heapdata *heap, uint32_t number,
                                          uint32_t node)
{
    bool fresh;
    uint32_t part = index_put(&heap->slices.part_index, number, node, 0, &fresh);
    if (fresh) {
        BUF_PUSH(heap->slices.parts) = (struct heapdata_part){
            .node = node, .next = heap->slices.processes.list[number].parts};
        heap->slices.processes.list[number].parts = part;
    }
    return &heap->slices.parts.list[part];
}

void heapmerge_begin_slice(struct heapdata *heap, uint64_t number, uint64_t pid,
                           uint64_t time)
{
    put_process(heap, &(struct heapdata_process){
                          .pid = pid, .time = time, .last = number, .most = number});
}

void heapmerge_end_slice(struct heapdata *heap)
{
    heap->slices.processes.list->peak = heap->sums[HEAPDATA_PEAK].bytes;
    heap->slices.processes.list->peak_time = heap->peak_time;
    heap->slices.processes.list->ended = heap->ended;
    for (uint32_t i = 0; i < heap->nodes.count; i++) {
        struct heapdata_part *part = process_part(heap, 0, i);
        for (size_t k = 0; k < 2; k++)
            part->in_use[k] = heap->nodes.list[i].amounts[in_use[k]];
    }
}

/* A process of the heap that is added: its number in the sum, and whether its memory
   in use at the end and at the peak replaces the present one. */
struct choice {
    uint32_t process;
    bool replaces[2];
};

/* Subtracts AMOUNT, which may be a part of the sums, from the sums and from the node. */
static void subtract(struct heapdata *heap, uint32_t node, enum heapdata_measure measure,
                     const struct heapdata_amount *amount)
{
    heap->sums[measure].blocks -= amount->blocks;
    heap->sums[measure].bytes -= amount->bytes;
    heap->nodes.list[node].amounts[measure].blocks -= amount->blocks;
    heap->nodes.list[node].amounts[measure].bytes -= amount->bytes;
}

/* Subtracts the amounts of the process that a newer slice replaces. */
static void subtract_replaced(struct heapdata *heap, const struct choice *choice)
{
    const struct heapdata_process *process =
        &heap->slices.processes.list[choice->process];
    for (uint32_t i = process->parts; i != HEAPDATA_NONE;
         i = heap->slices.parts.list[i].next) {
        struct heapdata_part *part = &heap->slices.parts.list[i];
        for (size_t k = 0; k < 2; k++)
            if (choice->replaces[k]) {
                subtract(heap, part->node, in_use[k], &part->in_use[k]);
                part->in_use[k] = (struct heapdata_amount){0, 0};
            }
    }
    for (uint32_t i = process->samples; i != HEAPDATA_NONE;
         i = heap->sampled.blocks.list[i].next)
        for (size_t k = 0; k < 2; k++)
            if (choice->replaces[k])
                heap->sampled.blocks.list[i].blocks[in_use[k]] = 0;
}

/* Decides which amounts of PROCESS replace the amounts in the sum. If two slices have
   the same peak, the earlier slice is used. */
static struct choice choose_amounts(struct heapdata *into,
                                    const struct heapdata_process *process)
{
    uint32_t number = 0;
    while (number < into->slices.processes.count &&
           (into->slices.processes.list[number].pid != process->pid ||
            into->slices.processes.list[number].time != process->time))
        number++;
    if (number == into->slices.processes.count)
        return (struct choice){put_process(into, process), {true, true}};
    struct heapdata_process *known = &into->slices.processes.list[number];
    bool live = process->last > known->last;
    bool peak = process->peak != known->peak ? process->peak > known->peak
                                             : process->most < known->most;
    struct choice choice = {number, {live, peak}};
    subtract_replaced(into, &choice);
    if (live) {
        known->last = process->last;
        known->ended = process->ended;
    }
    if (peak) {
        known->most = process->most;
        known->peak = process->peak;
        known->peak_time = process->peak_time;
    }
    return choice;
}

static void add_sized(struct heapdata *into, const struct heapdata_sized *from,
                      const struct choice *choices, const uint32_t *numbers)
{
    struct heapdata_sized sized = *from;
    sized.node = numbers[from->node];
    if (from->process != HEAPDATA_NONE) {
        const struct choice *choice = &choices[from->process];
        sized.process = choice->process;
        for (size_t k = 0; k < 2; k++)
            if (!choice->replaces[k])
                sized.blocks[in_use[k]] = 0;
    }
    heapdata_keep_sized(into, &sized);
}

/* Records the amounts of each process of FROM that replace the present ones. Amounts
   that do not replace them were added by add_nodes and are subtracted from the sums.
   All points must already be in INTO. */
static void add_slices(struct heapdata *into, const struct heapdata *from,
                       const struct choice *choices, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < from->slices.processes.count; i++)
        for (uint32_t number = from->slices.processes.list[i].parts;
             number != HEAPDATA_NONE; number = from->slices.parts.list[number].next) {
            const struct heapdata_part *part = &from->slices.parts.list[number];
            uint32_t node = numbers[part->node];
            struct heapdata_part *known = process_part(into, choices[i].process, node);
            for (size_t k = 0; k < 2; k++)
                if (choices[i].replaces[k])
                    known->in_use[k] = part->in_use[k];
                else
                    subtract(into, node, in_use[k], &part->in_use[k]);
        }
}

struct heapmerge_place heapmerge_place(const struct heapmerge_numbers *new_numbers,
                                       uint32_t module, uint64_t address)
{
    switch (module) {
    case PROFILE_NO_MODULE:
    case PROFILE_PARALLELISM:
        return (struct heapmerge_place){module, address};
    case PROFILE_LABEL:
        return (struct heapmerge_place){module, new_numbers->labels[address]};
    case PROFILE_THREAD:
        return (struct heapmerge_place){module, new_numbers->threads[address]};
    case PROFILE_PROCESS:
        return (struct heapmerge_place){module, new_numbers->processes[address]};
    default:
        return (struct heapmerge_place){new_numbers->modules[module], address};
    }
}

/* Adds all points and the sums. Sets NUMBERS[point] to the point's number in INTO. */
static void add_nodes(struct heapdata *into, const struct heapdata *from,
                      const struct heapmerge_numbers *new_numbers, uint32_t *numbers)
{
    for (size_t i = 0; i < from->nodes.count; i++) {
        const struct heapdata_node *node = &from->nodes.list[i];
        uint32_t parent = node->parent;
        struct heapmerge_place place =
            heapmerge_place(new_numbers, node->module, node->address);
        numbers[i] =
            heapdata_put(into, parent == PROFILE_NO_NODE ? parent : numbers[parent],
                         place.module, place.address);
        heapdata_add(into->nodes.list[numbers[i]].amounts, node->amounts);
    }
    heapdata_add(into->sums, from->sums);
}

/* Copies the times if FROM is the first run. The times of several runs have no common
   axis, so they are discarded. NUMBERS has the number in INTO of each node of FROM. */
static void add_times(struct heapdata *into, const struct heapdata *from,
                      const uint32_t *numbers)
{
    heapdata_free_times(&into->times);
    if (into->measured)
        return;
    into->times = from->times;
    into->times.cells.list = NULL;
    into->times.cells.capacity = 0;
    for (size_t i = 0; i < from->times.cells.count; i++) {
        BUF_AT(into->times.cells.list, i, into->times.cells.capacity) =
            from->times.cells.list[i];
        into->times.cells.list[i].node = numbers[from->times.cells.list[i].node];
    }
}

void heapmerge(struct heapdata *into, const struct heapdata *from,
               const struct heapmerge_numbers *new_numbers)
{
    if (!from->measured)
        return;
    uint32_t *numbers = buf_alloc((from->nodes.count + 1) * sizeof *numbers);
    struct choice *choices =
        buf_alloc((from->slices.processes.count + 1) * sizeof *choices);
    for (size_t i = 0; i < from->slices.processes.count; i++)
        choices[i] = choose_amounts(into, &from->slices.processes.list[i]);
    add_nodes(into, from, new_numbers, numbers);
    for (size_t i = 0; i < from->sampled.blocks.count; i++)
        add_sized(into, &from->sampled.blocks.list[i], choices, numbers);
    add_slices(into, from, choices, numbers);
    add_times(into, from, numbers);
    free(choices);
    free(numbers);
    into->sample = from->sample;
    /* The time of the peak is known if there is only one run. One run may consist of
       several slices. */
    bool sliced =
        !into->undivided && !from->undivided && into->slices.processes.count == 1;
    into->peak_time = !into->measured ? from->peak_time
                      : sliced        ? into->slices.processes.list->peak_time
                                      : 0;
    into->lives = from->lives && (!into->measured || into->lives);
    into->reach = from->reach && (!into->measured || into->reach);
    into->undivided |= from->undivided;
    into->running |= from->running;
    into->ended = !into->running;
    for (size_t i = 0; i < into->slices.processes.count; i++)
        into->ended &= into->slices.processes.list[i].ended;
    into->measured = true;
    into->unknown += from->unknown;
    into->unkept += from->unkept;
    into->unseen.blocks += from->unseen.blocks;
    into->unseen.bytes += from->unseen.bytes;
    if (into->memory < from->memory)
        into->memory = from->memory;
}
