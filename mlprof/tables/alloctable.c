/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/alloctable.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/contributions.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

static void read_site(struct alloctable *table, struct reader *reader,
                      const struct unit_strings *strings, uint64_t address)
{
    struct alloctable_site site = {.address = address};
    site.allocator = unit_string(reader, strings);
    site.symbol = unit_string(reader, strings);
    site.type = unit_string(reader, strings);
    if (reader->wrong)
        return;
    BUF_NEXT(table->sites, table->count, table->capacity) = site;
}

struct context {
    struct alloctable *table;
    const struct unit_strings *strings;
};

/* The sites of one function.  */
static void read_sites(void *data, unsigned version, struct reader *reader)
{
    (void)version;
    const struct context *context = data;
    uint32_t left = reader_u32(reader);
    uint64_t address = reader_u64(reader), behind;
    if (__builtin_add_overflow(address, (uint64_t)left * ALLOCTABLE_SITE, &behind))
        reader_fail(reader, "an address of more than 64 bits");
    for (; left > 0 && !reader->wrong; left--, address += ALLOCTABLE_SITE)
        read_site(context->table, reader, context->strings, address);
}

static void read_path(struct alloctable *table, struct reader *reader,
                      const struct unit_strings *strings, uint64_t sites, uint32_t count,
                      uint64_t address)
{
    struct alloctable_path path = {.counters = {.address = address, .type = ""}};
    uint32_t site = reader_u32(reader);
    if (site > count)
        reader_fail(reader, "a site that there is not");
    if (site > 0)
        path.site = sites + (site - 1) * ALLOCTABLE_SITE;
    path.counters.allocator = unit_string(reader, strings);
    path.counters.symbol = unit_string(reader, strings);
    if (reader->wrong)
        return;
    BUF_NEXT(table->paths, table->path_count, table->path_capacity) = path;
}

/* The paths of one function, whose counters stand behind those of its sites.  */
static void read_paths(void *data, unsigned version, struct reader *reader)
{
    (void)version;
    const struct context *context = data;
    uint32_t count = reader_u32(reader), left = reader_u32(reader);
    uint64_t sites = reader_u64(reader), address = sites, behind;
    if (__builtin_add_overflow(
            sites, ((uint64_t)count + (uint64_t)left) * ALLOCTABLE_SITE, &behind))
        reader_fail(reader, "an address of more than 64 bits");
    address += (uint64_t)count * ALLOCTABLE_SITE;
    for (; left > 0 && !reader->wrong; left--, address += ALLOCTABLE_SITE)
        read_path(context->table, reader, context->strings, sites, count, address);
}

static bool read_definitions(struct alloctable *table, const struct elffile *file,
                             const struct elffile_section *section,
                             const struct unit_strings *strings, struct fault *fault)
{
    struct reader reader;
    reader_init(&reader, section->data, section->size, file->big_endian);
    while (!reader_done(&reader)) {
        const char *symbol = unit_string(&reader, strings);
        BUF_NEXT(table->definitions, table->definition_count,
                 table->definition_capacity) = symbol;
    }
    if (reader.wrong)
        return contributions_garbled(file, section->name, reader.wrong_at, reader.wrong,
                                     fault);
    return true;
}

bool alloctable_read(struct alloctable *table, const struct elffile *file,
                     const struct unit_strings *strings, struct fault *fault)
{
    struct context context = {.table = table, .strings = strings};
    bool good = contributions_read(file, CCPROF_SECTION_ALLOC, CCPROF_TABLES_VERSION,
                                   read_sites, &context, fault) &&
                contributions_read(file, CCPROF_SECTION_PATHS, CCPROF_TABLES_VERSION,
                                   read_paths, &context, fault);
    for (size_t i = 0; good && i < file->section_count; i++)
        if (strcmp(file->sections[i].name, CCPROF_SECTION_ALLOCATORS) == 0)
            good = read_definitions(table, file, &file->sections[i], strings, fault);
    return good;
}

void alloctable_free(struct alloctable *table)
{
    free(table->sites);
    free(table->paths);
    free(table->definitions);
    memset(table, 0, sizeof *table);
}

struct types_context {
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
static void read_calls(void *data, unsigned version, struct reader *reader)
{
    const struct types_context *context = data;
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
    struct types_context context = {table, units};
    return contributions_read(file, CCPROF_SECTION_TYPES, CCPROF_TABLES_RETURNED,
                              read_calls, &context, fault);
}
