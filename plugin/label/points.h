/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points: finds the point of a part (part.h) that a location is at, which is a copy
   and a position, for label.cc, sites.cc and alloc-table.cc.  Nobody else turns GCC's
   locations and declarations into numbers of the unit.  What is known on the way
   through a part is in a struct points, which belongs to the caller.  */

#ifndef CCPROF_POINTS_H
#define CCPROF_POINTS_H

#include "plugin/tables/unit.h"

struct points {
    struct part *part = NULL;        /* the points are of this one */
    hash_map<tree, unsigned> copies; /* of the part, by scope */
    int block = 0;                   /* the basic block, for mark=block alone */
    unsigned block_copy = 0;         /* its copy, 0: not made yet */
    /* The latest position in each copy: an insn of that copy without one is near it.  */
    auto_vec<part_position> latest;
};

/* Points are from now on those of PART, of the current function.  Sets the part's
   source.  */
void points_start(struct points *points, struct part *part);

/* Points are from now on in that basic block.  */
void points_start_block(struct points *points, int block);

/* The point at LOCATION, which has a position, or at least a scope.  */
unsigned points_of_location(struct points *points, location_t location);

/* The point at LOCATION, which may be unknown, in the SCOPE of the current function; 0 if
   the scope is excluded together with all that is around it.  */
unsigned points_of_scope(struct points *points, tree scope, location_t location);

#endif
