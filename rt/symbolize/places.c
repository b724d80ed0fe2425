/* SPDX-License-Identifier: MIT */
/* Owns nothing.  The index of the functions, and from an address to what is at work
   there.  */

#include <string.h>

#include "rt/symbolize/places.h"
#include "rt/format.h"
#include "rt/unwind/unwind-bytes.h"

static const char places_damaged[] = "its tables are damaged";

/* Where a walk over the streams is.  */
struct places_walk {
    const struct ccprof_places *places;
    struct ccprof_bytes bytes;
    bool started; /* there was a head */
    bool dropped; /* the code of this stream is not in the file */
    uint32_t unit;
    unsigned detail;
    uint64_t address; /* end of the function before */
};

static bool places_fail(struct places_walk *walk)
{
    walk->bytes.bad = true;
    return false;
}

static void places_head(struct places_walk *walk)
{
    struct ccprof_places_unit unit;
    uint64_t version = ccprof_bytes_fixed(&walk->bytes, 1);

    walk->unit = (uint32_t)ccprof_bytes_fixed(&walk->bytes, 4);
    walk->address = ccprof_bytes_fixed(&walk->bytes, 8);
    walk->dropped = walk->address == 0;
    walk->started = true;
    if (version != CCPROF_TABLES_VERSION ||
        !ccprof_places_unit(walk->places, walk->unit, &unit, &walk->detail))
        places_fail(walk);
}

/* The function whose size has been read, up to its end.  */
static void places_entry(struct places_walk *walk, uint64_t length,
                         struct ccprof_places_entry *entry)
{
    struct ccprof_places_function function = {.detail = walk->detail, .length = length};
    const uint8_t *body;

    if (__builtin_add_overflow(walk->address, ccprof_bytes_unsigned_leb(&walk->bytes),
                               &entry->start) ||
        __builtin_add_overflow(entry->start, length, &entry->end)) {
        places_fail(walk);
        return;
    }
    body = walk->bytes.at;
    ccprof_places_function(&function, &walk->bytes);
    entry->body = (uint32_t)(body - walk->places->streams.at);
    entry->size = (uint32_t)(walk->bytes.at - body);
    entry->unit = walk->unit;
    walk->address = entry->end;
}

/* The next function that has code; returns false at the end, or where it cannot go
   on.  */
static bool places_next(struct places_walk *walk, struct ccprof_places_entry *entry)
{
    while (!walk->bytes.bad && walk->bytes.at < walk->bytes.end) {
        uint64_t size = ccprof_bytes_unsigned_leb(&walk->bytes);
        if (size == 0) {
            places_head(walk);
        } else if (!walk->started) {
            return places_fail(walk);
        } else {
            places_entry(walk, size - 1, entry);
            if (size > 1 && !walk->dropped && !walk->bytes.bad)
                return true;
        }
    }
    return false;
}

static void places_walk(struct places_walk *walk, const struct ccprof_places *places)
{
    *walk = (struct places_walk){.places = places};
    walk->bytes.at = places->streams.at;
    walk->bytes.end = places->streams.at + places->streams.size;
}

static struct ccprof_places_entry *places_entries(const struct ccprof_places *places)
{
    return (struct ccprof_places_entry *)(void *)places->index.at;
}

static bool places_before(const struct ccprof_places_entry *a,
                          const struct ccprof_places_entry *b)
{
    return a->start != b->start ? a->start < b->start : a->order < b->order;
}

/* Heap sort (Knuth, volume 3, 5.2.3), since it needs neither memory nor a deep stack.  */
static void places_sift(struct ccprof_places_entry *entries, size_t count, size_t from)
{
    struct ccprof_places_entry moved = entries[from];
    size_t child;

    while ((child = 2 * from + 1) < count) {
        if (child + 1 < count && places_before(&entries[child], &entries[child + 1]))
            child++;
        if (!places_before(&moved, &entries[child]))
            break;
        entries[from] = entries[child];
        from = child;
    }
    entries[from] = moved;
}

static void places_sort(struct ccprof_places_entry *entries, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        places_sift(entries, count, i);
    for (size_t left = count; left > 1; left--) {
        struct ccprof_places_entry first = entries[0];
        entries[0] = entries[left - 1];
        entries[left - 1] = first;
        places_sift(entries, left - 1, 0);
    }
}

/* Of several functions at one address the first one in the streams stands.  */
static size_t places_unique(struct ccprof_places_entry *entries, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || entries[kept - 1].start != entries[i].start)
            entries[kept++] = entries[i];
    return kept;
}

static bool places_is_sorted(const struct ccprof_places_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!places_before(&entries[i - 1], &entries[i]))
            return false;
    return true;
}

const char *ccprof_places_index(struct ccprof_places *places)
{
    struct ccprof_places_entry entry, *entries;
    struct places_walk walk;
    uint32_t count = 0;

    if (places->streams.size > UINT32_MAX ||
        (places->strings.size && places->strings.at[places->strings.size - 1] != 0))
        return places_damaged;
    places_walk(&walk, places);
    while (places_next(&walk, &entry))
        count++;
    if (walk.bytes.bad)
        return places_damaged;
    if (!ccprof_bulk_make(&places->index, (uint64_t)count * sizeof entry))
        return "no memory for its tables";
    entries = places_entries(places);
    places_walk(&walk, places);
    for (uint32_t i = 0; i < count && places_next(&walk, &entries[i]); i++)
        entries[i].order = i;
    if (!places_is_sorted(entries, count))
        places_sort(entries, count);
    places->count = places_unique(entries, count);
    return NULL;
}

void ccprof_places_free(struct ccprof_places *places)
{
    ccprof_bulk_free(&places->strings);
    ccprof_bulk_free(&places->units);
    ccprof_bulk_free(&places->streams);
    ccprof_bulk_free(&places->index);
    places->count = 0;
}

static const struct ccprof_places_entry *places_look(const struct ccprof_places *places,
                                                     uint64_t address)
{
    const struct ccprof_places_entry *entries = places_entries(places);
    size_t low = 0, high = places->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && address < entries[low - 1].end ? &entries[low - 1] : NULL;
}

/* A copy and a point take two bytes each at least; and each of them has a first one. */
static bool places_room(struct ccprof_bulk *room, const struct ccprof_places_entry *entry,
                        struct ccprof_places_function *function)
{
    uint64_t most = entry->size / 2 + 1;
    uint64_t size = most * (sizeof *function->copies + sizeof *function->points);

    if (room->size < size) {
        ccprof_bulk_free(room);
        if (!ccprof_bulk_make(room, size))
            return false;
    }
    function->copies = (struct ccprof_places_copy *)(void *)room->at;
    function->points = (struct ccprof_places_point *)(void *)(function->copies + most);
    return true;
}

/* What is unknown of the position is unknown of the place; the file is the source's then.
   Returns false if it cannot be right.  */
static bool places_fill(const struct ccprof_places_unit *unit, uint32_t source,
                        const struct ccprof_places_position *position,
                        struct ccprof_place *place)
{
    struct ccprof_places_source is;
    int64_t line;

    if (!ccprof_places_source(unit, source, &is))
        return false;
    line = position->line + is.line;
    *place = (struct ccprof_place){.name = is.name};
    if (line < 0 || line > UINT32_MAX)
        return false;
    if (position->file != 0 && line != 0) {
        place->line = (uint32_t)line;
        place->column = position->column;
    }
    place->file = ccprof_places_file(
        unit, place->line && position->file != CCPROF_PLACES_SOURCES ? position->file
                                                                     : is.file);
    return true;
}

/* A copy whose source is excluded is left out: it is its parent's, where it was called.
   The lines of calls are relative to the parent's source.  */
static bool places_visit(const struct ccprof_places_unit *unit,
                         const struct ccprof_places_function *function,
                         ccprof_places_visit *visit, void *context)
{
    struct ccprof_places_position position = function->at.position;
    const struct ccprof_places_copy *copy = &function->copies[function->at.copy];
    struct ccprof_place place;

    for (;;) {
        if (copy->source != 0) {
            if (!places_fill(unit, copy->source, &position, &place))
                return false;
            place.inlined = copy != function->copies;
            if (!visit(context, &place))
                return true;
        }
        if (copy == function->copies)
            return true;
        position = copy->call;
        copy = &function->copies[copy->parent];
    }
}

bool ccprof_places_find(const struct ccprof_places *places, uint64_t address,
                        struct ccprof_bulk *room, ccprof_places_visit *visit,
                        void *context)
{
    const struct ccprof_places_entry *entry = places_look(places, address);
    struct ccprof_places_function function = {0};
    struct ccprof_places_unit unit;
    struct ccprof_bytes bytes;

    if (!entry || !places_room(room, entry, &function) ||
        !ccprof_places_unit(places, entry->unit, &unit, &function.detail))
        return false;
    function.length = entry->end - entry->start;
    function.target = address - entry->start;
    bytes.at = places->streams.at + entry->body;
    bytes.end = bytes.at + entry->size;
    bytes.bad = false;
    ccprof_places_function(&function, &bytes);
    return !bytes.bad && places_visit(&unit, &function, visit, context);
}
