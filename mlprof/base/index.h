/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that assign numbers to keys and find the numbers again: hash tables of keys
   of three integers (index), of texts (intern) and of the children of tree nodes
   (children), counts by key (tally), and a search in a sorted list (predecessors).
   slots is the hash table that index, intern, children and tally use. */

#ifndef MLPROF_INDEX_H
#define MLPROF_INDEX_H

#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table of numbers, for modules that store numbered elements in their own
   arrays and compare the elements themselves. The table stores half of each element's
   hash next to its number. Therefore a search rarely reads an element, and growing the
   table reads none. This matters because cache misses cause most of the cost of a
   large table. Starts as all zero. */
struct slots {
    uint64_t *list; /* upper half: hash; lower half: number plus 1; 0: free */
    size_t size;    /* a power of 2, or 0 */
};

/* A search for one element. */
struct slots_search {
    uint32_t hash; /* upper half of the hash */
    size_t position;
};

void slots_grow(struct slots *slots, size_t count);

void slots_free(struct slots *slots);

/* Makes room for COUNT elements, at least 1 and fewer than UINT32_MAX. */
static inline void slots_reserve(struct slots *slots, size_t count)
{
    if (2 * count > slots->size)
        slots_grow(slots, count);
}

/* Starts a search. The table must have room for one more element. */
static inline struct slots_search slots_begin(const struct slots *slots, uint64_t hash)
{
    uint32_t upper = (uint32_t)(hash >> 32);
    return (struct slots_search){.hash = upper, .position = upper & (slots->size - 1)};
}

/* Sets *NUMBER to the next candidate. Returns false if the element is not in the
   table. */
static inline bool slots_next(const struct slots *slots, struct slots_search *search,
                              uint32_t *number)
{
    uint64_t slot;
    while ((slot = slots->list[search->position])) {
        if (slot >> 32 == search->hash) {
            *number = (uint32_t)slot - 1;
            return true;
        }
        search->position = (search->position + 1) & (slots->size - 1);
    }
    return false;
}

/* Skips the current candidate. */
static inline void slots_skip(const struct slots *slots, struct slots_search *search)
{
    search->position = (search->position + 1) & (slots->size - 1);
}

/* Adds NUMBER at the slot where SEARCH ended without finding the element. */
static inline void slots_put(struct slots *slots, const struct slots_search *search,
                             uint32_t number)
{
    slots->list[search->position] = (uint64_t)search->hash << 32 | (number + 1);
}

/* Assigns numbers to keys, from 0 in the order of their first use. A key is three
   integers. Callers keep their data in arrays indexed by the key's number. Keys cannot
   be removed. */
struct index_key {
    uint64_t words[3];
};

/* Starts as all zero. */
struct index {
    struct index_key *keys; /* by number */
    size_t count, capacity;
    struct slots slots;
};

/* Returns the number of the key. If the key is missing, adds it and sets *FRESH. */
uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh);

/* Returns two numbers as one word of a key. The order of such words is the order of HIGH,
   then of LOW. */
static inline uint64_t index_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* Sets *NUMBER to the number of the key. Returns false if the key is not in the table. */
bool index_get(const struct index *index, uint64_t a, uint64_t b, uint64_t c,
               uint32_t *number);

void index_free(struct index *index);

/* index_mix mixes VALUE into HASH, which starts as index_seed(). The seed differs from
   run to run, so that an input file cannot be made with keys that collide. */
uint64_t index_seed(void);
uint64_t index_mix(uint64_t hash, uint64_t value);

/* Counts how often each key occurs, so that equal keys can be numbered in their order.
   Starts as all zero. */
struct tally {
    struct index keys;
    uint32_t *counts; /* indexed by the key's number */
    size_t capacity;
};

/* Counts one more occurrence of the key. Returns the number of earlier occurrences. */
uint32_t tally_add(struct tally *tally, uint64_t a, uint64_t b, uint64_t c);

void tally_free(struct tally *tally);

/* For a given number, finds the last number in a sorted list that is not greater. For
   example, the list has the start addresses of functions. The numbers are divided into
   ranges of equal size, and a table stores where each range begins in the list. A
   search then usually needs one access; a binary search would cause several cache
   misses. Starts as all zero. */
struct predecessors {
    uint64_t *list; /* in increasing order */
    size_t count;
    /* Each range has 1 << SHIFT values; the first range begins at LIST[0]. */
    unsigned shift;
    uint32_t *begins; /* index in LIST of each range's first number, and LIST's end */
};

/* Takes ownership of LIST of COUNT numbers, fewer than 2^32; predecessors_free frees
   LIST. */
void predecessors_make(struct predecessors *predecessors, uint64_t *list, size_t count);

/* Sets *PLACE to the index of the last number in LIST that is not greater than VALUE.
   Returns false if all numbers are greater. */
bool predecessors_find(const struct predecessors *predecessors, uint64_t value,
                       size_t *place);

void predecessors_free(struct predecessors *predecessors);

/* children finds a tree node among the children of its parent, for modules that store
   numbered nodes in their own arrays and compare the nodes themselves. A linked list
   has the first CHILDREN_LISTED children of a node; a hash table has its other
   children. Trees are read path by path, so the lists of the nodes on a path stay in
   the processor's caches. The entries of a hash table would be scattered over the
   memory. */

/* The parent of root nodes. */
#define CHILDREN_NO_PARENT UINT32_MAX

#define CHILDREN_LISTED 16

/* The links of a node: the newest child in its list, and the previous child in the
   list of its parent. Both are 1 plus the number of a node; 0 means no node. */
struct children_links {
    uint32_t newest, before;
};

/* Starts as all zero. */
struct children {
    struct children_links *links; /* indexed by a node's number plus 1; 0: root nodes */
    size_t capacity;
    struct slots more; /* children that are not in the lists */
    size_t more_count;
};

/* A search for one node. */
struct children_search {
    uint64_t hash;
    uint32_t parent; /* the parent's number plus 1 */
    uint32_t next;   /* the next candidate's number plus 1 */
    unsigned listed; /* number of listed candidates so far */
    bool more;       /* the last candidate was not listed */
    struct slots_search slot;
};

/* Makes room for COUNT nodes, fewer than UINT32_MAX. */
void children_reserve(struct children *children, size_t count);

void children_free(struct children *children);

/* The part of children_next for nodes with many children. */
bool children_next_unlisted(const struct children *children,
                            struct children_search *search, uint32_t *number);

/* Adds the node NUMBER where SEARCH ended without finding the node. There must be room
   for it. */
void children_put(struct children *children, const struct children_search *search,
                  uint32_t number);

/* Starts a search among the children of PARENT, which is a node or CHILDREN_NO_PARENT.
   There must be room for one more node. HASH is the hash of the wanted node and of
   PARENT together. */
static inline struct children_search children_begin(const struct children *children,
                                                    uint32_t parent, uint64_t hash)
{
    uint32_t index = parent + 1;
    return (struct children_search){
        .hash = hash, .parent = index, .next = children->links[index].newest};
}

/* Sets *NUMBER to the next candidate: a child of the parent, or another node with the
   same hash. Returns false if the node is not in the tree. */
static inline bool children_next(const struct children *children,
                                 struct children_search *search, uint32_t *number)
{
    if (search->next) {
        *number = search->next - 1;
        search->next = children->links[search->next].before;
        search->listed++;
        return true;
    }
    return search->listed == CHILDREN_LISTED &&
           children_next_unlisted(children, search, number);
}

/* A text, with a final NUL that is not part of its SIZE. */
struct intern_item {
    const char *text;
    size_t size;
};

/* Assigns numbers to strings, from 0. Equal strings have equal numbers. Starts as all
   zero. */
struct intern {
    struct intern_item *items; /* by number */
    size_t count, capacity;
    struct pool pool; /* memory of the texts */
    struct slots slots;
};

/* Returns the number of TEXT, which is copied. */
uint32_t intern_put(struct intern *intern, const char *text);

/* The same for SIZE bytes, which may contain NUL. */
uint32_t intern_put_bytes(struct intern *intern, const void *bytes, size_t size);

/* Returns the string with a NUMBER that intern_put returned. The string lives as long
   as INTERN. */
const char *intern_text(const struct intern *intern, uint32_t number);

/* Returns INTERN's own string that is equal to TEXT, and frees TEXT. */
const char *intern_keep(struct intern *intern, char *text);

void intern_free(struct intern *intern);

#endif
