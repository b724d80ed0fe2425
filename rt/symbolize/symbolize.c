/* SPDX-License-Identifier: MIT */
/* Indexes the functions of the tables by address, and visits the source functions at
   an address. Owns no data: all memory belongs to the symbolizer. */

#include <string.h>

#include "rt/symbolize/symbolize.h"
#include "rt/format.h"
#include "rt/unwind/unwind-bytes.h"

static const char symbolize_damaged[] = "its tables are damaged";

/* The state of a walk over the streams. */
struct symbolize_walk {
    const struct ccprof_symbolizer *symbolizer;
    struct ccprof_bytes bytes;
    bool started; /* a stream's head was read */
    bool dropped; /* the linker has removed this stream's code */
    uint32_t unit;
    unsigned detail;
    uint64_t address; /* end of the last function */
};

static bool symbolize_fail(struct symbolize_walk *walk)
{
    walk->bytes.bad = true;
    return false;
}

static void symbolize_head(struct symbolize_walk *walk)
{
    struct ccprof_symbolize_unit unit;
    uint64_t version = ccprof_bytes_fixed(&walk->bytes, 1);

    walk->unit = (uint32_t)ccprof_bytes_fixed(&walk->bytes, 4);
    walk->address = ccprof_bytes_fixed(&walk->bytes, 8);
    walk->dropped = walk->address == 0;
    walk->started = true;
    if (version != CCPROF_TABLES_VERSION ||
        !ccprof_symbolize_unit(walk->symbolizer, walk->unit, &unit, &walk->detail))
        symbolize_fail(walk);
}

/* Reads a function after its size has been read. */
static void symbolize_entry(struct symbolize_walk *walk, uint64_t length,
                            struct ccprof_symbolize_entry *entry)
{
    struct ccprof_symbolize_function function = {.detail = walk->detail,
                                                 .length = length};
    const uint8_t *body;

    if (__builtin_add_overflow(walk->address, ccprof_bytes_unsigned_leb(&walk->bytes),
                               &entry->start) ||
        __builtin_add_overflow(entry->start, length, &entry->end)) {
        symbolize_fail(walk);
        return;
    }
    body = walk->bytes.next;
    ccprof_symbolize_function(&function, &walk->bytes);
    entry->body = (uint32_t)(body - walk->symbolizer->streams.start);
    entry->size = (uint32_t)(walk->bytes.next - body);
    entry->unit = walk->unit;
    walk->address = entry->end;
}

/* Reads the next function that has code. Returns false at the end, and on errors. */
static bool symbolize_next(struct symbolize_walk *walk,
                           struct ccprof_symbolize_entry *entry)
{
    while (!walk->bytes.bad && walk->bytes.next < walk->bytes.end) {
        uint64_t size = ccprof_bytes_unsigned_leb(&walk->bytes);
        if (size == 0) {
            symbolize_head(walk);
        } else if (!walk->started) {
            return symbolize_fail(walk);
        } else {
            symbolize_entry(walk, size - 1, entry);
            if (size > 1 && !walk->dropped && !walk->bytes.bad)
                return true;
        }
    }
    return false;
}

static void symbolize_start_walk(struct symbolize_walk *walk,
                                 const struct ccprof_symbolizer *symbolizer)
{
    *walk = (struct symbolize_walk){.symbolizer = symbolizer};
    walk->bytes.next = symbolizer->streams.start;
    walk->bytes.end = symbolizer->streams.start + symbolizer->streams.size;
}

static struct ccprof_symbolize_entry *
symbolize_entries(const struct ccprof_symbolizer *symbolizer)
{
    return (struct ccprof_symbolize_entry *)(void *)symbolizer->index.start;
}

static bool symbolize_before(const struct ccprof_symbolize_entry *a,
                             const struct ccprof_symbolize_entry *b)
{
    return a->start != b->start ? a->start < b->start : a->order < b->order;
}

/* A step of heap sort (Knuth, TAOCP 3, 5.2.3), which needs neither memory nor a deep
   stack. */
static void symbolize_sift(struct ccprof_symbolize_entry *entries, size_t count,
                           size_t from)
{
    struct ccprof_symbolize_entry moved = entries[from];
    size_t child;

    while ((child = 2 * from + 1) < count) {
        if (child + 1 < count && symbolize_before(&entries[child], &entries[child + 1]))
            child++;
        if (!symbolize_before(&moved, &entries[child]))
            break;
        entries[from] = entries[child];
        from = child;
    }
    entries[from] = moved;
}

static void symbolize_sort(struct ccprof_symbolize_entry *entries, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        symbolize_sift(entries, count, i);
    for (size_t left = count; left > 1; left--) {
        struct ccprof_symbolize_entry first = entries[0];
        entries[0] = entries[left - 1];
        entries[left - 1] = first;
        symbolize_sift(entries, left - 1, 0);
    }
}

/* Keeps only the first of several functions at the same address. */
static size_t symbolize_unique(struct ccprof_symbolize_entry *entries, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || entries[kept - 1].start != entries[i].start)
            entries[kept++] = entries[i];
    return kept;
}

static bool symbolize_is_sorted(const struct ccprof_symbolize_entry *entries,
                                size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!symbolize_before(&entries[i - 1], &entries[i]))
            return false;
    return true;
}

const char *ccprof_symbolize_index(struct ccprof_symbolizer *symbolizer)
{
    struct ccprof_symbolize_entry entry, *entries;
    struct symbolize_walk walk;
    uint32_t count = 0;

    if (symbolizer->streams.size > UINT32_MAX ||
        (symbolizer->strings.size &&
         symbolizer->strings.start[symbolizer->strings.size - 1] != 0))
        return symbolize_damaged;
    symbolize_start_walk(&walk, symbolizer);
    while (symbolize_next(&walk, &entry))
        count++;
    if (walk.bytes.bad)
        return symbolize_damaged;
    if (!ccprof_pages_make(&symbolizer->index, (uint64_t)count * sizeof entry))
        return "no memory for its tables";
    entries = symbolize_entries(symbolizer);
    symbolize_start_walk(&walk, symbolizer);
    for (uint32_t i = 0; i < count && symbolize_next(&walk, &entries[i]); i++)
        entries[i].order = i;
    if (!symbolize_is_sorted(entries, count))
        symbolize_sort(entries, count);
    symbolizer->count = symbolize_unique(entries, count);
    return NULL;
}

void ccprof_symbolize_free(struct ccprof_symbolizer *symbolizer)
{
    ccprof_pages_free(&symbolizer->strings);
    ccprof_pages_free(&symbolizer->units);
    ccprof_pages_free(&symbolizer->streams);
    ccprof_pages_free(&symbolizer->index);
    symbolizer->count = 0;
}

static const struct ccprof_symbolize_entry *
symbolize_lookup(const struct ccprof_symbolizer *symbolizer, uint64_t address)
{
    const struct ccprof_symbolize_entry *entries = symbolize_entries(symbolizer);
    size_t low = 0, high = symbolizer->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && address < entries[low - 1].end ? &entries[low - 1] : NULL;
}

/* Makes room for the maximum number of copies and points in the entry. Each copy and
   each point takes at least two bytes, and there is always one of each. */
static bool symbolize_room(struct ccprof_pages *room,
                           const struct ccprof_symbolize_entry *entry,
                           struct ccprof_symbolize_function *function)
{
    uint64_t most = entry->size / 2 + 1;
    uint64_t size = most * (sizeof *function->copies + sizeof *function->points);

    if (room->size < size) {
        ccprof_pages_free(room);
        if (!ccprof_pages_make(room, size))
            return false;
    }
    function->copies = (struct ccprof_symbolize_copy *)(void *)room->start;
    function->points = (struct ccprof_symbolize_point *)(void *)(function->copies + most);
    return true;
}

/* Fills in a frame. If the position is unknown, the line and the column are unknown,
   and the file is the source's file. Returns false if the tables are wrong. */
static bool symbolize_fill(const struct ccprof_symbolize_unit *unit, uint32_t source,
                           const struct ccprof_symbolize_position *position,
                           struct ccprof_symbolize_frame *frame)
{
    struct ccprof_symbolize_source found;
    int64_t line;

    if (!ccprof_symbolize_source(unit, source, &found))
        return false;
    line = position->line + found.line;
    *frame = (struct ccprof_symbolize_frame){.name = found.name};
    if (line < 0 || line > UINT32_MAX)
        return false;
    if (position->file != 0 && line != 0) {
        frame->line = (uint32_t)line;
        frame->column = position->column;
    }
    frame->file = ccprof_symbolize_file(
        unit, frame->line && position->file != CCPROF_SYMBOLIZE_SOURCES ? position->file
                                                                        : found.file);
    return true;
}

/* Visits the sources from the copy outwards. A copy of an excluded source is skipped:
   the position in its parent is then the call. The lines of calls are relative to the
   parent's source. */
static bool symbolize_visit(const struct ccprof_symbolize_unit *unit,
                            const struct ccprof_symbolize_function *function,
                            ccprof_symbolize_visit *visit, void *context)
{
    struct ccprof_symbolize_position position = function->point.position;
    const struct ccprof_symbolize_copy *copy = &function->copies[function->point.copy];
    struct ccprof_symbolize_frame frame;

    for (;;) {
        if (copy->source != 0) {
            if (!symbolize_fill(unit, copy->source, &position, &frame))
                return false;
            frame.inlined = copy != function->copies;
            if (!visit(context, &frame))
                return true;
        }
        if (copy == function->copies)
            return true;
        position = copy->call;
        copy = &function->copies[copy->parent];
    }
}

bool ccprof_symbolize_find(const struct ccprof_symbolizer *symbolizer, uint64_t address,
                           struct ccprof_pages *room, ccprof_symbolize_visit *visit,
                           void *context)
{
    const struct ccprof_symbolize_entry *entry = symbolize_lookup(symbolizer, address);
    struct ccprof_symbolize_function function = {0};
    struct ccprof_symbolize_unit unit;
    struct ccprof_bytes bytes;

    if (!entry || !symbolize_room(room, entry, &function) ||
        !ccprof_symbolize_unit(symbolizer, entry->unit, &unit, &function.detail))
        return false;
    function.length = entry->end - entry->start;
    function.target = address - entry->start;
    bytes.next = symbolizer->streams.start + entry->body;
    bytes.end = bytes.next + entry->size;
    bytes.bad = false;
    ccprof_symbolize_function(&function, &bytes);
    return !bytes.bad && symbolize_visit(&unit, &function, visit, context);
}
