/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/heapranges.h"

#include <math.h>
#include <string.h>

/* Amounts that need not be whole.  */
struct weighed {
    double blocks, bytes;
};

static struct heapdata_amount rounded(const struct weighed *weighed)
{
    return (struct heapdata_amount){(uint64_t)round(weighed->blocks),
                                    (uint64_t)round(weighed->bytes)};
}

void heapranges_add_up(struct heapranges_sum *sums, const struct heapdata *heap)
{
    const struct heaptimes *times = &heap->times;
    struct weighed made[CCPROF_SPANS] = {{0, 0}}, left[CCPROF_SPANS] = {{0, 0}};
    for (size_t i = 0; i < times->cell_count; i++) {
        const struct heaptimes_cell *cell = &times->cells[i];
        double weight = heapdata_weight(heap, cell->size);
        struct weighed *to[] = {&made[cell->born], &left[cell->born]};
        for (size_t k = 0; k < (cell->freed == HEAPTIMES_ALIVE ? 2 : 1); k++) {
            to[k]->blocks += (double)cell->blocks * weight;
            to[k]->bytes += (double)cell->bytes * weight;
        }
    }
    for (size_t i = 0; i < CCPROF_SPANS; i++)
        sums[i] = (struct heapranges_sum){rounded(&made[i]), rounded(&left[i])};
}
