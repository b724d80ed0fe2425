/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the blocks and edges of a flow graph, and encodes the graph. */

#include "plugin/tables/graph.h"
#include "plugin/tables/encode.h"
#include "plugin/tables/memory.h"

#include <assert.h>
#include <string.h>

void graph_alias(struct graph *graph, unsigned symbol)
{
    graph->aliases = memory_reserve(graph->aliases, &graph->alias_room,
                                    graph->alias_count + 1, sizeof *graph->aliases);
    graph->aliases[graph->alias_count++] = symbol;
}

void graph_block(struct graph *graph)
{
    graph->blocks = memory_reserve(graph->blocks, &graph->block_room,
                                   graph->block_count + 1, sizeof *graph->blocks);
    graph->blocks[graph->block_count++] = (struct graph_block){
        .positions = graph->position_count,
        .calls = graph->call_count,
    };
}

static struct graph_block *last_block(struct graph *graph)
{
    assert(graph->block_count);
    return &graph->blocks[graph->block_count - 1];
}

void graph_position(struct graph *graph, struct graph_position position,
                    struct graph_range range)
{
    struct graph_block *block = last_block(graph);
    if (!graph->has_ranges)
        range = (struct graph_range){0, 0, 0, 0};
    const unsigned key[] = {(unsigned)graph->block_count,
                            position.file,
                            position.line,
                            position.column,
                            range.start_line,
                            range.start_column,
                            range.end_line,
                            range.end_column};
    unsigned known = graph->seen.count;

    if (!position.file || distinct_add(&graph->seen, key, sizeof key) <= known)
        return;
    graph->positions =
        memory_reserve(graph->positions, &graph->position_room, graph->position_count + 1,
                       sizeof *graph->positions);
    graph->positions[graph->position_count++] = (struct graph_place){position, range};
    block->position_count++;
}

void graph_call(struct graph *graph, unsigned callee, struct graph_position position)
{
    graph->calls = memory_reserve(graph->calls, &graph->call_room, graph->call_count + 1,
                                  sizeof *graph->calls);
    graph->calls[graph->call_count++] = (struct graph_call){callee, position};
    last_block(graph)->call_count++;
}

void graph_branch(struct graph *graph, enum ccprof_branch branch,
                  struct graph_position position)
{
    last_block(graph)->branch = branch;
    last_block(graph)->branch_position = position;
}

size_t graph_edge(struct graph *graph, unsigned from, unsigned to, unsigned flags)
{
    graph->edges = memory_reserve(graph->edges, &graph->edge_room, graph->edge_count + 1,
                                  sizeof *graph->edges);
    graph->edges[graph->edge_count] = (struct graph_edge){
        .from = from,
        .to = to,
        .flags = flags,
        .cases = graph->case_count,
    };
    return graph->edge_count++;
}

void graph_case(struct graph *graph, enum ccprof_case kind, int64_t first, int64_t last)
{
    assert(graph->edge_count);

    struct graph_edge *edge = &graph->edges[graph->edge_count - 1];
    graph->cases = memory_reserve(graph->cases, &graph->case_room, graph->case_count + 1,
                                  sizeof *graph->cases);
    graph->cases[graph->case_count++] = (struct graph_case){kind, first, last};
    edge->flags |= CCPROF_EDGE_CASES;
    edge->case_count++;
}

void graph_clear(struct graph *graph)
{
    distinct_clear(&graph->strings);
    distinct_clear(&graph->seen);
    graph->input = graph->symbol = graph->flags = 0;
    graph->has_ranges = 0;
    graph->start = (struct graph_position){0, 0, 0};
    graph->end_line = graph->end_column = 0;
    graph->block_count = graph->position_count = graph->call_count = 0;
    graph->edge_count = graph->case_count = graph->alias_count = 0;
}

/* The bytes that are being written. */
struct writer {
    const struct graph *graph;
    unsigned char *bytes;
    size_t size, room;
    struct graph_position before;
};

static void put_byte(void *data, unsigned char byte)
{
    struct writer *writer = data;

    writer->bytes = memory_reserve(writer->bytes, &writer->room, writer->size + 1, 1);
    writer->bytes[writer->size++] = byte;
}

static void put_number(struct writer *writer, uint64_t value)
{
    leb_unsigned(put_byte, writer, value);
}

static void put_signed(struct writer *writer, int64_t value)
{
    leb_signed(put_byte, writer, value);
}

static void put_strings(struct writer *writer)
{
    const struct distinct *strings = &writer->graph->strings;

    put_number(writer, strings->count);
    for (unsigned i = 1; i <= strings->count; i++) {
        const char *text = distinct_get(strings, i);
        do
            put_byte(writer, (unsigned char)*text);
        while (*text++);
    }
}

static void put_position(struct writer *writer, const struct graph_position *position)
{
    unsigned file = position->file ? position->file : writer->before.file;

    put_number(writer, file == writer->before.file ? 0 : file);
    put_signed(writer, (int64_t)position->line - writer->before.line);
    put_number(writer, position->column);
    writer->before = (struct graph_position){file, position->line, position->column};
}

static unsigned half_of(unsigned columns)
{
    return columns < CCPROF_EXTENT_EXPLICIT ? columns : CCPROF_EXTENT_EXPLICIT;
}

static void put_half(struct writer *writer, unsigned columns)
{
    if (columns >= CCPROF_EXTENT_EXPLICIT)
        put_number(writer, columns - CCPROF_EXTENT_EXPLICIT);
}

/* Writes how far the range extends on both sides of its position. */
static void put_extent(struct writer *writer, const struct graph_place *place)
{
    const struct graph_position *position = &place->position;
    const struct graph_range *range = &place->range;
    unsigned before = position->column - range->start_column;
    unsigned after = range->end_column - position->column;

    if (!range->start_column) {
        put_byte(writer, 0);
    } else if (range->start_line == position->line && range->end_line == position->line &&
               range->start_column <= position->column &&
               position->column <= range->end_column) {
        put_byte(writer, (unsigned char)(half_of(before) << 4 | half_of(after)));
        put_half(writer, before);
        put_half(writer, after);
    } else {
        put_byte(writer, CCPROF_EXTENT_FULL);
        put_signed(writer, (int64_t)position->line - range->start_line);
        put_number(writer, range->start_column);
        put_signed(writer, (int64_t)range->end_line - position->line);
        put_number(writer, range->end_column);
    }
}

static void put_place(struct writer *writer, const struct graph_place *place)
{
    put_position(writer, &place->position);
    if (writer->graph->has_ranges)
        put_extent(writer, place);
}

static void put_function(struct writer *writer)
{
    const struct graph *graph = writer->graph;

    put_number(writer, graph->input);
    put_number(writer, graph->symbol);
    put_number(writer, graph->flags | (graph->alias_count ? CCPROF_FLOW_ALIASES : 0));
    put_number(writer, graph->start.file);
    put_number(writer, graph->start.line);
    put_number(writer, graph->start.column);
    put_number(writer, graph->end_line);
    put_number(writer, graph->end_column);
    if (graph->alias_count)
        put_number(writer, graph->alias_count);
    for (size_t i = 0; i < graph->alias_count; i++)
        put_number(writer, graph->aliases[i]);
    writer->before = graph->start;
}

static void put_block(struct writer *writer, const struct graph_block *block)
{
    const struct graph *graph = writer->graph;

    put_number(writer, block->position_count);
    for (size_t i = 0; i < block->position_count; i++)
        put_place(writer, &graph->positions[block->positions + i]);
    put_number(writer, block->call_count);
    for (size_t i = 0; i < block->call_count; i++) {
        put_number(writer, graph->calls[block->calls + i].callee);
        put_position(writer, &graph->calls[block->calls + i].position);
    }
    put_number(writer, block->branch);
    if (block->branch)
        put_position(writer, &block->branch_position);
}

static void put_edge(struct writer *writer, const struct graph_edge *edge)
{
    const struct graph_case *label = &writer->graph->cases[edge->cases];

    put_number(writer, edge->to);
    put_number(writer, edge->flags);
    if (!edge->case_count)
        return;
    put_number(writer, edge->case_count);
    for (size_t i = 0; i < edge->case_count; i++, label++) {
        put_number(writer, label->kind);
        if (label->kind != CCPROF_CASE_DEFAULT)
            put_signed(writer, label->first);
        if (label->kind == CCPROF_CASE_RANGE)
            put_signed(writer, label->last);
    }
}

/* The edges out of each block, as linked lists. */
struct order {
    size_t *first, *next; /* per block, and per edge: number of an edge plus 1, or 0 */
    unsigned *counts;     /* per block */
};

static struct order make_order(const struct graph *graph)
{
    struct order order;

    order.first = memory_zeroed(graph->block_count, sizeof *order.first);
    order.next = memory_zeroed(graph->edge_count + 1, sizeof *order.next);
    order.counts = memory_zeroed(graph->block_count, sizeof *order.counts);
    for (size_t i = graph->edge_count; i-- > 0;) {
        unsigned from = graph->edges[i].from;
        if (graph->edges[i].left_out)
            continue;
        order.next[i] = order.first[from];
        order.first[from] = i + 1;
        order.counts[from]++;
    }
    return order;
}

static void free_order(const struct order *order)
{
    memory_free(order->first);
    memory_free(order->next);
    memory_free(order->counts);
}

unsigned char *graph_encode(const struct graph *graph, unsigned *numbers, size_t *size)
{
    struct writer writer = {.graph = graph};
    struct order order = make_order(graph);
    unsigned number = 0;

    put_strings(&writer);
    put_function(&writer);
    put_number(&writer, graph->block_count);
    for (size_t b = 0; b < graph->block_count; b++) {
        put_block(&writer, &graph->blocks[b]);
        put_number(&writer, order.counts[b]);
        for (size_t i = order.first[b]; i > 0; i = order.next[i - 1]) {
            put_edge(&writer, &graph->edges[i - 1]);
            numbers[i - 1] = number++;
        }
    }
    free_order(&order);
    *size = writer.size;
    return writer.bytes;
}

uint64_t graph_id(const unsigned char *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}
