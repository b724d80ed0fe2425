/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flowrows.h"

void flowrows_find(struct flowcounts *counts, struct rows *rows)
{
    size_t known = rows->stacks.source_count;
    for (size_t i = 0; i < counts->count; i++) {
        struct flowcounts_flow *flow = &counts->flows[i];
        const struct unit *unit = flow->flow->unit;
        const struct unit_source *source = unit_shown(unit, flow->flow->source);
        flow->row = STACKS_NONE;
        if (!source)
            continue;
        uint32_t number =
            stacks_source(&rows->stacks, source->name, unit_file(unit, source->file),
                          unit->directory, source->line);
        if (number < known)
            flow->row = rows->of_source[number];
    }
}
