/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/terms.h"

#define DISTANCE 4 /* bytes of one */

void terms_start(struct terms *terms, struct reader *reader)
{
    *terms = (struct terms){.address = reader_u64(reader)};
    terms->distance_count = reader_u32(reader);
    terms->distances = reader_slice(reader, (uint64_t)terms->distance_count * DISTANCE);
}

void terms_start_flow(struct terms *terms)
{
    terms->of = 0;
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

bool terms_next(struct terms *terms, struct reader *reader, struct terms_term *term)
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
