/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/encode.h"
#include "plugin/tables/leb.h"
#include "plugin/tables/memory.h"

#include <stdbool.h>

struct encoder {
    const struct part *part;
    const struct unit *unit;
    enum ccprof_position detail;
    const struct encode_sink *sink;
    unsigned copy;       /* of the entry before */
    unsigned *last_line; /* for each copy */
    unsigned *spelt; /* for each point: which one to be spelt out it was, 0: not yet */
    unsigned spelt_count;
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
    bool around = p->start_column <= p->column && p->column <= p->end_column;
    return one_line && around ? CCPROF_SHAPE_RANGE : CCPROF_SHAPE_FULL;
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

static void spell_out(struct encoder *e, const struct part_point *point)
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
    unsigned *spelt = &e->spelt[entry->point];

    if (!e->detail) {
        put_sleb(e->sink, (long)point->copy - e->copy);
    } else if (*spelt) {
        put_uleb(e->sink, CCPROF_CODE_AGAIN + e->spelt_count - *spelt);
    } else {
        spell_out(e, point);
        *spelt = ++e->spelt_count;
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
    e.spelt = memory_zeroed(part->points.count + 1, sizeof *e.spelt);
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
    memory_free(e.spelt);
}

static void put_file(const struct unit *unit, unsigned number,
                     const struct encode_sink *sink)
{
    struct unit_hash hash = unit_get_hash(unit, number);

    sink->string(sink->data, unit_get_file(unit, number));
    for (unsigned i = 0; i < CCPROF_HASH_SIZE; i++)
        sink->byte(sink->data, hash.bytes[i]);
}

/* A symbol that is the name is not told.  EMPTY is the string "".  */
static void put_source(const struct unit_source *source, unsigned empty,
                       const struct encode_sink *sink)
{
    bool told = source->symbol != source->name;

    sink->string(sink->data, source->name);
    put_uleb(sink, source->flags | (told ? CCPROF_SOURCE_SYMBOL : 0));
    if (told)
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
