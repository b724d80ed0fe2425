/* SPDX-License-Identifier: GPL-3.0-or-later */
/* label: puts a label into the current function wherever the local stack or the position
   changes.  From the labels emit writes the tables behind the function.

   A label leads to a point of a part (part.h), which is a copy and a position.  Points
   are made here for sites.cc and alloc-table.cc, too: no other code turns GCC's locations
   and declarations into numbers of the unit.  */

#ifndef CCPROF_LABEL_H
#define CCPROF_LABEL_H

#include "plugin/tables/unit.h"

/* The state of a walk through a part.  The caller owns it.  */
struct points {
    struct part *part = NULL;        /* to which the points belong */
    hash_map<tree, unsigned> copies; /* of the part, by scope */
    int block = 0;                   /* the basic block, for mark=block alone */
    unsigned block_copy = 0;         /* its copy, 0: not made yet */
    /* The latest position in each copy, for insns of that copy without one.  */
    auto_vec<part_position> latest;
};

/* From now on points are those of PART, of the current function.  Sets the part's source.
 */
void points_start(struct points *points, struct part *part);

/* From now on points are in that basic block.  */
void points_start_block(struct points *points, int block);

/* The point at LOCATION, which has a position or at least a scope.  */
unsigned points_of_location(struct points *points, location_t location);

/* The point at LOCATION, which may be unknown, in the SCOPE of the current function; 0 if
   the scope and all scopes around it are excluded.  */
unsigned points_of_scope(struct points *points, tree scope, location_t location);

/* A function has one part or, if hot and cold code are apart, two.  */
#define LABEL_PARTS 2

/* The function's parts, in the order in which they are laid out.  */
struct label_parts {
    struct part parts[LABEL_PARTS];
    int count;
};

/* The parts of the current function, from the pass label until that of the next function.
   Nobody else writes them.  */
const struct label_parts *label_current(void);

/* Puts the original locations back into the insns (locations.h), and forgets them.  */
void label_give_back_locations(void);

/* After final: removes the notes from the current function, so that GCC's dump of its
   final insns (-fcompare-debug) does not have them.  */
void label_remove_notes(void);

#endif
