/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/machine_table.h"

void machine_table_encode_edges(unsigned vertices, const struct machine_edge *edges,
                                size_t count, const struct encode_sink *sink)
{
    leb_unsigned(sink->byte, sink->data, vertices);
    leb_unsigned(sink->byte, sink->data, count);
    for (size_t i = 0; i < count; i++) {
        leb_unsigned(sink->byte, sink->data, edges[i].from);
        leb_unsigned(sink->byte, sink->data, edges[i].to);
        leb_unsigned(sink->byte, sink->data, edges[i].counter);
    }
}

void machine_table_encode_segments(const struct machine_segment *segments, size_t count,
                                   const struct encode_sink *sink)
{
    leb_unsigned(sink->byte, sink->data, count);
    for (size_t i = 0; i < count; i++) {
        const struct machine_segment *segment = &segments[i];
        bool falls = segment->falls != MACHINE_NO_EDGE;
        unsigned before = i ? segments[i - 1].end : segment->start;

        sink->distance(sink->data, before, segment->start, 0);
        sink->distance(sink->data, segment->start, segment->end, 0);
        leb_unsigned(sink->byte, sink->data,
                     segment->edge << CCPROF_MACHINE_SHIFT |
                         (falls ? CCPROF_MACHINE_FALLS : 0) |
                         (segment->own ? CCPROF_MACHINE_OWN : 0));
        if (falls)
            leb_unsigned(sink->byte, sink->data, segment->falls);
    }
}
