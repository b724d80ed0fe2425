/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes units, parts, types, terms and machine code as bytes. */

#include "plugin/tables/encode.h"
#include "plugin/tables/memory.h"

#include <stdbool.h>
#include <stdlib.h>

struct encoder {
    const struct part *part;
    const struct unit *unit;
    enum ccprof_position detail;
    const struct encode_sink *sink;
    unsigned copy;       /* copy of the previous entry */
    unsigned *last_line; /* last line of each copy */
    unsigned *full;      /* when each point was written in full, from 1; 0: not yet */
    unsigned full_count;
};

static void put_uleb(const struct encode_sink *sink, unsigned long value)
{
    leb_unsigned(sink->byte, sink->data, value);
}

static void put_sleb(const struct encode_sink *sink, long value)
{
    leb_signed(sink->byte, sink->data, value);
}

static unsigned source_of_copy(const struct encoder *e, unsigned copy)
{
    if (!copy)
        return e->part->source;
    const struct part_copy *known = distinct_get(&e->part->copies, copy);
    return known->source;
}

static unsigned file_of_copy(const struct encoder *e, unsigned copy)
{
    unsigned source = source_of_copy(e, copy);
    return source ? unit_get_source(e->unit, source)->file : 0;
}

static unsigned line_of_copy(const struct encoder *e, unsigned copy)
{
    unsigned source = source_of_copy(e, copy);
    return source ? unit_get_source(e->unit, source)->line : 0;
}

static void put_copy(struct encoder *e, unsigned number)
{
    const struct part_copy *copy = distinct_get(&e->part->copies, number);
    bool with_file = e->detail && (!copy->call_file ||
                                   copy->call_file != file_of_copy(e, copy->parent));

    put_uleb(e->sink, 2 * (number - copy->parent) + with_file);
    put_uleb(e->sink, copy->source);
    if (!e->detail)
        return;
    if (with_file)
        put_uleb(e->sink, copy->call_file);
    if (!copy->call_file)
        return;
    put_sleb(e->sink, (long)copy->call_line - line_of_copy(e, copy->parent));
    if (e->detail == CCPROF_POSITION_EXPRESSION)
        put_uleb(e->sink, copy->call_column);
}

static enum ccprof_shape shape_of(const struct encoder *e, const struct part_point *point)
{
    const struct part_position *p = &point->position;

    if (!e->detail || !p->file)
        return CCPROF_SHAPE_UNKNOWN;
    if (p->file != file_of_copy(e, point->copy))
        return CCPROF_SHAPE_FULL;
    if (e->detail == CCPROF_POSITION_LINE || !p->start_column)
        return CCPROF_SHAPE_PLACE;
    bool one_line = p->start_line == p->line && p->end_line == p->line;
    bool includes = p->start_column <= p->column && p->column <= p->end_column;
    return one_line && includes ? CCPROF_SHAPE_RANGE : CCPROF_SHAPE_FULL;
}

static void put_halves(const struct encode_sink *sink, unsigned before, unsigned after)
{
    unsigned most = CCPROF_HALF_EXPLICIT;
    unsigned upper = before < most ? before : most, lower = after < most ? after : most;

    sink->byte(sink->data, (unsigned char)(upper << 4 | lower));
    if (upper == most)
        put_uleb(sink, before - most);
    if (lower == most)
        put_uleb(sink, after - most);
}

static void put_columns(struct encoder *e, enum ccprof_shape shape,
                        const struct part_position *p)
{
    put_uleb(e->sink, p->column);
    if (shape == CCPROF_SHAPE_RANGE) {
        put_halves(e->sink, p->column - p->start_column, p->end_column - p->column);
    } else if (shape == CCPROF_SHAPE_FULL) {
        put_sleb(e->sink, p->start_column ? (long)p->line - p->start_line : 0);
        put_uleb(e->sink, p->start_column);
        put_sleb(e->sink, p->start_column ? (long)p->end_line - p->line : 0);
        put_uleb(e->sink, p->start_column ? p->end_column : 0);
    }
}

static void put_full(struct encoder *e, const struct part_point *point)
{
    const struct part_position *p = &point->position;
    enum ccprof_shape shape = shape_of(e, point);
    long line = shape ? (long)p->line - e->last_line[point->copy] : 0;
    long field = line + CCPROF_CODE_LINE_BIAS;
    bool near = field >= 0 && field < CCPROF_CODE_LINE_EXPLICIT;
    bool moves = point->copy != e->copy;

    if (!shape)
        field = 0;
    else if (!near)
        field = CCPROF_CODE_LINE_EXPLICIT;
    put_uleb(e->sink, (unsigned long)field << CCPROF_CODE_LINE_SHIFT |
                          (unsigned)shape << CCPROF_CODE_SHAPE_SHIFT |
                          (moves ? CCPROF_CODE_COPY : 0));
    if (moves)
        put_sleb(e->sink, (long)point->copy - e->copy);
    if (!shape)
        return;
    if (shape == CCPROF_SHAPE_FULL)
        put_uleb(e->sink, p->file == file_of_copy(e, point->copy) ? 0 : p->file);
    if (!near)
        put_sleb(e->sink, line);
    e->last_line[point->copy] = p->line;
    if (e->detail == CCPROF_POSITION_EXPRESSION)
        put_columns(e, shape, p);
}

static void put_entry(struct encoder *e, const struct part_entry *entry)
{
    const struct part_point *point = distinct_get(&e->part->points, entry->point);
    unsigned *full = &e->full[entry->point];

    if (!e->detail) {
        put_sleb(e->sink, (long)point->copy - e->copy);
    } else if (*full) {
        put_uleb(e->sink, CCPROF_CODE_AGAIN + e->full_count - *full);
    } else {
        put_full(e, point);
        *full = ++e->full_count;
    }
    e->copy = point->copy;
}

void encode_part(const struct part *part, const struct unit *unit,
                 enum ccprof_position detail, unsigned previous_end,
                 const struct encode_sink *sink)
{
    struct encoder e = {part, unit, detail, sink, 0, NULL, NULL, 0};
    unsigned copies = part->copies.count;

    e.last_line = memory_zeroed(copies + 1, sizeof *e.last_line);
    e.full = memory_zeroed(part->points.count + 1, sizeof *e.full);
    for (unsigned i = 0; i <= copies; i++)
        e.last_line[i] = line_of_copy(&e, i);

    sink->distance(sink->data, part->start_label, part->end_label, 1);
    sink->distance(sink->data, previous_end, part->start_label, 0);
    put_uleb(sink, part->source);
    put_uleb(sink, copies);
    for (unsigned i = 1; i <= copies; i++)
        put_copy(&e, i);
    put_uleb(sink, part->count);
    unsigned label = part->start_label;
    for (size_t i = 0; i < part->count; i++) {
        sink->distance(sink->data, label, part->entries[i].label, 0);
        put_entry(&e, &part->entries[i]);
        label = part->entries[i].label;
    }

    memory_free(e.last_line);
    memory_free(e.full);
}

static void put_file(const struct unit *unit, unsigned number,
                     const struct encode_sink *sink)
{
    struct unit_hash hash = unit_get_hash(unit, number);

    sink->string(sink->data, unit_get_file(unit, number));
    for (unsigned i = 0; i < CCPROF_HASH_SIZE; i++)
        sink->byte(sink->data, hash.bytes[i]);
}

/* Writes a source. The symbol is only written if it differs from the name. EMPTY is
   the string "". */
static void put_source(const struct unit_source *source, unsigned empty,
                       const struct encode_sink *sink)
{
    bool has_symbol = source->symbol != source->name;

    sink->string(sink->data, source->name);
    put_uleb(sink, source->flags | (has_symbol ? CCPROF_SOURCE_SYMBOL : 0));
    if (has_symbol)
        sink->string(sink->data, source->symbol ? source->symbol : empty);
    put_uleb(sink, source->file);
    put_uleb(sink, source->line);
    put_uleb(sink, source->column);
}

void encode_unit(const struct unit *unit, enum ccprof_position detail, unsigned directory,
                 unsigned empty, const struct encode_sink *sink)
{
    sink->byte(sink->data, CCPROF_UNIT_VERSION);
    sink->byte(sink->data, detail);
    sink->string(sink->data, directory);
    put_uleb(sink, unit->files.count);
    for (unsigned i = 1; i <= unit->files.count; i++)
        put_file(unit, i, sink);
    put_uleb(sink, unit->sources.count);
    for (unsigned i = 1; i <= unit->sources.count; i++)
        put_source(unit_get_source(unit, i), empty, sink);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_place(const struct typed_call *a, const struct typed_call *b)
{
    int order = compare_numbers(a->source, b->source);

    if (!order)
        order = compare_numbers(a->file, b->file);
    if (!order)
        order = compare_numbers(a->line, b->line);
    return order ? order : compare_numbers(a->column, b->column);
}

/* At the same position, calls with unknown type come first. */
static int by_call(const void *one, const void *other)
{
    const struct typed_call *a = one, *b = other;
    int order = by_place(a, b);

    return order ? order : compare_numbers(a->type, b->type);
}

static enum typed_returned join_returned(enum typed_returned a, enum typed_returned b)
{
    if (a == TYPED_UNKNOWN || b == TYPED_UNKNOWN)
        return a == TYPED_UNKNOWN ? b : a;
    return a == b ? a : TYPED_KEPT;
}

size_t typed_sort(struct typed_call *calls, size_t count)
{
    size_t kept = 0;

    if (count)
        qsort(calls, count, sizeof *calls, by_call);
    for (size_t i = 0, next; i < count; i = next) {
        struct typed_call call = calls[i];
        bool differ = false;

        for (next = i + 1; next < count && !by_place(&calls[next], &call); next++) {
            differ |= call.type && call.type != calls[next].type;
            call.type = calls[next].type;
            call.returned = join_returned(call.returned, calls[next].returned);
        }
        if (!differ && (call.type || call.returned == TYPED_RETURNED))
            calls[kept++] = call;
    }
    return kept;
}

/* Numbers the types from 1, in the order of the calls. */
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

static int by_term(const void *one, const void *other)
{
    const struct terms_term *a = one, *b = other;

    if (a->flow != b->flow)
        return compare_numbers(a->flow, b->flow);
    if (a->number != b->number)
        return compare_numbers(a->number, b->number);
    if (a->counter != b->counter)
        return compare_numbers(a->counter, b->counter);
    return compare_numbers(a->negative, b->negative);
}

void terms_sort(struct terms_term *terms, size_t count)
{
    if (count)
        qsort(terms, count, sizeof *terms, by_term);
}

void terms_put(leb_sink *sink, void *data, const struct terms_term *term,
               const struct terms_term *before)
{
    uint32_t number = before && before->flow == term->flow ? before->number : 0;
    int64_t counter = before ? before->counter : 0;

    leb_unsigned(sink, data, 2 * (uint64_t)(term->number - number) + term->negative);
    leb_signed(sink, data, term->counter - counter);
}

void machine_table_encode_edges(unsigned vertices, const struct machine_edge *edges,
                                size_t count, bool inclusive,
                                const struct encode_sink *sink)
{
    leb_unsigned(sink->byte, sink->data, vertices);
    leb_unsigned(sink->byte, sink->data, count);
    for (size_t i = 0; i < count; i++) {
        leb_unsigned(sink->byte, sink->data, edges[i].from);
        leb_unsigned(sink->byte, sink->data, edges[i].to);
        leb_unsigned(sink->byte, sink->data, edges[i].counter);
        if (inclusive)
            leb_unsigned(sink->byte, sink->data, edges[i].instructions);
    }
}

void machine_table_encode_segments(const struct machine_segment *segments, size_t count,
                                   const struct encode_sink *sink)
{
    leb_unsigned(sink->byte, sink->data, count);
    for (size_t i = 0; i < count; i++) {
        const struct machine_segment *segment = &segments[i];
        bool falls = segment->falls != MACHINE_NO_EDGE;
        unsigned before = i ? segments[i - 1].end : segment->start;

        sink->distance(sink->data, before, segment->start, 0);
        sink->distance(sink->data, segment->start, segment->end, 0);
        leb_unsigned(sink->byte, sink->data,
                     segment->edge << CCPROF_MACHINE_SHIFT |
                         (falls ? CCPROF_MACHINE_FALLS : 0) |
                         (segment->is_counter ? CCPROF_MACHINE_OWN : 0));
        if (falls)
            leb_unsigned(sink->byte, sink->data, segment->falls);
    }
}

void machine_table_encode_calls(unsigned start, const struct machine_call *calls,
                                size_t count, const struct encode_sink *sink)
{
    leb_unsigned(sink->byte, sink->data, count);
    for (size_t i = 0; i < count; i++) {
        sink->distance(sink->data, i ? calls[i - 1].back : start, calls[i].back, 0);
        leb_unsigned(sink->byte, sink->data, calls[i].pair);
    }
}
