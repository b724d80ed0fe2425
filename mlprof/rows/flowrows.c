/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/flowrows.h"

uint32_t flowrows_row(struct rows *rows, const struct unit *unit,
                      const struct unit_source *source)
{
    uint32_t number = stacks_unit_source(&rows->stacks, unit, source);
    return number < rows->source_count ? rows->of_source[number] : STACKS_NONE;
}

void flowrows_find(struct flowcounts *counts, struct rows *rows)
{
    for (size_t i = 0; i < counts->count; i++) {
        struct flowcounts_flow *flow = &counts->flows[i];
        const struct unit *unit = flow->flow->unit;
        const struct unit_source *source = unit_shown(unit, flow->flow->source);
        flow->row = source ? flowrows_row(rows, unit, source) : STACKS_NONE;
    }
}
