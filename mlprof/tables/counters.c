/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads terms: which counter is added to, or subtracted from, which count. The second
   part reads the paths and types of allocations. */

#include "mlprof/tables/counters.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

/* The assignment of counters to sources or edges, in contributions of version 3
   (doc/tables.md). The addresses of the counters come first, then the terms. A term is
   one counter and one source or edge. */
struct terms {
    uint64_t address;        /* address of counter 0 if there are no DISTANCES */
    struct reader distances; /* at the distance of counter 0 */
    uint32_t distance_count;
    uint64_t counter; /* number of the last term's counter */
    uint64_t target;
};

struct terms_term {
    uint64_t address; /* address of the counter's storage in the file */
    uint32_t target;  /* number of the source or edge */
    bool negative;    /* the counter is subtracted */
};

#define DISTANCE 4 /* size of a distance in bytes */

/* Reads the addresses of the counters, which come before the terms. */
static void terms_start(struct terms *terms, struct reader *reader)
{
    *terms = (struct terms){.address = reader_u64(reader)};
    terms->distance_count = reader_u32(reader);
    terms->distances = reader_slice(reader, (uint64_t)terms->distance_count * DISTANCE);
}

static uint64_t counter_address(const struct terms *terms, struct reader *reader)
{
    struct reader distances = terms->distances;
    if (!terms->distance_count)
        return terms->address + 8 * terms->counter;
    if (terms->counter >= terms->distance_count) {
        reader_fail(reader, "no counter has this number");
        return 0;
    }
    distances.cursor += terms->counter * DISTANCE;
    return terms->address + (uint64_t)(int64_t)(int32_t)reader_u32(&distances);
}

/* Reads the next term. Returns false on an error. */
static bool terms_next(struct terms *terms, struct reader *reader,
                       struct terms_term *term)
{
    uint64_t step =
        reader_uleb_to(reader, 2 * (uint64_t)UINT32_MAX + 1, "no number is that large");
    terms->target += step / 2;
    if (!reader->wrong && terms->target > UINT32_MAX)
        reader_fail(reader, "no number is that large");
    terms->counter += (uint64_t)reader_sleb(reader);
    if (reader->wrong)
        return false;
    *term =
        (struct terms_term){.target = (uint32_t)terms->target, .negative = step % 2 != 0};
    term->address = counter_address(terms, reader);
    return !reader->wrong;
}

struct context {
    struct tables_counters *counters;
    const struct units *units;
};

static void add_counter(struct tables_counters *counters, struct reader *reader,
                        const struct tables_counter *counter)
{
    if (reader->wrong)
        return;
    if (counter->source == 0 || counter->source > counter->unit->source_count) {
        reader_fail(reader, "no source has this number");
        return;
    }
    BUF_NEXT(counters->counters, counters->count, counters->capacity) = *counter;
}

static void read_source_terms(struct tables_counters *counters, const struct unit *unit,
                              struct reader *reader)
{
    struct terms terms;
    struct terms_term term;
    terms_start(&terms, reader);
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--)
        if (terms_next(&terms, reader, &term))
            add_counter(counters, reader,
                        &(struct tables_counter){.offset = term.address,
                                                 .unit = unit,
                                                 .source = term.target,
                                                 .negative = term.negative});
}

/* Reads the counters of one compilation. */
static void read_source_counters(void *data, unsigned version, struct reader *reader)
{
    const struct context *context = data;
    uint32_t offset = reader_u32(reader);
    struct tables_counter counter = {.unit = units_at(context->units, offset),
                                     .negative = version == CCPROF_TABLES_NEGATIVE};
    if (!reader->wrong && !counter.unit)
        reader_fail(reader, "no unit at this offset");
    if (reader->wrong)
        return;
    if (version == CCPROF_TABLES_TERMS) {
        read_source_terms(context->counters, counter.unit, reader);
        return;
    }
    for (uint32_t left = reader_u32(reader); left > 0 && !reader->wrong; left--) {
        counter.offset = reader_u64(reader);
        counter.source = reader_u32(reader);
        add_counter(context->counters, reader, &counter);
    }
}

bool tables_counters_read(struct tables_counters *counters, const struct units *units,
                          const struct elffile *file, const char *name,
                          struct fault *fault)
{
    struct context context = {.counters = counters, .units = units};
    return contributions_read(file, name, CCPROF_TABLES_TERMS, read_source_counters,
                              &context, fault);
}

struct edge_context {
    const struct index *ids;
    edgeterms_take *take;
    void *data;
};

/* Reads the terms of one flow graph. */
static void read_flow_terms(const struct edge_context *context, struct terms *terms,
                            struct reader *reader)
{
    struct edgeterms_counter counter = {0};
    struct terms_term term;
    uint64_t id = reader_u64(reader);
    bool known = index_get(context->ids, id, 0, 0, &counter.flow);
    terms->target = 0;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        if (!terms_next(terms, reader, &term) || !known)
            continue;
        counter.address = term.address;
        counter.edge = term.target;
        counter.negative = term.negative;
        context->take(context->data, reader, &counter);
    }
}

/* Reads a contribution of counters after its version. */
static void read_edge_counters(void *data, unsigned version, struct reader *reader)
{
    const struct edge_context *context = data;
    if (version == CCPROF_TABLES_TERMS) {
        struct terms terms;
        terms_start(&terms, reader);
        for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--)
            read_flow_terms(context, &terms, reader);
        return;
    }
    for (uint32_t left = reader_u32(reader); left > 0 && !reader->wrong; left--) {
        struct edgeterms_counter counter = {
            .address = reader_u64(reader), .negative = version == CCPROF_TABLES_NEGATIVE};
        uint64_t id = reader_u64(reader);
        counter.edge = reader_u32(reader);
        if (!reader->wrong && index_get(context->ids, id, 0, 0, &counter.flow))
            context->take(context->data, reader, &counter);
    }
}

bool edgeterms_read(const struct elffile *file, const struct index *ids,
                    edgeterms_take *take, void *data, struct fault *fault)
{
    struct edge_context context = {ids, take, data};
    return contributions_read(file, CCPROF_SECTION_EDGE, CCPROF_TABLES_TERMS,
                              read_edge_counters, &context, fault);
}

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

struct sites_context {
    struct alloctable *table;
    const struct unit_strings *strings;
};

/* Reads the allocation sites of one function. */
static void read_sites(void *data, unsigned version, struct reader *reader)
{
    (void)version;
    const struct sites_context *context = data;
    uint32_t left = reader_u32(reader);
    uint64_t address = reader_u64(reader), end;
    if (__builtin_add_overflow(address, (uint64_t)left * ALLOCTABLE_SITE, &end))
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
    BUF_PUSH(table->paths) = path;
}

/* Reads the paths of one function. Their counters are stored after the counters of the
   function's sites. */
static void read_paths(void *data, unsigned version, struct reader *reader)
{
    (void)version;
    const struct sites_context *context = data;
    uint32_t count = reader_u32(reader), left = reader_u32(reader);
    uint64_t sites = reader_u64(reader), address = sites, end;
    if (__builtin_add_overflow(
            sites, ((uint64_t)count + (uint64_t)left) * ALLOCTABLE_SITE, &end))
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
        BUF_PUSH(table->definitions) = symbol;
    }
    if (reader.wrong)
        return contributions_garbled(file, section->name, reader.wrong_at, reader.wrong,
                                     fault);
    return true;
}

bool alloctable_read(struct alloctable *table, const struct elffile *file,
                     const struct unit_strings *strings, struct fault *fault)
{
    struct sites_context context = {.table = table, .strings = strings};
    bool good = contributions_read(file, CCPROF_SECTION_ALLOC, CCPROF_TABLES_VERSION,
                                   read_sites, &context, fault) &&
                contributions_read(file, CCPROF_SECTION_PATHS, CCPROF_TABLES_VERSION,
                                   read_paths, &context, fault);
    for (size_t i = 0; good && i < file->sections.count; i++)
        if (strcmp(file->sections.list[i].name, CCPROF_SECTION_ALLOCATORS) == 0)
            good = read_definitions(table, file, &file->sections.list[i], strings, fault);
    return good;
}

void alloctable_free(struct alloctable *table)
{
    free(table->sites);
    free(table->paths.list);
    free(table->definitions.list);
    memset(table, 0, sizeof *table);
}

struct types_context {
    struct typedtable *table;
    const struct units *units;
};

/* The types of a contribution. */
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

/* Reads the call after CALL into CALL, in a contribution of VERSION. */
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

/* Reads the calls of one compilation. */
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
