/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/shares.h"
#include "mlprof/base/buf.h"

#include <stdbool.h>
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

static int compare(const void *one, const void *other)
{
    const struct shares_entry *a = one, *b = other;
    return BUF_ORDER(a->owner, b->owner) ?: BUF_ORDER(a->bin, b->bin);
}

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

struct shares_own shares_of(const struct shares *shares, uint32_t owner, size_t *at)
{
    struct shares_own own = {0};
    while (*at < shares->count && shares->entries[*at].owner < owner)
        (*at)++;
    if (*at < shares->count)
        own.entries = &shares->entries[*at];
    for (; *at < shares->count && shares->entries[*at].owner == owner; (*at)++) {
        own.total += shares->entries[*at].count;
        own.count++;
    }
    return own;
}

/* SUM * NUMBER / TOTAL, rounded down; SUM and NUMBER are TOTAL at most.  */
static uint64_t share(uint64_t sum, uint64_t number, uint64_t total)
{
    uint64_t product;
    if (!__builtin_mul_overflow(sum, number, &product))
        return product / total;
    return (uint64_t)((__extension__(unsigned __int128) sum) * number / total);
}

/* What is taken of the first bins together is their share of COUNT, so that the
   roundings do not add up.  */
void shares_divide(struct shares_own *own, uint64_t count,
                   void (*add)(void *to, uint32_t owner, uint32_t bin, uint64_t count),
                   void *to, uint32_t owner)
{
    uint64_t sum = 0, before = 0, end;
    if (count > own->total - own->taken)
        count = own->total - own->taken;
    end = own->taken + count;
    bool all = count == own->total;
    for (size_t i = 0; i < own->count; i++) {
        const struct shares_entry *entry = &own->entries[i];
        sum += entry->count;
        uint64_t now =
            all ? sum : share(sum, end, own->total) - share(sum, own->taken, own->total);
        add(to, owner, entry->bin, now - before);
        before = now;
    }
    own->taken = end;
}

static void add_share(void *to, uint32_t owner, uint32_t bin, uint64_t count)
{
    shares_add(to, owner, bin, count);
}

void shares_take(struct shares *to, uint32_t owner, struct shares_own *own,
                 uint64_t count)
{
    shares_divide(own, count, add_share, to, owner);
}
