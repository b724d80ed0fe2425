/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a flow graph with its blocks, edges, positions and range of source. Symbols
   that several objects define are told apart by their compilation. */

#include "mlprof/tables/flowtables.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTION_FLAGS 63 /* before CCPROF_TABLES_MISSES */
#define EDGE_FLAGS     255

/* The state of decoding a graph. */
struct decoder {
    struct reader *reader;
    const char *directory; /* of the unit */
    struct flowgraph *graph;
    struct flowgraph_position position; /* the previous position */
    bool has_ranges, has_misses;
};

/* Reads a NUL-terminated text; "" on an error. */
static const char *read_text(struct reader *reader)
{
    const unsigned char *text = reader->cursor;
    while (!reader->wrong && reader_u8(reader))
        ;
    if (!reader->wrong)
        return (const char *)text;
    return "";
}

static void read_strings(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    struct reader *reader = decoder->reader;
    uint64_t count = reader_uleb_to(reader, UINT32_MAX, "too many strings");
    while (graph->strings.count < count && !reader->wrong) {
        BUF_PUSH(graph->strings) = read_text(reader);
    }
}

/* Reads the number of a string and returns the string; NULL for number 0. */
static const char *read_string(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    uint64_t number = reader_uleb_to(decoder->reader, graph->strings.count,
                                     "no string has this number");
    return number ? graph->strings.list[number - 1] : NULL;
}

/* Like read_string, for the path of a file. */
static const char *read_file(struct decoder *decoder)
{
    const char *name = read_string(decoder);
    return name ? sourcefile_path(decoder->directory, name) : NULL;
}

static uint32_t read_number(struct reader *reader)
{
    return (uint32_t)reader_uleb_to(reader, UINT32_MAX, "a number of more than 32 bits");
}

static void read_position(struct decoder *decoder, struct flowgraph_position *position)
{
    struct reader *reader = decoder->reader;
    const char *file = read_file(decoder);
    if (file)
        decoder->position.file = file;
    int64_t line;
    if (__builtin_add_overflow((int64_t)decoder->position.line, reader_sleb(reader),
                               &line) ||
        line < 0 || line > UINT32_MAX) {
        reader_fail(reader, "line out of range");
        line = 0;
    }
    decoder->position.line = (uint32_t)line;
    decoder->position.column = read_number(reader);
    *position = decoder->position;
}

static uint32_t read_range_column(struct reader *reader)
{
    uint32_t column = (uint32_t)reader_uleb_to(reader, UINT32_MAX, "column out of range");
    if (!column && !reader->wrong)
        reader_fail(reader, "a range without a column");
    return column;
}

/* Reads the range of source text at POSITION. */
static struct flowgraph_range read_extent(struct reader *reader,
                                          const struct flowgraph_position *position)
{
    struct flowgraph_range range = {position->line, position->column, position->line,
                                    position->column};
    uint8_t extent = reader_u8(reader);
    if (!extent)
        return range;
    if (extent == CCPROF_EXTENT_FULL) {
        range.start_line = extent_read_rise(reader, position->line, "line out of range");
        range.start_column = read_range_column(reader);
        range.end_line = reader_sleb_from(reader, position->line, "line out of range");
        range.end_column = read_range_column(reader);
        return range;
    }
    extent_read_halves(reader, position->column, extent, CCPROF_EXTENT_EXPLICIT,
                       &range.start_column, &range.end_column);
    if (!range.start_column && !reader->wrong)
        reader_fail(reader, "a range without a column");
    return range;
}

static void read_aliases(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    uint32_t count = read_number(decoder->reader);
    while (graph->aliases.count < count && !decoder->reader->wrong) {
        const char *alias = read_string(decoder);
        BUF_PUSH(graph->aliases) = alias ? alias : "";
    }
}

static void read_head(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    struct reader *reader = decoder->reader;
    const char *input = read_string(decoder), *symbol = read_string(decoder);
    graph->input = input ? input : "";
    graph->symbol = symbol ? symbol : "";
    graph->flags = (unsigned)reader_uleb_to(
        reader, FUNCTION_FLAGS | (decoder->has_misses ? CCPROF_FLOW_PREDICTED : 0),
        "an unknown flag of a function");
    graph->start.file = read_file(decoder);
    graph->start.line = read_number(reader);
    graph->start.column = read_number(reader);
    graph->end_line = read_number(reader);
    read_number(reader); /* the column of the end */
    if (graph->flags & CCPROF_FLOW_ALIASES)
        read_aliases(decoder);
    decoder->position = graph->start;
}

static struct flowgraph_span read_positions(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    struct flowgraph_span span = {.first = (uint32_t)graph->positions.count};
    uint32_t count = read_number(decoder->reader);
    for (; span.count < count && !decoder->reader->wrong; span.count++) {
        size_t number = graph->positions.count++;
        struct flowgraph_position *position =
            &BUF_AT(graph->positions.list, number, graph->positions.capacity);
        read_position(decoder, position);
        BUF_AT(graph->ranges, number, graph->range_capacity) =
            decoder->has_ranges
                ? read_extent(decoder->reader, position)
                : (struct flowgraph_range){position->line, position->column,
                                           position->line, position->column};
    }
    return span;
}

static struct flowgraph_span read_calls(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    struct flowgraph_span span = {.first = (uint32_t)graph->calls.count};
    uint32_t count = read_number(decoder->reader);
    for (; span.count < count && !decoder->reader->wrong; span.count++) {
        struct flowgraph_call *call = &BUF_PUSH(graph->calls);
        call->callee = read_string(decoder);
        read_position(decoder, &call->position);
    }
    return span;
}

static void read_case(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    struct reader *reader = decoder->reader;
    struct flowgraph_case *one = &BUF_PUSH(graph->cases);
    uint64_t kind = reader_uleb_to(reader, CCPROF_CASE_RANGE, "an unknown kind of case");
    *one = (struct flowgraph_case){.is_default = kind == CCPROF_CASE_DEFAULT};
    if (kind != CCPROF_CASE_DEFAULT)
        one->first = one->last = reader_sleb(reader);
    if (kind == CCPROF_CASE_RANGE)
        one->last = reader_sleb(reader);
}

static void read_edge(struct decoder *decoder, uint32_t from)
{
    struct flowgraph *graph = decoder->graph;
    struct reader *reader = decoder->reader;
    struct flowgraph_edge edge = {.from = from};
    edge.to = (uint32_t)reader_uleb_to(reader, graph->blocks.count - 1,
                                       "no block has this number");
    if (!reader->wrong && edge.to == FLOWGRAPH_ENTRY)
        reader_fail(reader, "an edge into the entry");
    edge.flags =
        (unsigned)reader_uleb_to(reader, EDGE_FLAGS, "an unknown flag of an edge");
    if (edge.flags & CCPROF_EDGE_CASES) {
        edge.cases.first = (uint32_t)graph->cases.count;
        uint32_t count = read_number(reader);
        for (; edge.cases.count < count && !reader->wrong; edge.cases.count++)
            read_case(decoder);
    }
    BUF_PUSH(graph->edges) = edge;
}

static struct flowgraph_span read_edges(struct decoder *decoder, uint32_t from)
{
    struct reader *reader = decoder->reader;
    struct flowgraph_span span = {.first = (uint32_t)decoder->graph->edges.count};
    uint32_t count = read_number(reader);
    if (count && from == FLOWGRAPH_EXIT)
        reader_fail(reader, "an edge out of the exit");
    for (; span.count < count && !reader->wrong; span.count++)
        read_edge(decoder, from);
    return span;
}

static void read_block(struct decoder *decoder, uint32_t number)
{
    struct flowgraph_block block = {.positions = read_positions(decoder)};
    block.calls = read_calls(decoder);
    block.branch = (enum ccprof_branch)reader_uleb_to(
        decoder->reader, CCPROF_BRANCH_SWITCH_UNSIGNED, "an unknown kind of branch");
    if (block.branch != CCPROF_BRANCH_NONE)
        read_position(decoder, &block.branch_position);
    block.edges = read_edges(decoder, number);
    decoder->graph->blocks.list[number] = block;
}

/* Reads the blocks, each of which has at least four bytes. */
static void read_blocks(struct decoder *decoder)
{
    struct flowgraph *graph = decoder->graph;
    struct reader *reader = decoder->reader;
    size_t left = (size_t)(reader->end - reader->cursor);
    uint64_t count = reader_uleb_to(reader, left / 4, "more blocks than there are bytes");
    if (count < 2)
        reader_fail(reader, "a flow without entry and exit");
    if (reader->wrong)
        return;
    graph->blocks.count = (size_t)count;
    graph->blocks.list = buf_grow(graph->blocks.list, &graph->blocks.capacity,
                                  graph->blocks.count, sizeof *graph->blocks.list);
    for (uint32_t i = 0; i < count && !reader->wrong; i++)
        read_block(decoder, i);
}

/* Reads a flow graph of VERSION after its length. READER ends with the graph. Sets the
   error of READER on an error. */
static void flowgraph_read(struct flowgraph *graph, struct reader *reader,
                           const struct unit *unit, unsigned version)
{
    struct decoder decoder = {.reader = reader,
                              .directory = unit->directory,
                              .graph = graph,
                              .has_ranges = version >= CCPROF_TABLES_RANGES,
                              .has_misses = version >= CCPROF_TABLES_MISSES};
    read_strings(&decoder);
    read_head(&decoder);
    read_blocks(&decoder);
    if (!reader_done(reader)) {
        reader->item = reader->cursor;
        reader_fail(reader, "more bytes than the flow has use for");
    }
}

static void flowgraph_free(struct flowgraph *graph)
{
    free(graph->aliases.list);
    free(graph->strings.list);
    free(graph->blocks.list);
    free(graph->positions.list);
    free(graph->ranges);
    free(graph->calls.list);
    free(graph->edges.list);
    free(graph->cases.list);
    memset(graph, 0, sizeof *graph);
}

/* The state of reading a section. */
struct context {
    struct flowtables *flows;
    const struct tables *tables;
    struct index ids; /* number of the flow graph with each ID */
};

/* Reads a flow graph after its version. */
static void read_flow(void *data, unsigned version, struct reader *reader)
{
    struct context *context = data;
    struct flowtables *flows = context->flows;
    struct flowtables_flow flow = {0};
    uint32_t offset = reader_u32(reader);
    if (reader->wrong)
        return;
    flow.unit = tables_unit_at(context->tables, offset);
    if (!flow.unit) {
        reader_fail(reader, "no unit at this offset");
        return;
    }
    flow.source = reader_u32(reader);
    if (!reader->wrong && (flow.source == 0 || flow.source > flow.unit->source_count))
        reader_fail(reader, "no source has this number");
    flow.id = reader_u64(reader);
    if (reader->wrong)
        return;
    bool fresh;
    index_put(&context->ids, flow.id, 0, 0, &fresh);
    struct reader slice = reader_slice(reader, reader_u32(reader));
    flowgraph_read(&flow.graph, &slice, flow.unit, version);
    reader_take_error(reader, &slice);
    if (fresh)
        BUF_PUSH(flows->flows) = flow;
    else
        flowgraph_free(&flow.graph);
}

/* Adds a counter of mispredictions. Its number is the number of edges plus the number
   of the block that ends with the predicted branch. */
static void add_missed(struct flowtables *flows, struct reader *reader,
                       struct edgeterms_counter counter)
{
    const struct flowgraph *graph = &flows->flows.list[counter.flow].graph;
    counter.edge -= (uint32_t)graph->edges.count;
    if (!(graph->flags & CCPROF_FLOW_PREDICTED)) {
        reader_fail(reader, "no edge has this number");
        return;
    }
    if (counter.edge >= graph->blocks.count ||
        graph->blocks.list[counter.edge].branch == CCPROF_BRANCH_NONE) {
        reader_fail(reader, "no edge and no branch has this number");
        return;
    }
    BUF_PUSH(flows->missed) = counter;
}

static void add_counter(void *data, struct reader *reader,
                        const struct edgeterms_counter *counter)
{
    struct flowtables *flows = data;
    if (counter->edge >= flows->flows.list[counter->flow].graph.edges.count) {
        add_missed(flows, reader, *counter);
        return;
    }
    BUF_PUSH(flows->counters) = *counter;
}

bool flowtables_read(struct flowtables *flows, const struct tables *tables,
                     struct fault *fault)
{
    struct context context = {.flows = flows, .tables = tables};
    const struct elffile *file = tables_holder(tables);
    memset(flows, 0, sizeof *flows);
    bool good = contributions_read(file, CCPROF_SECTION_FLOW, CCPROF_TABLES_MISSES,
                                   read_flow, &context, fault) &&
                edgeterms_read(file, &context.ids, add_counter, flows, fault);
    index_free(&context.ids);
    return good;
}

void flowtables_free(struct flowtables *flows)
{
    for (size_t i = 0; i < flows->flows.count; i++)
        flowgraph_free(&flows->flows.list[i].graph);
    free(flows->flows.list);
    free(flows->counters.list);
    free(flows->missed.list);
    memset(flows, 0, sizeof *flows);
}

/* Returns a key for the compilation to which a local symbol belongs. */
static uint64_t compilation_key(struct flowsymbols *symbols,
                                const struct flowtables_flow *flow)
{
    uint64_t input = intern_put(&symbols->texts, flow->graph.input);
    uint64_t directory = intern_put(&symbols->texts, flow->unit->directory);
    return (input << 32 | directory) + 1;
}

/* Adds a symbol. LOCAL is the key of its compilation, or 0 if it is global. */
static void put_symbol(struct flowsymbols *symbols, const char *symbol, uint64_t local,
                       uint32_t module, uint32_t function)
{
    bool fresh;
    uint32_t text = intern_put(&symbols->texts, symbol);
    uint32_t number =
        index_put(&symbols->symbols, text, local, local ? module : 0, &fresh);
    if (!fresh)
        return;
    BUF_AT(symbols->functions, number, symbols->capacity) = function;
}

void flowsymbols_put(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, uint32_t function)
{
    const struct flowgraph *graph = &flow->graph;
    bool is_local = graph->flags & CCPROF_FLOW_LOCAL;
    put_symbol(symbols, graph->symbol, is_local ? compilation_key(symbols, flow) : 0,
               module, function);
    for (size_t i = 0; i < graph->aliases.count; i++)
        put_symbol(symbols, graph->aliases.list[i], 0, module, function);
}

bool flowsymbols_get(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, const char *symbol, uint32_t *function)
{
    uint32_t text = intern_put(&symbols->texts, symbol), number;
    if (!index_get(&symbols->symbols, text, compilation_key(symbols, flow), module,
                   &number) &&
        !index_get(&symbols->symbols, text, 0, 0, &number))
        return false;
    *function = symbols->functions[number];
    return true;
}

void flowsymbols_free(struct flowsymbols *symbols)
{
    intern_free(&symbols->texts);
    index_free(&symbols->symbols);
    free(symbols->functions);
    memset(symbols, 0, sizeof *symbols);
}
