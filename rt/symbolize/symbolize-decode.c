/* SPDX-License-Identifier: MIT */
/* Decodes the tables for symbolize.c: finds a source or a source file in a unit, and
   reads a function in a stream, with its copies of sources and its points. Owns no
   data. Each search reads the unit from its start, which is fast enough since
   searches are rare. */

#include "rt/format.h"
#include "rt/unwind/unwind-bytes.h"
#include "rt/symbolize/symbolize.h"

/* Size of a file in a unit, in bytes: its name and its hash. */
#define FILE_SIZE (4 + CCPROF_HASH_SIZE)

/* ccprof_symbolize_index has checked that the last string ends with NUL. */
static const char *unit_string(const struct ccprof_pages *strings, uint64_t offset)
{
    return offset < strings->size ? (const char *)strings->start + offset : NULL;
}

bool ccprof_symbolize_unit(const struct ccprof_symbolizer *symbolizer, uint64_t offset,
                           struct ccprof_symbolize_unit *unit, unsigned *detail)
{
    const struct ccprof_pages *units = &symbolizer->units;
    struct ccprof_bytes bytes = {units->start, units->start + units->size, false};
    uint64_t length;
    unsigned version;

    ccprof_bytes_skip(&bytes, offset);
    length = ccprof_bytes_fixed(&bytes, 4);
    if (bytes.bad || length > (uint64_t)(bytes.end - bytes.next))
        return false;
    bytes.end = bytes.next + length;
    version = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    *detail = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    ccprof_bytes_skip(&bytes, 4);
    *unit = (struct ccprof_symbolize_unit){&symbolizer->strings, bytes.next, bytes.end};
    return !bytes.bad && version == CCPROF_UNIT_VERSION &&
           *detail <= CCPROF_POSITION_EXPRESSION;
}

bool ccprof_symbolize_source(const struct ccprof_symbolize_unit *unit, uint32_t number,
                             struct ccprof_symbolize_source *source)
{
    struct ccprof_bytes bytes = {unit->start, unit->end, false};
    uint64_t files = ccprof_bytes_unsigned_leb(&bytes), name = 0, file = 0, line = 0;

    if (files > (uint64_t)(bytes.end - bytes.next) / FILE_SIZE)
        return false;
    ccprof_bytes_skip(&bytes, FILE_SIZE * files);
    if (number > ccprof_bytes_unsigned_leb(&bytes))
        return false;
    for (uint32_t i = 0; i < number && !bytes.bad; i++) {
        name = ccprof_bytes_fixed(&bytes, 4);
        if (ccprof_bytes_unsigned_leb(&bytes) & CCPROF_SOURCE_SYMBOL)
            ccprof_bytes_skip(&bytes, 4);
        file = ccprof_bytes_unsigned_leb(&bytes);
        line = ccprof_bytes_unsigned_leb(&bytes);
        ccprof_bytes_unsigned_leb(&bytes); /* column */
    }
    source->name = unit_string(unit->strings, name);
    source->file = (uint32_t)file;
    source->line = (uint32_t)line;
    return number != 0 && !bytes.bad && source->name && file <= files &&
           line <= UINT32_MAX;
}

const char *ccprof_symbolize_file(const struct ccprof_symbolize_unit *unit,
                                  uint32_t number)
{
    struct ccprof_bytes bytes = {unit->start, unit->end, false};
    uint64_t files = ccprof_bytes_unsigned_leb(&bytes), name;

    if (number == 0 || number > files)
        return NULL;
    ccprof_bytes_skip(&bytes, FILE_SIZE * (uint64_t)(number - 1));
    name = ccprof_bytes_fixed(&bytes, 4);
    return bytes.bad ? NULL : unit_string(unit->strings, name);
}

static uint64_t function_read_number(struct ccprof_bytes *bytes, uint64_t most)
{
    uint64_t number = ccprof_bytes_unsigned_leb(bytes);
    if (number <= most)
        return number;
    bytes->bad = true;
    return 0;
}

static uint32_t function_read_small(struct ccprof_bytes *bytes)
{
    return (uint32_t)function_read_number(bytes, UINT32_MAX - 1);
}

/* Reads a distance and adds it to FROM. The result must fit into 32 bits, as lines
   and numbers of copies do. */
static int64_t function_read_moved(struct ccprof_bytes *bytes, int64_t from)
{
    int64_t distance = ccprof_bytes_signed_leb(bytes), to;
    if (!__builtin_add_overflow(from, distance, &to) && to >= -(int64_t)UINT32_MAX &&
        to <= (int64_t)UINT32_MAX)
        return to;
    bytes->bad = true;
    return 0;
}

static bool function_has_columns(const struct ccprof_symbolize_function *function)
{
    return function->detail == CCPROF_POSITION_EXPRESSION;
}

static void function_read_call(struct ccprof_symbolize_function *function,
                               struct ccprof_bytes *bytes, bool has_file,
                               struct ccprof_symbolize_position *call)
{
    *call = (struct ccprof_symbolize_position){CCPROF_SYMBOLIZE_SOURCES, 0, 0};
    if (has_file)
        call->file = function_read_small(bytes);
    if (call->file == 0)
        return;
    call->line = function_read_moved(bytes, 0);
    if (function_has_columns(function))
        call->column = function_read_small(bytes);
}

static void function_read_copy(struct ccprof_symbolize_function *function,
                               struct ccprof_bytes *bytes, uint32_t number)
{
    struct ccprof_symbolize_copy copy = {0, 0, {0, 0, 0}, 0};

    if (number != 0) {
        uint64_t word = ccprof_bytes_unsigned_leb(bytes), distance = word >> 1;
        if (distance == 0 || distance > number) {
            bytes->bad = true;
            return;
        }
        copy.parent = number - (uint32_t)distance;
        copy.source = function_read_small(bytes);
        if (function->detail != CCPROF_POSITION_NONE)
            function_read_call(function, bytes, word & 1, &copy.call);
        else if (word & 1)
            bytes->bad = true;
    } else {
        copy.source = function_read_small(bytes);
    }
    if (function->copies && !bytes->bad)
        function->copies[number] = copy;
}

static void function_read_copies(struct ccprof_symbolize_function *function,
                                 struct ccprof_bytes *bytes)
{
    uint32_t count;

    function_read_copy(function, bytes, 0);
    count = function_read_small(bytes);
    for (uint32_t i = 1; i <= count && !bytes->bad; i++)
        function_read_copy(function, bytes, i);
    function->copy_count = count + 1;
}

static void function_skip_half(struct ccprof_bytes *bytes, unsigned half)
{
    if (half == CCPROF_HALF_EXPLICIT)
        function_read_small(bytes);
}

/* Skips the range after a position, which the symbolizer does not need. */
static void function_skip_range(struct ccprof_bytes *bytes, unsigned shape)
{
    if (shape == CCPROF_SHAPE_RANGE) {
        unsigned halves = (unsigned)ccprof_bytes_fixed(bytes, 1);
        function_skip_half(bytes, halves >> 4);
        function_skip_half(bytes, halves & 15);
    } else if (shape == CCPROF_SHAPE_FULL) {
        function_read_moved(bytes, 0);
        function_read_small(bytes);
        function_read_moved(bytes, 0);
        function_read_small(bytes);
    }
}

static int64_t function_read_line(struct ccprof_bytes *bytes, unsigned code, int64_t last)
{
    unsigned field = code >> CCPROF_CODE_LINE_SHIFT;
    if (field == CCPROF_CODE_LINE_EXPLICIT)
        return function_read_moved(bytes, last);
    return last + (int64_t)field - CCPROF_CODE_LINE_BIAS;
}

/* Reads a position. *LAST is the line of the copy's previous point, and is set to the
   line of this point. */
static void function_read_position(struct ccprof_symbolize_function *function,
                                   struct ccprof_bytes *bytes, unsigned code,
                                   int64_t *last,
                                   struct ccprof_symbolize_position *position)
{
    unsigned shape = code >> CCPROF_CODE_SHAPE_SHIFT & CCPROF_CODE_SHAPE_MASK;

    *position = (struct ccprof_symbolize_position){0, 0, 0};
    if (shape == CCPROF_SHAPE_UNKNOWN) {
        bytes->bad = bytes->bad || code >> CCPROF_CODE_LINE_SHIFT != 0;
        return;
    }
    if (shape == CCPROF_SHAPE_FULL)
        position->file = function_read_small(bytes);
    if (position->file == 0)
        position->file = CCPROF_SYMBOLIZE_SOURCES;
    position->line = *last = function_read_line(bytes, code, *last);
    if (function_has_columns(function)) {
        position->column = function_read_small(bytes);
        function_skip_range(bytes, shape);
    } else if (shape == CCPROF_SHAPE_RANGE) {
        bytes->bad = true;
    }
}

/* Reads the copy of a point. */
static uint32_t function_next_copy(struct ccprof_symbolize_function *function,
                                   struct ccprof_bytes *bytes, uint32_t copy)
{
    int64_t next = function_read_moved(bytes, copy);

    if (!function->copies)
        return 0;
    if (next >= 0 && next < function->copy_count)
        return (uint32_t)next;
    bytes->bad = true;
    return 0;
}

/* Reads a point that is stored completely. COPY is the copy of the previous point. */
static void function_read_full_point(struct ccprof_symbolize_function *function,
                                     struct ccprof_bytes *bytes, unsigned code,
                                     uint32_t copy, struct ccprof_symbolize_point *point)
{
    int64_t unused = 0, *last = &unused;

    point->copy = copy;
    if (code & CCPROF_CODE_COPY)
        point->copy = function_next_copy(function, bytes, copy);
    if (function->copies && !bytes->bad)
        last = &function->copies[point->copy].last;
    if (function->detail != CCPROF_POSITION_NONE)
        function_read_position(function, bytes, code, last, &point->position);
    if (function->points && !bytes->bad)
        function->points[function->point_count] = *point;
    function->point_count++;
}

static void function_repeat_point(struct ccprof_symbolize_function *function,
                                  struct ccprof_bytes *bytes, uint64_t back,
                                  struct ccprof_symbolize_point *point)
{
    if (back >= function->point_count)
        bytes->bad = true;
    else if (function->points)
        *point = function->points[function->point_count - 1 - back];
}

static void function_read_point(struct ccprof_symbolize_function *function,
                                struct ccprof_bytes *bytes,
                                struct ccprof_symbolize_point *point)
{
    uint64_t code = CCPROF_CODE_COPY;

    if (function->detail != CCPROF_POSITION_NONE)
        code = ccprof_bytes_unsigned_leb(bytes);
    if (code < CCPROF_CODE_AGAIN)
        function_read_full_point(function, bytes, (unsigned)code, point->copy, point);
    else
        function_repeat_point(function, bytes, code - CCPROF_CODE_AGAIN, point);
}

void ccprof_symbolize_function(struct ccprof_symbolize_function *function,
                               struct ccprof_bytes *bytes)
{
    struct ccprof_symbolize_point point = {0, {0, 0, 0}};
    uint64_t offset = 0;
    uint32_t count;

    function->point_count = 0;
    function->point = point;
    function_read_copies(function, bytes);
    count = function_read_small(bytes);
    for (uint32_t i = 0; i < count && !bytes->bad; i++) {
        offset += function_read_number(bytes, function->length - offset);
        function_read_point(function, bytes, &point);
        if (offset <= function->target)
            function->point = point;
    }
}
