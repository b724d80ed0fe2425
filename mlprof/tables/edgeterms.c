/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/edgeterms.h"
#include "mlprof/tables/contributions.h"
#include "mlprof/tables/terms.h"
#include "rt/format.h"

struct context {
    const struct index *ids;
    edgeterms_take *take;
    void *data;
};

/* Reads the terms of one flow graph.  */
static void read_flow_terms(const struct context *context, struct terms *terms,
                            struct reader *reader)
{
    struct edgeterms_counter counter = {0};
    struct terms_term term;
    uint64_t id = reader_u64(reader);
    bool known = index_get(context->ids, id, 0, 0, &counter.flow);
    terms_start_flow(terms);
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        if (!terms_next(terms, reader, &term) || !known)
            continue;
        counter.address = term.address;
        counter.edge = term.of;
        counter.negative = term.negative;
        context->take(context->data, reader, &counter);
    }
}

static void read_terms(const struct context *context, struct reader *reader)
{
    struct terms terms;
    terms_start(&terms, reader);
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--)
        read_flow_terms(context, &terms, reader);
}

/* Reads a contribution of counters behind its version.  */
static void read_counters(void *data, unsigned version, struct reader *reader)
{
    const struct context *context = data;
    if (version == CCPROF_TABLES_TERMS) {
        read_terms(context, reader);
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
    struct context context = {ids, take, data};
    return contributions_read(file, CCPROF_SECTION_EDGE, CCPROF_TABLES_TERMS,
                              read_counters, &context, fault);
}
