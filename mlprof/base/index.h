/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that number things and find the numbers again: hash tables of keys (index), of
   texts (intern) and of the children of tree nodes (children), counts by key (tally), and
   a search in a sorted list.  */

#ifndef MLPROF_INDEX_H
#define MLPROF_INDEX_H

#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table of numbers, for modules that keep numbered elements in their own arrays
   and compare the elements themselves.  The table keeps half of each element's hash
   beside its number.  So a search rarely looks at an element, and a table that grows
   never does: a large table spends most of its time on cache misses.  Starts as all zero.
 */
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

/* Numbers keys in the order in which they are first put, from 0.  A key is three numbers.
   Callers keep their data in arrays, by the number of the key.  Keys cannot be removed.
 */
struct index_key {
    uint64_t words[3];
};

/* Starts as all zero.  */
struct index {
    struct index_key *keys; /* by number */
    size_t count, capacity;
    struct slots slots;
};

/* The number of the key, which is added if it is missing; *FRESH tells whether it
   was.  */
uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh);

/* The number of the key; false if it is not in the table.  */
bool index_get(const struct index *index, uint64_t a, uint64_t b, uint64_t c,
               uint32_t *number);

void index_free(struct index *index);

/* index_mix mixes VALUE into HASH, which starts as index_seed().  The seed differs from
   run to run, so that no input file can be made of keys that collide.  */
uint64_t index_seed(void);
uint64_t index_mix(uint64_t hash, uint64_t value);

/* Counts how often each key occurs, so that equal keys can be numbered in their order.
   Starts as all zero.  */
struct tally {
    struct index keys;
    uint32_t *counts; /* by number of the key */
    size_t capacity;
};

/* Counts one more occurrence of the key.  Returns how many there were before.  */
uint32_t tally_add(struct tally *tally, uint64_t a, uint64_t b, uint64_t c);

void tally_free(struct tally *tally);

/* Finds in a sorted list of numbers, for example start addresses of functions, the last
   number that is not above a given one.  A table of the places where equal ranges of
   numbers begin makes this mostly one look; a binary search would go through memory in
   leaps.  Starts as all zero.  */
struct predecessors {
    uint64_t *list; /* in increasing order */
    size_t count;
    /* Each range has 1 << SHIFT numbers; the first range begins at LIST[0].  */
    unsigned shift;
    uint32_t *begins; /* by range, and one more: the place in LIST of its first number */
};

/* Takes LIST of COUNT numbers, fewer than 4 G, which must live as long as FLOORS.  */
void predecessors_make(struct predecessors *predecessors, uint64_t *list, size_t count);

/* Sets *PLACE to the place of the last number in LIST that is not above VALUE; false if
   there is none.  */
bool predecessors_find(const struct predecessors *predecessors, uint64_t value,
                       size_t *place);

void predecessors_free(struct predecessors *predecessors);

/* Children: finds a node of a tree among the children of its parent, for modules that
   keep numbered nodes in their own arrays and compare the nodes themselves.  A list holds
   the first CHILDREN_LISTED children of a node, and a hash table holds the others.  Trees
   are read path by path.  So the lists of a path's nodes are in the processor's caches;
   the slots of a hash table of all nodes would not be.  */

/* The parent of nodes that have none.  */
#define CHILDREN_NO_PARENT UINT32_MAX

#define CHILDREN_LISTED 16

/* The links of a node: its newest listed child, and the listed child of the same parent
   that was put before it.  Both are a node's number plus 1; 0: none.  */
struct children_links {
    uint32_t newest, before;
};

/* Starts as all zero.  */
struct children {
    struct children_links *links; /* by a node's number plus 1; 0: of no parent */
    size_t capacity;
    struct slots more; /* children that are not listed */
    size_t more_count;
};

/* A search for one node.  */
struct children_search {
    uint64_t hash;
    uint32_t parent; /* its number plus 1 */
    uint32_t next;   /* the next candidate's number plus 1 */
    unsigned listed; /* number of listed candidates so far */
    bool more;       /* the last candidate was not listed */
    struct slots_search slot;
};

/* Makes room for COUNT nodes, fewer than UINT32_MAX.  */
void children_reserve(struct children *children, size_t count);

void children_free(struct children *children);

/* The rest of children_next, for nodes with many children.  */
bool children_next_unlisted(const struct children *children,
                            struct children_search *search, uint32_t *number);

/* Adds the node NUMBER, for which there is room, where the search has ended without
   finding the node.  */
void children_put(struct children *children, const struct children_search *search,
                  uint32_t number);

/* Starts a search among the children of PARENT, which is a node or CHILDREN_NO_PARENT,
   when there is room for one more node.  HASH is of the node that is looked for, PARENT
   included.  */
static inline struct children_search children_begin(const struct children *children,
                                                    uint32_t parent, uint64_t hash)
{
    uint32_t index = parent + 1;
    return (struct children_search){
        .hash = hash, .parent = index, .next = children->links[index].newest};
}

/* Sets *NUMBER to the next candidate, which is a child of the parent or a node with the
   same hash; false if the node is not in the tree.  */
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

/* Numbers strings from 0.  Equal strings have equal numbers.  Starts as all zero.  */
struct intern {
    const char **texts; /* by number */
    size_t count, capacity;
    struct pool pool; /* of the texts */
    struct slots slots;
};

/* The number of TEXT, which is copied.  */
uint32_t intern_put(struct intern *intern, const char *text);

/* The string with a number that intern_put returned; it lives as long as INTERN.  */
const char *intern_text(const struct intern *intern, uint32_t number);

/* The string of INTERN that is equal to TEXT.  TEXT is freed.  */
const char *intern_keep(struct intern *intern, char *text);

void intern_free(struct intern *intern);

#endif
