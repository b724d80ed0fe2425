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
        if (function->has_calls)
            edge.instructions = reader_uleb(reader);
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

BUF_COMPARE(by_address, struct machinetables_call, BUF_ORDER(a->back, b->back))

/* Reads the calls of the part that begins at START. PAIRS is the address of pair 0. */
static void read_calls(struct machinetables *tables,
                       struct machinetables_function *function, struct reader *reader,
                       uint64_t pairs, uint64_t start)
{
    uint64_t back = start;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        uint64_t before = back;
        back += reader_uleb(reader);
        if (back < before)
            reader_fail(reader, "a call after the last address");
        uint64_t number = reader_uleb_to(reader, UINT32_MAX, "no such pair");
        if (!reader->wrong && (!pairs || number < CCPROF_CALLS_FIRST))
            reader_fail(reader, "a call without a pair");
        if (!reader->wrong)
            BUF_PUSH(tables->calls) = (struct machinetables_call){
                .back = back, .pair = pairs + sizeof(struct ccprof_pair) * number};
    }
    function->calls = tables->calls.count - function->first_call;
}

static void read_function(void *data, unsigned version, struct reader *reader)
{
    struct machinetables *tables = data;
    struct machinetables_function function = {.first_edge = tables->edges.count,
                                              .first_segment = tables->segments.count,
                                              .first_call = tables->calls.count,
                                              .has_calls =
                                                  version >= CCPROF_TABLES_CALLS};
    uint64_t starts[PARTS_MOST], pairs = 0;
    unsigned parts = reader_u8(reader);
    if (!reader->wrong && (parts == 0 || parts > PARTS_MOST))
        reader_fail(reader, "no function has so many parts");
    uint64_t counters = reader_u64(reader);
    if (function.has_calls)
        pairs = reader_u64(reader);
    function.pair = pairs;
    for (unsigned i = 0; i < parts && !reader->wrong; i++)
        starts[i] = reader_u64(reader);
    if (reader->wrong)
        return;
    read_edges(tables, &function, reader, counters);
    for (unsigned i = 0; i < parts && !reader->wrong; i++)
        read_segments(tables, &function, reader, starts[i]);
    for (unsigned i = 0; i < parts && !reader->wrong && function.has_calls; i++)
        read_calls(tables, &function, reader, pairs, starts[i]);
    if (!reader->wrong && function.calls)
        BUF_SORT(&tables->calls.list[function.first_call], function.calls, by_address);
    if (!reader->wrong)
        BUF_NEXT(tables->functions, tables->count, tables->capacity) = function;
}

bool machinetables_read(struct machinetables *tables, const struct elffile *file,
                        struct fault *fault)
{
    return contributions_read(file, CCPROF_SECTION_MACHINE, CCPROF_TABLES_CALLS,
                              read_function, tables, fault);
}

void machinetables_free(struct machinetables *tables)
{
    free(tables->functions);
    free(tables->edges.list);
    free(tables->segments.list);
    free(tables->calls.list);
    *tables = (struct machinetables){0};
}
