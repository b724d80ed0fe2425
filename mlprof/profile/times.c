/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/times.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

void times_free(struct times *times)
{
    free(times->entries);
    memset(times, 0, sizeof *times);
}

void times_add(struct times *times, uint32_t owner, uint32_t bucket, uint64_t count)
{
    if (count == 0)
        return;
    times->entries = buf_grow(times->entries, &times->capacity, times->count + 1,
                              sizeof *times->entries);
    times->entries[times->count++] = (struct times_entry){owner, bucket, count};
}

static int compare(const void *one, const void *other)
{
    const struct times_entry *a = one, *b = other;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    return a->bucket < b->bucket ? -1 : a->bucket > b->bucket;
}

void times_sort(struct times *times)
{
    size_t kept = 0;
    if (times->count)
        qsort(times->entries, times->count, sizeof *times->entries, compare);
    for (size_t i = 0; i < times->count; i++) {
        const struct times_entry *entry = &times->entries[i];
        if (kept && compare(&times->entries[kept - 1], entry) == 0)
            times->entries[kept - 1].count += entry->count;
        else
            times->entries[kept++] = *entry;
    }
    times->count = kept;
}

struct times_part times_of(const struct times *times, uint32_t owner, size_t *at)
{
    struct times_part part = {0};
    while (*at < times->count && times->entries[*at].owner < owner)
        (*at)++;
    if (*at < times->count)
        part.entries = &times->entries[*at];
    for (; *at < times->count && times->entries[*at].owner == owner; (*at)++) {
        part.total += times->entries[*at].count;
        part.count++;
    }
    return part;
}

/* SUM * NUMBER / TOTAL, rounded down; SUM and NUMBER are TOTAL at most.  */
static uint64_t share(uint64_t sum, uint64_t number, uint64_t total)
{
    return (uint64_t)((__extension__(unsigned __int128) sum) * number / total);
}

/* What is taken of the first buckets together is their share of COUNT, so that the
   roundings do not add up.  */
void times_take(struct times *to, uint32_t owner, struct times_part *part, uint64_t count)
{
    uint64_t sum = 0, before = 0, end;
    if (count > part->total - part->taken)
        count = part->total - part->taken;
    end = part->taken + count;
    for (size_t i = 0; i < part->count; i++) {
        sum += part->entries[i].count;
        uint64_t now =
            share(sum, end, part->total) - share(sum, part->taken, part->total);
        times_add(to, owner, part->entries[i].bucket, now - before);
        before = now;
    }
    part->taken = end;
}
