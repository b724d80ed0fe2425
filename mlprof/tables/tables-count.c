/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/tables-count.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/contributions.h"
#include "mlprof/tables/terms.h"
#include "rt/format.h"

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

static void read_terms(struct tables_counters *counters, const struct unit *unit,
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
static void read_contribution(void *data, unsigned version, struct reader *reader)
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
        read_terms(context->counters, counter.unit, reader);
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
    return contributions_read(file, name, CCPROF_TABLES_TERMS, read_contribution,
                              &context, fault);
}
