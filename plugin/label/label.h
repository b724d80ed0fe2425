/* SPDX-License-Identifier: GPL-3.0-or-later */
/* label: puts a label into the current function wherever the local stack or the
   position changes. emit.cc writes the tables from these labels after the function.

   A label leads to a point of a part (unit.h): a copy and a position. Only the
   functions below turn GCC's locations and declarations into points and numbers of the
   unit. sites.cc and alloc-table.cc use them too. field.cc uses
   label_restore_locations. */

#ifndef CCPROF_LABEL_H
#define CCPROF_LABEL_H

#include "plugin/tables/unit.h"

/* The state of a walk through a part. The caller owns it. */
struct points {
    struct part *part = NULL;        /* owner of the points */
    hash_map<tree, unsigned> copies; /* copies of the part, by scope */
    int block = 0;                   /* basic block, only for mark=block */
    unsigned block_copy = 0;         /* copy of that block; 0: not made yet */
    /* The latest position in each copy, for insns of that copy without a position. */
    auto_vec<part_position> latest;
};

/* Starts a walk: points are added to PART, which is of the current function. Sets the
   part's source. */
void points_start(struct points *points, struct part *part);

/* Starts a basic block: the next points are in it. */
void points_start_block(struct points *points, int block);

/* Returns the point at LOCATION, which must have a position or at least a scope. */
unsigned points_of_location(struct points *points, location_t location);

/* Returns the point at LOCATION, which may be unknown, in SCOPE of the current
   function. Returns 0 if the scope and all scopes around it are excluded. */
unsigned points_of_scope(struct points *points, tree scope, location_t location);

/* A function has one part, or two if hot and cold code are separate. */
#define LABEL_PARTS 2

/* The function's parts, in their order in the assembly file. */
struct label_parts {
    struct part parts[LABEL_PARTS];
    int count;
};

/* Returns the parts of the current function. They are valid from the pass label of
   this function until the pass label of the next function. Only label.cc writes them. */
const struct label_parts *label_current(void);

/* Puts the original locations back into the insns (locations.h), and forgets them. */
void label_restore_locations(void);

/* Called after final. Removes the labels from the current function, so that GCC's dump
   of the final insns (-fcompare-debug) does not contain them. */
void label_remove_notes(void);

#endif
