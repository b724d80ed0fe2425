/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the edges between pieces of machine code, and the piece that contains each
   instruction. */

#include "mlprof/tables/machinetables.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <stdlib.h>

#define PARTS_MOST 2

static uint32_t read_vertex(struct reader *reader, uint32_t vertices)
{
    return (uint32_t)reader_uleb_to(reader, vertices - 1, "no vertex has this number");
}

static void read_edges(struct machinetables *tables,
                       struct machinetables_function *function, struct reader *reader,
                       uint64_t counters)
{
    function->vertices =
        (uint32_t)reader_uleb_to(reader, UINT32_MAX - 1, "too many vertices");
    if (!reader->wrong && function->vertices == 0)
        reader_fail(reader, "no vertices");
    uint64_t left = reader_uleb_to(reader, UINT32_MAX - 1, "too many edges");
    for (; left > 0 && !reader->wrong; left--) {
        struct machinetables_edge edge = {.from =
                                              read_vertex(reader, function->vertices)};
        edge.to = read_vertex(reader, function->vertices);
        uint64_t counter = reader_uleb_to(reader, UINT32_MAX, "no such counter");
        edge.counter = counter ? counters + 8 * (counter - 1) : 0;
        BUF_PUSH(tables->edges) = edge;
    }
    function->edges = tables->edges.count - function->first_edge;
    if (!reader->wrong && function->vertices > 2 * function->edges + 1)
        reader_fail(reader, "vertices without edges");
}

static uint32_t read_edge_number(struct reader *reader,
                                 const struct machinetables_function *function,
                                 uint64_t number)
{
    if (!reader->wrong && number >= function->edges)
        reader_fail(reader, "no edge has this number");
    return (uint32_t)number;
}

/* Reads the segments of the part of the function that begins at START. */
static void read_segments(struct machinetables *tables,
                          struct machinetables_function *function, struct reader *reader,
                          uint64_t start)
{
    uint64_t address = start;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        struct machinetables_segment segment = {.gap = address,
                                                .falls = MACHINETABLES_NONE};
        segment.start = address + reader_uleb(reader);
        segment.end = segment.start + reader_uleb(reader);
        if (segment.start < address || segment.end < segment.start)
            reader_fail(reader, "the code ends after the last address");
        address = segment.end;
        uint64_t word = reader_uleb(reader);
        segment.counter = word & CCPROF_MACHINE_OWN;
        segment.edge = read_edge_number(reader, function, word >> CCPROF_MACHINE_SHIFT);
        if (word & CCPROF_MACHINE_FALLS)
            segment.falls = read_edge_number(reader, function, reader_uleb(reader));
        if (!reader->wrong)
            BUF_PUSH(tables->segments) = segment;
    }
    function->segments = tables->segments.count - function->first_segment;
}

static void read_function(void *data, unsigned version, struct reader *reader)
{
    struct machinetables *tables = data;
    struct machinetables_function function = {.first_edge = tables->edges.count,
                                              .first_segment = tables->segments.count};
    uint64_t starts[PARTS_MOST];
    (void)version;
    unsigned parts = reader_u8(reader);
    if (!reader->wrong && (parts == 0 || parts > PARTS_MOST))
        reader_fail(reader, "no function has so many parts");
    uint64_t counters = reader_u64(reader);
    for (unsigned i = 0; i < parts && !reader->wrong; i++)
        starts[i] = reader_u64(reader);
    if (reader->wrong)
        return;
    read_edges(tables, &function, reader, counters);
    for (unsigned i = 0; i < parts && !reader->wrong; i++)
        read_segments(tables, &function, reader, starts[i]);
    if (!reader->wrong)
        BUF_NEXT(tables->functions, tables->count, tables->capacity) = function;
}

bool machinetables_read(struct machinetables *tables, const struct elffile *file,
                        struct fault *fault)
{
    return contributions_read(file, CCPROF_SECTION_MACHINE, CCPROF_TABLES_VERSION,
                              read_function, tables, fault);
}

void machinetables_free(struct machinetables *tables)
{
    free(tables->functions);
    free(tables->edges.list);
    free(tables->segments.list);
    *tables = (struct machinetables){0};
}
