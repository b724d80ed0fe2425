/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of numbers, for modules that keep numbered elements in their own arrays
   and compare elements themselves: children.c, index.c, intern.c, stacks.c.  Beside each
   number stands half of its hash, so that elements are rarely looked at in a search, and
   not when the table grows: most of the time of a large table goes into fetching what is
   not in the processor's caches.  */

#ifndef MLPROF_SLOTS_H
#define MLPROF_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as all zero.  */
struct slots {
    uint64_t *list; /* upper half: of the hash; lower half: the number plus 1; 0: free */
    size_t size;    /* a power of 2, or 0 */
};

/* A search for one element.  */
struct slots_search {
    uint32_t hash; /* the upper half of the hash */
    size_t at;
};

void slots_grow(struct slots *slots, size_t count);

void slots_free(struct slots *slots);

/* Makes room for COUNT elements, at least 1 and fewer than UINT32_MAX.  */
static inline void slots_reserve(struct slots *slots, size_t count)
{
    if (2 * count > slots->size)
        slots_grow(slots, count);
}

/* Starts a search in a table that has room for one more element.  */
static inline struct slots_search slots_begin(const struct slots *slots, uint64_t hash)
{
    uint32_t upper = (uint32_t)(hash >> 32);
    return (struct slots_search){.hash = upper, .at = upper & (slots->size - 1)};
}

/* Sets *NUMBER to the next candidate; false if the element is not in the table.  */
static inline bool slots_next(const struct slots *slots, struct slots_search *search,
                              uint32_t *number)
{
    uint64_t slot;
    while ((slot = slots->list[search->at])) {
        if (slot >> 32 == search->hash) {
            *number = (uint32_t)slot - 1;
            return true;
        }
        search->at = (search->at + 1) & (slots->size - 1);
    }
    return false;
}

/* Goes on behind the candidate.  */
static inline void slots_skip(const struct slots *slots, struct slots_search *search)
{
    search->at = (search->at + 1) & (slots->size - 1);
}

/* Adds NUMBER where the search has ended without finding the element.  */
static inline void slots_put(struct slots *slots, const struct slots_search *search,
                             uint32_t number)
{
    slots->list[search->at] = (uint64_t)search->hash << 32 | (number + 1);
}

#endif
