/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a node of a tree among the children of its parent, for modules that keep numbered
   nodes in their own arrays and compare nodes themselves: profile.c, stacks.c.  Up to
   CHILDREN_LISTED children of a node are a list, and only further ones are in a hash
   table.  Trees are read a path after the other, so that the children of the path's nodes
   are in the processor's caches; the slots of a hash table of all nodes are not.  */

#ifndef MLPROF_CHILDREN_H
#define MLPROF_CHILDREN_H

#include "mlprof/base/index.h"

/* The parent of nodes that have none.  */
#define CHILDREN_NO_PARENT UINT32_MAX

#define CHILDREN_LISTED 16

/* Of a node: the newest of its listed children, and the listed child of the same parent
   that was put before it.  A node's number plus 1; 0: there is none.  */
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

#endif
