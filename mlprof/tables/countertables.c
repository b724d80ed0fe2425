/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/countertables.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/contributions.h"
#include "rt/format.h"

/* Which counters count for which sources or edges, in contributions of version 3
   (doc/tables.md).  First come the addresses of the counters, then the terms, one counter
   and one source or edge each.  */
struct terms {
    uint64_t address;        /* of counter 0, if there are no DISTANCES */
    struct reader distances; /* at the distance of counter 0 */
    uint32_t distance_count;
    uint64_t counter; /* number of the counter in the last term */
    uint64_t of;
};

struct terms_term {
    uint64_t address; /* of the counter's storage, as in the file */
    uint32_t of;      /* number of the source or edge */
    bool negative;    /* the counter is subtracted */
};

#define DISTANCE 4 /* bytes of one */

/* Reads what stands before the terms.  */
static void terms_start(struct terms *terms, struct reader *reader)
{
    *terms = (struct terms){.address = reader_u64(reader)};
    terms->distance_count = reader_u32(reader);
    terms->distances = reader_slice(reader, (uint64_t)terms->distance_count * DISTANCE);
}

static uint64_t place(const struct terms *terms, struct reader *reader)
{
    struct reader at = terms->distances;
    if (!terms->distance_count)
        return terms->address + 8 * terms->counter;
    if (terms->counter >= terms->distance_count) {
        reader_fail(reader, "no counter has this number");
        return 0;
    }
    at.at += terms->counter * DISTANCE;
    return terms->address + (uint64_t)(int64_t)(int32_t)reader_u32(&at);
}

/* Reads the next term.  Returns false if something is wrong.  */
static bool terms_next(struct terms *terms, struct reader *reader,
                       struct terms_term *term)
{
    uint64_t step =
        reader_uleb_to(reader, 2 * (uint64_t)UINT32_MAX + 1, "no number is that large");
    terms->of += step / 2;
    if (!reader->wrong && terms->of > UINT32_MAX)
        reader_fail(reader, "no number is that large");
    terms->counter += (uint64_t)reader_sleb(reader);
    if (reader->wrong)
        return false;
    *term = (struct terms_term){.of = (uint32_t)terms->of, .negative = step % 2 != 0};
    term->address = place(terms, reader);
    return !reader->wrong;
}

struct context {
    struct tables_counters *counters;
    const struct units *units;
};

static void add(struct tables_counters *counters, struct reader *reader,
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
            add(counters, reader,
                &(struct tables_counter){.offset = term.address,
                                         .unit = unit,
                                         .source = term.of,
                                         .negative = term.negative});
}

/* Reads the counters of one compilation.  */
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
        add(context->counters, reader, &counter);
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

/* Reads the terms of one flow graph.  */
static void read_flow_terms(const struct edge_context *context, struct terms *terms,
                            struct reader *reader)
{
    struct edgeterms_counter counter = {0};
    struct terms_term term;
    uint64_t id = reader_u64(reader);
    bool known = index_get(context->ids, id, 0, 0, &counter.flow);
    terms->of = 0;
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        if (!terms_next(terms, reader, &term) || !known)
            continue;
        counter.address = term.address;
        counter.edge = term.of;
        counter.negative = term.negative;
        context->take(context->data, reader, &counter);
    }
}

/* Reads a contribution of counters behind its version.  */
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
