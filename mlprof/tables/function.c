/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes a function of the tables: its copies, its points, and the point at each
   address (doc/tables.md, "Stream" and "Codes"). tables.c calls it when the function is
   first used. */

#include "mlprof/tables/tables.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The state of decoding a function. */
struct decoder {
    struct reader *reader;
    struct function *function;
    uint32_t copy; /* copy of the previous point */
};

static uint32_t read_file(struct reader *reader, const struct unit *unit)
{
    return (uint32_t)reader_uleb_to(reader, unit->file_count, "no file has this number");
}

static uint32_t read_column(struct reader *reader)
{
    return (uint32_t)reader_uleb_to(reader, UINT32_MAX, "column too large");
}

static uint32_t source_file(const struct unit *unit, uint32_t source)
{
    return source ? unit_source(unit, source)->file : 0;
}

static uint32_t source_line(const struct unit *unit, uint32_t source)
{
    return source ? unit_source(unit, source)->line : 0;
}

static struct function_copy *new_copy(struct function *function)
{
    struct function_copy *copy = &BUF_PUSH(function->copies);
    memset(copy, 0, sizeof *copy);
    return copy;
}

static void set_source(struct decoder *decoder, struct function_copy *copy)
{
    const struct unit *unit = decoder->function->unit;
    copy->source = (uint32_t)reader_uleb_to(decoder->reader, unit->source_count,
                                            "no source has this number");
    copy->last = source_line(unit, copy->source);
}

/* Returns the source of copy NUMBER; NULL if the source is not shown. */
static const struct unit_source *shown_source(const struct function *function,
                                              uint32_t number)
{
    const uint32_t source = function->copies.list[number].source;
    return number ? unit_shown(function->unit, source)
                  : unit_shown_itself(function->unit, source);
}

/* Sets the innermost shown copy of COPY. */
static void set_shown(const struct function *function, struct function_copy *copy)
{
    uint32_t number = (uint32_t)(copy - function->copies.list);
    if (shown_source(function, number))
        copy->shown = number;
    else if (number == 0)
        copy->shown = FUNCTION_NO_COPY;
    else
        copy->shown = function->copies.list[copy->parent].shown;
}

static void read_call(struct decoder *decoder, struct function_copy *copy, bool has_file)
{
    struct reader *reader = decoder->reader;
    const struct unit *unit = decoder->function->unit;
    uint32_t outer = decoder->function->copies.list[copy->parent].source;

    copy->call.file = has_file ? read_file(reader, unit) : source_file(unit, outer);
    if (has_file && copy->call.file == 0)
        return;
    copy->call.line =
        reader_sleb_from(reader, source_line(unit, outer), "line out of range");
    if (unit->position == CCPROF_POSITION_EXPRESSION)
        copy->call.column = read_column(reader);
}

static void read_copy(struct decoder *decoder)
{
    struct function *function = decoder->function;
    uint32_t number = (uint32_t)function->copies.count;
    struct function_copy *copy = new_copy(function);

    uint64_t word = reader_uleb(decoder->reader);
    uint64_t distance = word >> 1;
    if (distance == 0 || distance > number) {
        reader_fail(decoder->reader, "a copy inside none before it");
        return;
    }
    copy->parent = number - (uint32_t)distance;
    set_source(decoder, copy);
    set_shown(function, copy);
    if (function->unit->position != CCPROF_POSITION_NONE)
        read_call(decoder, copy, word & 1);
    else if (word & 1)
        reader_fail(decoder->reader, "a position in a unit without positions");
}

static void read_copies(struct decoder *decoder)
{
    struct function_copy *itself = new_copy(decoder->function);
    set_source(decoder, itself);
    set_shown(decoder->function, itself);
    uint64_t count = reader_uleb_to(decoder->reader, UINT32_MAX - 1, "too many copies");
    for (uint64_t i = 0; i < count && !decoder->reader->wrong; i++)
        read_copy(decoder);
}

static struct function_point *new_point(struct function *function)
{
    struct function_point *point = &BUF_PUSH(function->points);
    memset(point, 0, sizeof *point);
    return point;
}

static void read_line(struct decoder *decoder, struct function_copy *copy, unsigned code,
                      struct function_position *position)
{
    struct reader *reader = decoder->reader;
    unsigned field = code >> CCPROF_CODE_LINE_SHIFT;
    if (field == CCPROF_CODE_LINE_EXPLICIT)
        position->line = reader_sleb_from(reader, copy->last, "line out of range");
    else
        position->line =
            reader_moved(reader, copy->last, (int64_t)field - CCPROF_CODE_LINE_BIAS,
                         "line out of range");
    copy->last = position->line;
}

static void read_position(struct decoder *decoder, struct function_copy *copy,
                          unsigned code, struct function_position *position)
{
    struct reader *reader = decoder->reader;
    const struct unit *unit = decoder->function->unit;
    unsigned shape = code >> CCPROF_CODE_SHAPE_SHIFT & CCPROF_CODE_SHAPE_MASK;
    bool columns = unit->position == CCPROF_POSITION_EXPRESSION;

    if (!columns && shape == CCPROF_SHAPE_RANGE) {
        reader_fail(reader, "a position of a kind that the unit has not");
        return;
    }
    if (shape == CCPROF_SHAPE_UNKNOWN) {
        if (code >> CCPROF_CODE_LINE_SHIFT)
            reader_fail(reader, "a line without a position");
        return;
    }
    if (shape == CCPROF_SHAPE_FULL)
        position->file = read_file(reader, unit);
    if (position->file == 0)
        position->file = source_file(unit, copy->source);
    read_line(decoder, copy, code, position);
    if (columns)
        position->column = read_column(reader);
    if (columns && shape == CCPROF_SHAPE_RANGE) {
        uint8_t halves = reader_u8(reader);
        position->start_line = position->end_line = position->line;
        extent_read_halves(reader, position->column, halves, CCPROF_HALF_EXPLICIT,
                           &position->start_column, &position->end_column);
    }
    if (columns && shape == CCPROF_SHAPE_FULL) {
        position->start_line =
            extent_read_rise(reader, position->line, "line out of range");
        position->start_column = read_column(reader);
        position->end_line =
            reader_sleb_from(reader, position->line, "line out of range");
        position->end_column = read_column(reader);
    }
}

static uint32_t read_next_copy(struct decoder *decoder)
{
    uint32_t copy = reader_sleb_from(decoder->reader, decoder->copy, "no such copy");
    if (copy < decoder->function->copies.count)
        return copy;
    reader_fail(decoder->reader, "no such copy");
    return 0;
}

/* Reads a point and returns its number. */
static uint32_t read_point(struct decoder *decoder, unsigned code)
{
    struct function *function = decoder->function;
    uint32_t number = (uint32_t)function->points.count;
    struct function_point *point = new_point(function);

    point->copy = code & CCPROF_CODE_COPY ? read_next_copy(decoder) : decoder->copy;
    read_position(decoder, &function->copies.list[point->copy], code, &point->position);
    return number;
}

static uint32_t earlier_point(struct decoder *decoder, uint64_t back)
{
    size_t count = decoder->function->points.count;
    if (back < count - 1)
        return (uint32_t)(count - 1 - back);
    reader_fail(decoder->reader, "no such earlier point");
    return 0;
}

static uint32_t read_coded_point(struct decoder *decoder)
{
    uint64_t code = reader_uleb(decoder->reader);
    return code < CCPROF_CODE_AGAIN ? read_point(decoder, (unsigned)code)
                                    : earlier_point(decoder, code - CCPROF_CODE_AGAIN);
}

/* Reads a point without a position and returns its number. */
static uint32_t read_plain_point(struct decoder *decoder)
{
    uint32_t number = (uint32_t)decoder->function->points.count;
    new_point(decoder->function)->copy = read_next_copy(decoder);
    return number;
}

static void read_entries(struct decoder *decoder)
{
    struct reader *reader = decoder->reader;
    struct function *function = decoder->function;
    uint64_t count = reader_uleb_to(reader, UINT32_MAX - 1, "too many entries");
    uint64_t offset = 0;

    new_point(function);
    for (uint64_t i = 0; i < count && !reader->wrong; i++) {
        offset += reader_uleb_to(reader, function->size - offset,
                                 "an entry after the function's end");
        uint32_t point = function->unit->position == CCPROF_POSITION_NONE
                             ? read_plain_point(decoder)
                             : read_coded_point(decoder);
        if (reader->wrong)
            return;
        decoder->copy = function->points.list[point].copy;
        BUF_PUSH(function->entries) =
            (struct function_entry){.offset = offset, .point = point};
    }
}

bool function_read(struct function *function, struct reader *reader,
                   const struct unit *unit, uint64_t size)
{
    struct decoder decoder = {.reader = reader, .function = function};
    function->unit = unit;
    function->size = size;
    function->copies.count = function->points.count = function->entries.count = 0;
    read_copies(&decoder);
    if (!reader->wrong)
        read_entries(&decoder);
    return !reader->wrong;
}

void function_free(struct function *function)
{
    free(function->copies.list);
    free(function->points.list);
    free(function->entries.list);
}

/* Copies an array to *SPACE and moves *SPACE to the end of the copy. */
static void *copy_array(char **space, const void *array, size_t size)
{
    char *kept = *space;
    if (size)
        memcpy(kept, array, size);
    *space += size;
    return kept;
}

const struct function *function_keep(const struct function *function, struct pool *pool)
{
    size_t entries = function->entries.count * sizeof *function->entries.list,
           points = function->points.count * sizeof *function->points.list,
           copies = function->copies.count * sizeof *function->copies.list;
    struct function *kept = pool_alloc(pool, sizeof *kept + entries + points + copies);
    char *space = (char *)(kept + 1);
    *kept = *function;
    /* The array with the strictest alignment must come first. */
    kept->entries.list = copy_array(&space, function->entries.list, entries);
    kept->points.list = copy_array(&space, function->points.list, points);
    kept->copies.list = copy_array(&space, function->copies.list, copies);
    return kept;
}

/* Returns the last entry at or before OFFSET; NULL if there is none. */
static const struct function_entry *find_entry(const struct function *function,
                                               uint64_t offset)
{
    size_t low;
    BUF_SEARCH(low, function->entries.count, i,
               function->entries.list[i].offset <= offset);
    return low ? &function->entries.list[low - 1] : NULL;
}

uint32_t function_point_at(const struct function *function, uint64_t offset)
{
    assert(offset < function->size);
    const struct function_entry *entry = find_entry(function, offset);
    return entry ? entry->point : 0;
}

uint64_t function_entry_before(const struct function *function, uint64_t offset)
{
    const struct function_entry *entry = find_entry(function, offset);
    return entry ? entry->offset : 0;
}

struct function_frames function_frames(const struct function *function, uint32_t point)
{
    assert(point < function->points.count);
    const struct function_point *entry = &function->points.list[point];
    return (struct function_frames){
        .function = function, .copy = entry->copy, .position = entry->position};
}

bool function_frames_next(struct function_frames *frames, struct function_frame *frame)
{
    while (frames->copy != FUNCTION_NO_COPY) {
        uint32_t number = frames->copy;
        const struct function_copy *copy = &frames->function->copies.list[number];
        frame->source = shown_source(frames->function, number);
        frame->copy = number;
        frame->position = frames->position;
        frames->copy = number ? copy->parent : FUNCTION_NO_COPY;
        frames->position = copy->call;
        if (frame->source)
            return true;
    }
    return false;
}

const struct unit_source *function_innermost(const struct function *function,
                                             uint32_t point)
{
    uint32_t shown = function->copies.list[function->points.list[point].copy].shown;
    if (shown == FUNCTION_NO_COPY)
        return NULL;
    return unit_source(function->unit, function->copies.list[shown].source);
}
