/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts the heap of an earlier profile of a process: what was allocated and freed.
   Memory in use, at the end and at the peak, stays that of the later profile. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile-subtract-inside.h"

#include <stdlib.h>

/* Returns whether the amounts of a measure are of a period, not of a moment. */
static bool is_subtracted(size_t measure)
{
    return measure == HEAPDATA_TOTAL || measure == HEAPDATA_FREED ||
           (measure >= HEAPDATA_TEMPORARY && measure < HEAPDATA_YOUNG);
}

static bool subtract_amount(struct heapdata_amount *from,
                            const struct heapdata_amount *amount)
{
    return subtract_number(&from->blocks, amount->blocks) &&
           subtract_number(&from->bytes, amount->bytes);
}

static bool has_amounts(const struct heapdata_amount *amounts)
{
    uint64_t any = 0;
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        any |= amounts[i].blocks | amounts[i].bytes;
    return any != 0;
}

/* Subtracts the points of the earlier heap from LATER. Sets NUMBERS to their numbers in
   LATER. If blocks were sampled, the amounts are estimates, and are computed again. */
static bool subtract_points(const struct subtract_match *match, struct heapdata *later,
                            uint32_t *numbers)
{
    const struct heapdata *earlier = &match->earlier->heap;
    struct heapmerge_place place;
    for (size_t i = 0; i < earlier->nodes.count; i++) {
        const struct heapdata_node *node = &earlier->nodes.list[i];
        uint32_t parent =
            node->parent == PROFILE_NO_NODE ? PROFILE_NO_NODE : numbers[node->parent];
        numbers[i] = SUBTRACT_ABSENT;
        for (size_t n = 0; parent != SUBTRACT_ABSENT && numbers[i] == SUBTRACT_ABSENT &&
                           subtract_place(match, node->module, node->address, n, &place);
             n++)
            if (!index_get(&later->index, parent, place.module, place.address,
                           &numbers[i]))
                numbers[i] = SUBTRACT_ABSENT;
        for (size_t k = 0; !later->sample && k < HEAPDATA_MEASURES; k++)
            if (!is_subtracted(k))
                continue;
            else if (numbers[i] == SUBTRACT_ABSENT
                         ? (node->amounts[k].blocks | node->amounts[k].bytes) != 0
                         : !subtract_amount(&later->nodes.list[numbers[i]].amounts[k],
                                            &node->amounts[k]))
                return false;
    }
    return true;
}

/* Subtracts the sampled blocks. NUMBERS is as in subtract_points. */
static bool subtract_sampled(struct heapdata *later, const struct heapdata *earlier,
                             const uint32_t *numbers)
{
    uint32_t process = later->slices.processes.count ? 0 : HEAPDATA_NONE, number;
    for (size_t i = 0; i < earlier->sampled.blocks.count; i++) {
        const struct heapdata_sized *sized = &earlier->sampled.blocks.list[i];
        bool found = index_get(&later->sampled.index, numbers[sized->node], sized->size,
                               process, &number);
        for (size_t k = 0; k < HEAPDATA_MEASURES; k++)
            if (is_subtracted(k) && sized->blocks[k] &&
                (!found || !subtract_number(&later->sampled.blocks.list[number].blocks[k],
                                            sized->blocks[k])))
                return false;
    }
    return true;
}

static bool has_blocks(const struct heapdata_sized *sized)
{
    uint64_t any = 0;
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        any |= sized->blocks[i];
    return any != 0;
}

/* Adds the sampled blocks of FROM to INTO, and their estimates. NUMBERS has the numbers
   in INTO of the points of FROM. */
static void copy_sampled(struct heapdata *into, const struct heapdata *from,
                         const uint32_t *numbers)
{
    double carry[2] = {0};
    for (size_t i = 0; i < from->sampled.blocks.count; i++) {
        struct heapdata_sized sized = from->sampled.blocks.list[i];
        if (!has_blocks(&sized))
            continue;
        sized.node = numbers[sized.node];
        heapdata_put_sized(into, &sized, carry);
    }
}

/* Fills INTO, which has no points, with the points of FROM that have amounts, and the
   points above them. */
static void copy_points(struct heapdata *into, const struct heapdata *from)
{
    BUF_OWN bool *needed = buf_alloc(from->nodes.count + 1);
    BUF_OWN uint32_t *numbers = buf_alloc((from->nodes.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < from->sampled.blocks.count; i++)
        if (has_blocks(&from->sampled.blocks.list[i]))
            needed[from->sampled.blocks.list[i].node] = true;
    for (size_t i = from->nodes.count; i-- > 0;) {
        const struct heapdata_node *node = &from->nodes.list[i];
        needed[i] |= !from->sample && has_amounts(node->amounts);
        if (needed[i] && node->parent != PROFILE_NO_NODE)
            needed[node->parent] = true;
    }
    for (size_t i = 0; i < from->nodes.count; i++) {
        const struct heapdata_node *node = &from->nodes.list[i];
        if (!needed[i])
            continue;
        uint32_t parent =
            node->parent == PROFILE_NO_NODE ? PROFILE_NO_NODE : numbers[node->parent];
        numbers[i] = heapdata_put(into, parent, node->module, node->address);
        if (from->sample)
            continue;
        heapdata_add(into->nodes.list[numbers[i]].amounts, node->amounts);
        heapdata_add(into->sums, node->amounts);
    }
    copy_sampled(into, from, numbers);
}

/* Returns FROM without its points, times and sums. */
static struct heapdata copy_head(const struct heapdata *from)
{
    struct heapdata head = {.measured = true,
                            .ended = from->ended,
                            .running = from->running,
                            .undivided = from->undivided,
                            .lives = from->lives,
                            .reach = from->reach,
                            .sample = from->sample,
                            .peak_time = from->peak_time,
                            .unknown = from->unknown,
                            .unkept = from->unkept,
                            .unseen = from->unseen,
                            .memory = from->memory};
    if (from->slices.processes.count) {
        const struct heapdata_process *process = &from->slices.processes.list[0];
        heapmerge_begin_slice(&head, process->last, process->pid, process->time);
    }
    return head;
}

bool subtract_heap(const struct subtract_match *match)
{
    struct heapdata *later = &match->later->heap, joined = {0};
    const struct heapdata *earlier = &match->earlier->heap;
    const struct heapmerge_numbers own = {match->own_modules, match->own_labels,
                                          match->own_threads, NULL};
    BUF_OWN uint32_t *numbers = buf_alloc((earlier->nodes.count + 1) * sizeof *numbers);
    if (!later->measured)
        return true;
    heapmerge(&joined, later, &own);
    bool good = subtract_number(&joined.unknown, earlier->unknown) &&
                subtract_number(&joined.unkept, earlier->unkept) &&
                subtract_amount(&joined.unseen, &earlier->unseen) &&
                subtract_points(match, &joined, numbers) &&
                subtract_sampled(&joined, earlier, numbers);
    if (good) {
        heapdata_free(later);
        *later = copy_head(&joined);
        copy_points(later, &joined);
        if (later->slices.processes.count)
            heapmerge_end_slice(later);
    }
    heapdata_free(&joined);
    return good;
}
