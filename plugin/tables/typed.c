/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/typed.h"
#include "plugin/tables/leb.h"

#include <stdbool.h>
#include <stdlib.h>

static int compare(unsigned a, unsigned b)
{
    return a < b ? -1 : a > b;
}

static int by_place(const struct typed_call *a, const struct typed_call *b)
{
    int order = compare(a->source, b->source);

    if (!order)
        order = compare(a->file, b->file);
    if (!order)
        order = compare(a->line, b->line);
    return order ? order : compare(a->column, b->column);
}

/* Those whose type is not known stand before others at their place.  */
static int by_order(const void *one, const void *other)
{
    const struct typed_call *a = one, *b = other;
    int order = by_place(a, b);

    return order ? order : compare(a->type, b->type);
}

static enum typed_returned both(enum typed_returned a, enum typed_returned b)
{
    if (a == TYPED_UNSAID || b == TYPED_UNSAID)
        return a == TYPED_UNSAID ? b : a;
    return a == b ? a : TYPED_KEPT;
}

size_t typed_sort(struct typed_call *calls, size_t count)
{
    size_t kept = 0;

    if (count)
        qsort(calls, count, sizeof *calls, by_order);
    for (size_t i = 0, next; i < count; i = next) {
        struct typed_call call = calls[i];
        bool differ = false;

        for (next = i + 1; next < count && !by_place(&calls[next], &call); next++) {
            differ |= call.type && call.type != calls[next].type;
            call.type = calls[next].type;
            call.returned = both(call.returned, calls[next].returned);
        }
        if (!differ && (call.type || call.returned == TYPED_RETURNED))
            calls[kept++] = call;
    }
    return kept;
}

/* The types, numbered from 1 in the order in which the calls have them.  */
static struct distinct number_types(const struct typed_call *calls, size_t count)
{
    struct distinct types = {0};

    for (size_t i = 0; i < count; i++)
        if (calls[i].type)
            distinct_add(&types, &calls[i].type, sizeof calls[i].type);
    return types;
}

static void put_call(const struct typed_call *call, const struct typed_call *before,
                     unsigned type, const struct unit *unit, enum ccprof_position detail,
                     const struct encode_sink *sink)
{
    const struct unit_source *source = unit_get_source(unit, call->source);
    bool same = before && before->source == call->source;
    bool has_file = call->file != source->file;
    bool returned = call->returned == TYPED_RETURNED;

    leb_unsigned(sink->byte, sink->data, call->source - (before ? before->source : 0));
    leb_unsigned(sink->byte, sink->data, 4 * (uint64_t)type + 2 * returned + has_file);
    if (has_file)
        leb_unsigned(sink->byte, sink->data, call->file);
    leb_signed(sink->byte, sink->data,
               (int64_t)call->line - (same ? before->line : source->line));
    if (detail == CCPROF_POSITION_EXPRESSION)
        leb_unsigned(sink->byte, sink->data, call->column);
}

void typed_encode(const struct typed_call *calls, size_t count, const struct unit *unit,
                  enum ccprof_position detail, const struct encode_sink *sink)
{
    struct distinct types = number_types(calls, count);

    leb_unsigned(sink->byte, sink->data, types.count);
    for (unsigned i = 1; i <= types.count; i++)
        sink->string(sink->data, *(const unsigned *)distinct_get(&types, i));
    leb_unsigned(sink->byte, sink->data, count);
    for (size_t i = 0; i < count; i++) {
        unsigned type = calls[i].type
                            ? distinct_add(&types, &calls[i].type, sizeof calls[i].type)
                            : 0;
        put_call(&calls[i], i ? &calls[i - 1] : NULL, type, unit, detail, sink);
    }
    distinct_free(&types);
}
