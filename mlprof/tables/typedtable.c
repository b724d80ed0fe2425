/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/typedtable.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/contributions.h"
#include "rt/format.h"

#include <stdlib.h>

struct context {
    struct typedtable *table;
    const struct units *units;
};

/* The types of a piece.  */
struct types {
    const char **names;
    size_t count, capacity;
};

static struct types read_types(struct reader *reader, const struct unit_strings *strings)
{
    struct types types = {0};
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        BUF_NEXT(types.names, types.count, types.capacity) = unit_string(reader, strings);
    }
    return types;
}

/* Reads a call behind the one that CALL is, in a piece of VERSION.  */
static void read_call(struct typedtable_call *call, struct reader *reader,
                      const struct types *types, unsigned version)
{
    const struct unit *unit = call->unit;
    uint64_t step =
        reader_uleb_to(reader, unit->source_count - call->source, "no such source");
    if (!reader->wrong && call->source + step == 0)
        reader_fail(reader, "no such source");
    if (reader->wrong)
        return;
    call->source += (uint32_t)step;
    const struct unit_source *source = unit_source(unit, call->source);
    const unsigned flags = version < CCPROF_TABLES_RETURNED ? 2 : 4;
    uint64_t word =
        reader_uleb_to(reader, flags * types->count + flags - 1, "no such type");
    call->type = word >= flags ? types->names[word / flags - 1] : NULL;
    call->returned = flags == 2 ? !call->type : word / 2 % 2;
    if (!reader->wrong && !call->type && !call->returned)
        reader_fail(reader, "neither a type nor returned");
    call->file = source->file;
    if (word % 2)
        call->file =
            (uint32_t)reader_uleb_to(reader, unit->file_count, "no file has this number");
    call->line =
        reader_sleb_from(reader, step ? source->line : call->line, "no such line");
    call->column = unit->position == CCPROF_POSITION_EXPRESSION
                       ? (uint32_t)reader_uleb_to(reader, UINT32_MAX, "no such column")
                       : 0;
    if (!reader->wrong && call->file == 0)
        reader_fail(reader, "a call in no file");
}

/* Reads the calls of one compilation.  */
static void read_contribution(void *data, unsigned version, struct reader *reader)
{
    const struct context *context = data;
    struct typedtable *table = context->table;
    struct typedtable_call call = {.unit = units_at(context->units, reader_u32(reader))};
    if (!reader->wrong && (!call.unit || !call.unit->position))
        reader_fail(reader, "no unit with positions at this offset");
    if (reader->wrong)
        return;
    struct types types = read_types(reader, &context->units->strings);
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        read_call(&call, reader, &types, version);
        if (reader->wrong)
            break;
        BUF_NEXT(table->calls, table->count, table->capacity) = call;
    }
    free(types.names);
}

bool typedtable_read(struct typedtable *table, const struct units *units,
                     const struct elffile *file, struct fault *fault)
{
    struct context context = {table, units};
    return contributions_read(file, CCPROF_SECTION_TYPES, CCPROF_TABLES_RETURNED,
                              read_contribution, &context, fault);
}
