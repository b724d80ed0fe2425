/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the functions of GCC's own profile: arcs, positions, indirect targets and their
   counters. */

#include "mlprof/tables/arctables.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

/* Upper limit for the number of arcs or calls of a function. A larger number means
   that the table is damaged. */
#define ARCS_MOST (1u << 20)

struct context {
    struct arctables *arcs;
    struct index ids; /* number of the function with each ID */
};

/* Returns the NUL-terminated text at the reader's position. The reader continues after
   its NUL. */
static const char *read_text(struct reader *reader)
{
    size_t left = (size_t)(reader->end - reader->cursor);
    const char *text = (const char *)reader->cursor;
    if (reader->wrong)
        return "";
    if (!memchr(text, 0, left)) {
        reader_u8(reader);
        reader_fail(reader, "a text does not end");
        return "";
    }
    reader_bytes(reader, strlen(text) + 1);
    return text;
}

static void read_edge(struct arctables *arcs, const struct arctables_function *function,
                      struct reader *reader, uint32_t from)
{
    uint64_t word = reader_uleb_to(reader, 4 * (uint64_t)ARCS_MOST, "too many blocks");
    struct arctables_edge edge = {from, (uint32_t)(word >> 2), word & 1, word & 2};
    if (edge.to >= function->blocks) {
        reader_fail(reader, "no block has this number");
        return;
    }
    BUF_PUSH(arcs->edges) = edge;
}

/* Reads, for each block, the number of arcs that leave it and their targets. */
static void read_graph(struct arctables *arcs, struct arctables_function *function,
                       struct reader *reader)
{
    uint32_t counted = 0;
    function->first_edge = arcs->edges.count;
    function->blocks = (uint32_t)reader_uleb_to(reader, ARCS_MOST, "too many blocks");
    for (uint32_t block = 0; block < function->blocks && !reader->wrong; block++)
        for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--)
            read_edge(arcs, function, reader, block);
    function->edges = arcs->edges.count - function->first_edge;
    for (size_t i = 0; i < function->edges; i++)
        counted += arcs->edges.list[function->first_edge + i].counted;
    if (!reader->wrong && function->blocks && counted != function->arcs)
        reader_fail(reader, "the graph has another number of arcs");
}

static uint32_t read_block_number(struct reader *reader,
                                  const struct arctables_function *function)
{
    uint64_t block = reader_uleb(reader);
    if (!reader->wrong && block >= function->blocks)
        reader_fail(reader, "no block has this number");
    return (uint32_t)block;
}

static void read_lists(struct arctables *arcs, struct arctables_function *function,
                       struct reader *reader)
{
    function->first_list = arcs->lists.count;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        unsigned kind = reader_u8(reader);
        uint32_t block = read_block_number(reader, function);
        if (kind > CCPROF_LIST_SIZE) {
            reader_fail(reader, "no list is of this kind");
            return;
        }
        BUF_PUSH(arcs->lists) = (struct arctables_list){(enum ccprof_list)kind, block};
    }
    function->lists = arcs->lists.count - function->first_list;
}

static struct arctables_name read_name(struct reader *reader)
{
    const char *symbol = read_text(reader);
    return (struct arctables_name){symbol, read_text(reader)};
}

/* Reads a position in body BODY; there are BODIES bodies so far. */
static struct arctables_position read_position(struct reader *reader, uint64_t body,
                                               uint64_t bodies)
{
    uint16_t offset = (uint16_t)reader_uleb_to(reader, UINT16_MAX, "too many lines");
    uint16_t discriminator =
        (uint16_t)reader_uleb_to(reader, UINT16_MAX, "too large a discriminator");
    if (body >= bodies)
        reader_fail(reader, "no body has this number");
    return (struct arctables_position){(uint32_t)body, offset, discriminator};
}

static void read_inlined(struct arctables *arcs, struct arctables_function *function,
                         struct reader *reader)
{
    uint64_t left = reader_uleb_to(reader, ARCS_MOST, "too many bodies");
    function->first_inlined = arcs->inlined.count;
    for (uint64_t i = 0; i < left && !reader->wrong; i++) {
        struct arctables_inlined inlined = {0};
        inlined.call = read_position(reader, reader_uleb(reader), i + 1);
        uint64_t earlier = reader_uleb_to(reader, i, "no earlier body has this number");
        if (earlier && !reader->wrong)
            inlined.name = arcs->inlined.list[function->first_inlined + earlier - 1].name;
        else
            inlined.name = read_name(reader);
        BUF_PUSH(arcs->inlined) = inlined;
    }
    function->inlined = arcs->inlined.count - function->first_inlined;
}

static void read_block(struct arctables *arcs, const struct arctables_function *function,
                       struct reader *reader)
{
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        struct arctables_position position =
            read_position(reader, reader_uleb(reader), function->inlined + 1);
        BUF_PUSH(arcs->positions) = position;
    }
    BUF_PUSH(arcs->ends) = arcs->positions.count;
}

static void read_call(struct arctables *arcs, const struct arctables_function *function,
                      unsigned version, struct reader *reader)
{
    struct arctables_call call = {.position.body = UINT32_MAX};
    if (function->blocks && version >= CCPROF_TABLES_BLOCKS)
        call.block = read_block_number(reader, function);
    uint64_t body = reader_uleb(reader);
    if (body)
        call.position = read_position(reader, body - 1, function->inlined + 1);
    BUF_PUSH(arcs->calls) = call;
}

/* Reads the source positions of the blocks and of the indirect calls. */
static void read_positions(struct arctables *arcs, struct arctables_function *function,
                           unsigned version, struct reader *reader)
{
    read_inlined(arcs, function, reader);
    function->first_block = arcs->ends.count;
    for (uint32_t i = 0; i < function->blocks && !reader->wrong; i++)
        read_block(arcs, function, reader);
    function->first_call = arcs->calls.count;
    for (uint32_t i = 0; i < function->indirect && !reader->wrong; i++)
        read_call(arcs, function, version, reader);
}

/* Reads a function after its version. */
static void read_function(void *data, unsigned version, struct reader *reader)
{
    struct context *context = data;
    struct arctables *arcs = context->arcs;
    bool fresh;
    uint64_t id = reader_u64(reader);
    struct reader slice = reader_slice(reader, reader_u32(reader));
    struct arctables_function function = {.gcov = reader_u32(&slice),
                                          .ident = reader_u32(&slice),
                                          .lineno = reader_u32(&slice),
                                          .checksum = reader_u32(&slice)};
    function.arcs = (uint32_t)reader_uleb_to(&slice, ARCS_MOST, "too many arcs");
    read_graph(arcs, &function, &slice);
    function.indirect = (uint32_t)reader_uleb_to(&slice, ARCS_MOST, "too many calls");
    read_lists(arcs, &function, &slice);
    read_positions(arcs, &function, version, &slice);
    if (!slice.wrong && function.blocks == 0 && function.arcs > 1)
        reader_fail(&slice, "arcs without a graph");
    if (!slice.wrong && function.arcs == 0)
        reader_fail(&slice, "a function without arcs");
    function.object = read_text(&slice);
    function.name = read_name(&slice);
    if (!slice.wrong && !reader_done(&slice))
        reader_fail(&slice, "more than the function's own bytes");
    reader_take_error(reader, &slice);
    if (reader->wrong)
        return;
    index_put(&context->ids, id, 0, 0, &fresh);
    if (!fresh)
        return;
    BUF_PUSH(arcs->functions) = function;
}

static void add_counter(void *data, struct reader *reader,
                        const struct edgeterms_counter *counter)
{
    struct arctables *arcs = data;
    if (counter->edge >= arcs->functions.list[counter->flow].arcs) {
        reader_fail(reader, "no arc has this number");
        return;
    }
    BUF_PUSH(arcs->counters) = *counter;
}

static void read_value(void *data, unsigned version, struct reader *reader)
{
    struct context *context = data;
    struct arctables *arcs = context->arcs;
    struct arctables_value value;
    (void)version;
    uint64_t id = reader_u64(reader);
    value.call = (uint32_t)reader_uleb_to(reader, ARCS_MOST, "too many calls");
    value.address = reader_u64(reader);
    if (reader->wrong || !index_get(&context->ids, id, 0, 0, &value.function))
        return;
    const struct arctables_function *function = &arcs->functions.list[value.function];
    if (value.call > function->indirect + function->lists) {
        reader_fail(reader, "no call has this number");
        return;
    }
    BUF_PUSH(arcs->values) = value;
}

static void read_callee(void *data, unsigned version, struct reader *reader)
{
    struct context *context = data;
    struct arctables *arcs = context->arcs;
    struct arctables_callee callee;
    (void)version;
    callee.address = reader_u64(reader);
    callee.ident = reader_u32(reader);
    if (reader->wrong)
        return;
    BUF_PUSH(arcs->callees) = callee;
}

bool arctables_read(struct arctables *arcs, const struct tables *tables,
                    struct fault *fault)
{
    struct context context = {.arcs = arcs};
    const struct elffile *file = tables_holder(tables);
    memset(arcs, 0, sizeof *arcs);
    bool good = contributions_read(file, CCPROF_SECTION_ARCS, CCPROF_TABLES_BLOCKS,
                                   read_function, &context, fault) &&
                edgeterms_read(file, &context.ids, add_counter, arcs, fault) &&
                contributions_read(file, CCPROF_SECTION_VALUES, CCPROF_TABLES_VERSION,
                                   read_value, &context, fault) &&
                contributions_read(file, CCPROF_SECTION_CALLEES, CCPROF_TABLES_VERSION,
                                   read_callee, &context, fault);
    index_free(&context.ids);
    return good;
}

void arctables_free(struct arctables *arcs)
{
    free(arcs->functions.list);
    free(arcs->edges.list);
    free(arcs->lists.list);
    free(arcs->inlined.list);
    free(arcs->positions.list);
    free(arcs->ends.list);
    free(arcs->calls.list);
    free(arcs->counters.list);
    free(arcs->values.list);
    free(arcs->callees.list);
    memset(arcs, 0, sizeof *arcs);
}
