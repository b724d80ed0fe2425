/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/terms.h"

#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_order(const void *one, const void *other)
{
    const struct terms_term *a = one, *b = other;

    if (a->flow != b->flow)
        return compare(a->flow, b->flow);
    if (a->of != b->of)
        return compare(a->of, b->of);
    if (a->counter != b->counter)
        return compare(a->counter, b->counter);
    return compare(a->negative, b->negative);
}

void terms_sort(struct terms_term *terms, size_t count)
{
    if (count)
        qsort(terms, count, sizeof *terms, by_order);
}

void terms_put(leb_sink *sink, void *data, const struct terms_term *term,
               const struct terms_term *before)
{
    uint32_t of = before && before->flow == term->flow ? before->of : 0;
    int64_t counter = before ? before->counter : 0;

    leb_unsigned(sink, data, 2 * (uint64_t)(term->of - of) + term->negative);
    leb_signed(sink, data, term->counter - counter);
}
