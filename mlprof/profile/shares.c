/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two forms of the same entries: shares_ is an array, packed_ a compact byte sequence
   for many entries. Both are sorted by owner, so that the bins of an owner are
   adjacent. origins_ is the list of origins. */

#include "mlprof/profile/shares.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void shares_free(struct shares *shares)
{
    free(shares->entries);
    memset(shares, 0, sizeof *shares);
}

void shares_add(struct shares *shares, uint32_t owner, uint32_t bin, uint64_t count)
{
    if (count == 0)
        return;
    BUF_NEXT(shares->entries, shares->count, shares->capacity) =
        (struct shares_entry){owner, bin, count};
}

BUF_COMPARE(compare, struct shares_entry,
            BUF_ORDER(a->owner, b->owner) ?: BUF_ORDER(a->bin, b->bin))

void shares_sort(struct shares *shares)
{
    size_t kept = 0;
    BUF_SORT(shares->entries, shares->count, compare);
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        if (kept && compare(&shares->entries[kept - 1], entry) == 0)
            shares->entries[kept - 1].count += entry->count;
        else
            shares->entries[kept++] = *entry;
    }
    shares->count = kept;
}

struct shares_own shares_of(const struct shares *shares, uint32_t owner, size_t *next)
{
    struct shares_own owned = {0};
    while (*next < shares->count && shares->entries[*next].owner < owner)
        (*next)++;
    if (*next < shares->count)
        owned.entries = &shares->entries[*next];
    for (; *next < shares->count && shares->entries[*next].owner == owner; (*next)++) {
        owned.total += shares->entries[*next].count;
        owned.count++;
    }
    return owned;
}

/* Returns SUM * NUMBER / TOTAL, rounded down. SUM and NUMBER are at most TOTAL. */
static uint64_t share(uint64_t sum, uint64_t number, uint64_t total)
{
    uint64_t product;
    if (!__builtin_mul_overflow(sum, number, &product))
        return product / total;
    return (uint64_t)((__extension__(unsigned __int128) sum) * number / total);
}

/* Takes COUNT samples of OWNED, from each bin in proportion, and passes them to ADD. The
   sum taken from the first bins is rounded, not each bin, so that rounding errors do
   not accumulate. */
static void divide(struct shares_own *owned, uint64_t count,
                   void (*add)(void *to, uint32_t owner, uint32_t bin, uint64_t count),
                   void *to, uint32_t owner)
{
    uint64_t sum = 0, before = 0, end;
    if (count > owned->total - owned->taken)
        count = owned->total - owned->taken;
    end = owned->taken + count;
    bool all = count == owned->total;
    for (size_t i = 0; i < owned->count; i++) {
        const struct shares_entry *entry = &owned->entries[i];
        sum += entry->count;
        uint64_t now =
            all ? sum
                : share(sum, end, owned->total) - share(sum, owned->taken, owned->total);
        add(to, owner, entry->bin, now - before);
        before = now;
    }
    owned->taken = end;
}

static void add_share(void *to, uint32_t owner, uint32_t bin, uint64_t count)
{
    shares_add(to, owner, bin, count);
}

void shares_take(struct shares *to, uint32_t owner, struct shares_own *owned,
                 uint64_t count)
{
    divide(owned, count, add_share, to, owner);
}

/* The difference between an entry and the previous entry. The step is stored in the
   low bits of the entry's first number; the other bits of this number are the low bits
   of the entry's count. */
enum step {
    NEXT_BIN,   /* same owner, next bin */
    NEXT_OWNER, /* same bin, next owner */
    ANY_BIN,    /* same owner; the distance to the bin follows */
    ANY,        /* the distances to the owner and to the bin follow */
    STEPS
};

/* Maximum sizes in bytes of a number, and of an entry: the step with 62 bits of the
   count, the rest of the count, and two distances. */
#define NUMBER_BYTES 10
#define ENTRY_BYTES  (4 * NUMBER_BYTES)

/* A count less than this fits into one number together with the step. If all bits for
   the count are set, the rest of the count follows as a separate number. */
#define COUNT_MOST (UINT64_MAX / STEPS)

/* The bin before the first bin. */
#define NO_BIN UINT32_MAX

void packed_free(struct packed *packed)
{
    free(packed->bytes);
    free(packed->starts);
    memset(packed, 0, sizeof *packed);
}

static unsigned char *put_number(unsigned char *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    return to;
}

static const unsigned char *get_number(const unsigned char *from, uint64_t *value)
{
    uint64_t sum = *from & 0x7f;
    for (unsigned shift = 7; *from++ & 0x80; shift += 7)
        sum |= (uint64_t)(*from & 0x7f) << shift;
    *value = sum;
    return from;
}

/* Writes the difference of two 32-bit values, with the sign in the lowest bit. */
static unsigned char *put_distance(unsigned char *to, uint32_t from, uint32_t value)
{
    int64_t distance = (int64_t)value - (int64_t)from;
    return put_number(to, distance < 0 ? 2 * (uint64_t)-distance - 1
                                       : 2 * (uint64_t)distance);
}

static const unsigned char *get_distance(const unsigned char *cursor, uint32_t *value)
{
    uint64_t number;
    cursor = get_number(cursor, &number);
    *value += (uint32_t)(number & 1 ? -(number / 2) - 1 : number / 2);
    return cursor;
}

/* Writes ENTRY, which follows BEFORE, to TO, which has room for ENTRY_BYTES. Returns
   the end. */
static unsigned char *put_entry(unsigned char *to, const struct shares_entry *before,
                                const struct shares_entry *entry)
{
    bool same = entry->owner == before->owner;
    uint64_t low = entry->count < COUNT_MOST ? entry->count : COUNT_MOST;
    enum step step =
        same && entry->bin == (uint32_t)(before->bin + 1) ? NEXT_BIN
        : same                                            ? ANY_BIN
        : entry->bin == before->bin && entry->owner == (uint32_t)(before->owner + 1)
            ? NEXT_OWNER
            : ANY;
    to = put_number(to, low * STEPS + step);
    if (low == COUNT_MOST)
        to = put_number(to, entry->count - COUNT_MOST);
    if (step == ANY)
        to = put_distance(to, before->owner, entry->owner);
    if (step >= ANY_BIN)
        to = put_distance(to, before->bin, entry->bin);
    return to;
}

/* Reads the entry at CURSOR. ENTRY initially has the previous entry. Returns the end. */
static const unsigned char *get_entry(const unsigned char *cursor,
                                      struct shares_entry *entry)
{
    uint64_t first, more;
    cursor = get_number(cursor, &first);
    entry->count = first / STEPS;
    if (entry->count == COUNT_MOST) {
        cursor = get_number(cursor, &more);
        entry->count += more;
    }
    switch ((enum step)(first % STEPS)) {
    case NEXT_BIN:
        entry->bin++;
        return cursor;
    case NEXT_OWNER:
        entry->owner++;
        return cursor;
    case ANY:
        cursor = get_distance(cursor, &entry->owner);
        break;
    default:
        break;
    }
    return get_distance(cursor, &entry->bin);
}

void packed_add(struct packed *packed, uint32_t owner, uint32_t bin, uint64_t count)
{
    const struct shares_entry entry = {owner, bin, count};
    if (count == 0)
        return;
    if (packed->starts)
        packed_join(packed);
    if (packed->capacity - packed->size < ENTRY_BYTES)
        packed->bytes =
            buf_grow(packed->bytes, &packed->capacity, packed->size + ENTRY_BYTES, 1);
    unsigned char *to = packed->bytes + packed->size;
    packed->size += (size_t)(put_entry(to, &packed->last, &entry) - to);
    packed->last = entry;
    packed->count++;
    if (owner >= packed->owners)
        packed->owners = (size_t)owner + 1;
}

bool packed_next(const struct packed *packed, struct packed_at *cursor)
{
    if (cursor->offset == packed->size)
        return false;
    if (packed->starts && cursor->offset == 0)
        cursor->entry = (struct shares_entry){.bin = NO_BIN};
    while (packed->starts && cursor->offset == packed->starts[cursor->entry.owner + 1])
        cursor->entry =
            (struct shares_entry){.owner = cursor->entry.owner + 1, .bin = NO_BIN};
    const unsigned char *from = packed->bytes + cursor->offset;
    cursor->offset += (size_t)(get_entry(from, &cursor->entry) - from);
    return true;
}

/* For each owner: the bin of its last entry, and the position of its next entry. */
struct sorting {
    uint32_t *bins;
    size_t *ends;
};

static struct sorting sorting_new(size_t owners)
{
    struct sorting sorting = {.bins = buf_alloc((owners + 1) * sizeof *sorting.bins),
                              .ends = buf_alloc((owners + 1) * sizeof *sorting.ends)};
    memset(sorting.bins, 0xff, owners * sizeof *sorting.bins);
    return sorting;
}

/* Appends each entry to the entries of its owner. If BYTES is NULL, only computes the
   size for each owner. */
static void put_by_owner(const struct packed *packed, struct sorting *sorting,
                         unsigned char *bytes)
{
    unsigned char unused[ENTRY_BYTES];
    struct packed_at cursor = {0};
    while (packed_next(packed, &cursor)) {
        uint32_t owner = cursor.entry.owner;
        const struct shares_entry before = {.owner = owner, .bin = sorting->bins[owner]};
        unsigned char *to = bytes ? bytes + sorting->ends[owner] : unused;
        sorting->ends[owner] += (size_t)(put_entry(to, &before, &cursor.entry) - to);
        sorting->bins[owner] = cursor.entry.bin;
    }
}

void packed_sort(struct packed *packed)
{
    if (packed->starts)
        return;
    struct sorting sorting = sorting_new(packed->owners);
    put_by_owner(packed, &sorting, NULL);
    size_t *starts = buf_alloc((packed->owners + 1) * sizeof *starts);
    for (size_t i = 0; i < packed->owners; i++) {
        starts[i + 1] = starts[i] + sorting.ends[i];
        sorting.ends[i] = starts[i];
        sorting.bins[i] = NO_BIN;
    }
    size_t capacity = 0;
    unsigned char *bytes =
        buf_grow(NULL, &capacity, starts[packed->owners] + ENTRY_BYTES, 1);
    put_by_owner(packed, &sorting, bytes);
    free(sorting.bins);
    free(sorting.ends);
    free(packed->bytes);
    packed->bytes = bytes;
    packed->capacity = capacity;
    packed->size = starts[packed->owners];
    packed->starts = starts;
}

void packed_join(struct packed *packed)
{
    struct packed joined = {0};
    struct shares scratch = {0};
    packed_sort(packed);
    for (uint32_t owner = 0; owner < packed->owners; owner++) {
        struct shares_own owned = packed_of(packed, owner, &scratch);
        for (size_t i = 0; i < owned.count; i++)
            packed_add(&joined, owner, owned.entries[i].bin, owned.entries[i].count);
    }
    shares_free(&scratch);
    packed_free(packed);
    *packed = joined;
}

struct shares_own packed_of(const struct packed *packed, uint32_t owner,
                            struct shares *scratch)
{
    struct shares_own owned = {0};
    scratch->count = 0;
    if (owner >= packed->owners)
        return owned;
    assert(packed->starts);
    const unsigned char *cursor = packed->bytes + packed->starts[owner];
    const unsigned char *end = packed->bytes + packed->starts[owner + 1];
    struct shares_entry entry = {.owner = owner, .bin = NO_BIN};
    bool sorted = true;
    while (cursor < end) {
        uint32_t before = entry.bin;
        cursor = get_entry(cursor, &entry);
        sorted &= scratch->count == 0 || entry.bin > before;
        shares_add(scratch, owner, entry.bin, entry.count);
        owned.total += entry.count;
    }
    if (!sorted)
        shares_sort(scratch);
    owned.entries = scratch->entries;
    owned.count = scratch->count;
    return owned;
}

static void add(void *to, uint32_t owner, uint32_t bin, uint64_t count)
{
    packed_add(to, owner, bin, count);
}

void packed_take(struct packed *to, uint32_t owner, struct shares_own *owned,
                 uint64_t count)
{
    divide(owned, count, add, to, owner);
}

void origins_free(struct origins *origins)
{
    intern_free(&origins->hosts);
    free(origins->origins);
    index_free(&origins->index);
    packed_free(&origins->shares);
    memset(origins, 0, sizeof *origins);
}

uint32_t origins_add(struct origins *origins, const char *host,
                     const struct origins_origin *added)
{
    bool fresh;
    uint32_t number = host ? intern_put(&origins->hosts, host) : ORIGINS_UNKNOWN;
    uint32_t origin =
        index_put(&origins->index, number, added->ranked, added->rank, &fresh);
    if (fresh)
        BUF_NEXT(origins->origins, origins->count, origins->capacity) =
            (struct origins_origin){
                .host = number, .ranked = added->ranked, .rank = added->rank};
    struct origins_origin *sum = &origins->origins[origin];
    uint64_t least = added->least_size ? added->least_size : added->size;
    if (added->size && (sum->size == 0 || least < sum->least_size))
        sum->least_size = least;
    if (added->size > sum->size)
        sum->size = added->size;
    sum->files += added->files;
    sum->cpu += added->cpu;
    sum->wall += added->wall;
    sum->samples += added->samples;
    sum->lost += added->lost;
    return origin;
}

const char *origins_host(const struct origins *origins, uint32_t number)
{
    uint32_t host = origins->origins[number].host;
    return host == ORIGINS_UNKNOWN ? NULL : intern_text(&origins->hosts, host);
}

void origins_merge(struct origins *into, const struct origins *from, uint32_t *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        to[i] = origins_add(into, origins_host(from, i), &from->origins[i]);
}

size_t origins_ranks(const struct origins *origins)
{
    struct index ranks = {0};
    size_t count = 0;
    for (size_t i = 0; i < origins->count; i++) {
        bool fresh = false;
        if (origins->origins[i].ranked)
            index_put(&ranks, origins->origins[i].rank, 0, 0, &fresh);
        count += fresh;
    }
    index_free(&ranks);
    return count;
}

uint64_t origins_size(const struct origins *origins, uint64_t *least)
{
    uint64_t most = 0;
    *least = 0;
    for (size_t i = 0; i < origins->count; i++) {
        const struct origins_origin *origin = &origins->origins[i];
        if (origin->size && (*least == 0 || origin->least_size < *least))
            *least = origin->least_size;
        if (origin->size > most)
            most = origin->size;
    }
    return most;
}
