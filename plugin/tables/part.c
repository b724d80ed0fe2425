/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/part.h"
#include "plugin/tables/memory.h"

#include <assert.h>
#include <string.h>

unsigned part_copy(struct part *part, unsigned parent, unsigned source,
                   unsigned call_file, unsigned call_line, unsigned call_column)
{
    struct part_copy key;

    assert(parent <= part->copies.count);
    memset(&key, 0, sizeof key);
    key.parent = parent;
    key.source = source;
    key.call_file = call_file;
    key.call_line = call_line;
    key.call_column = call_column;
    return distinct_add(&part->copies, &key, sizeof key);
}

unsigned part_point(struct part *part, unsigned copy,
                    const struct part_position *position)
{
    struct part_point key;

    assert(copy <= part->copies.count);
    memset(&key, 0, sizeof key);
    key.copy = copy;
    key.position = *position;
    return distinct_add(&part->points, &key, sizeof key);
}

void part_enter(struct part *part, unsigned label, unsigned point)
{
    assert(point <= part->points.count);
    part->entries = memory_reserve(part->entries, &part->room, part->count + 1,
                                   sizeof *part->entries);
    part->entries[part->count++] = (struct part_entry){label, point};
}

void part_clear(struct part *part)
{
    distinct_clear(&part->copies);
    distinct_clear(&part->points);
    part->count = 0;
    part->source = part->start_label = part->end_label = 0;
}

void part_free(struct part *part)
{
    distinct_free(&part->copies);
    distinct_free(&part->points);
    memory_free(part->entries);
    memset(part, 0, sizeof *part);
}
