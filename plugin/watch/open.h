/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open: finds which scopes with a stopwatch are open at each point of the current
   function, for stopwatch and anchor, by forward data flow over the markers.  The
   innermost of them stands for all that are open, since those around it are open, too;
   NULL_TREE: none is.

   Only the marker Enter opens a copy, so that each is counted once.  Where ways meet
   that differ, what they have in common stays open.  Before the last inlining GCC may
   have dropped markers, but has hardly moved statements: there statements tell, too,
   what is open (wanted.h).  */

#ifndef CCPROF_OPEN_H
#define CCPROF_OPEN_H

/* What is open where a basic block starts and ends.  */
struct open_block {
    tree start, end;
    bool reached;
};

/* By the numbers of the blocks; the caller frees it.  Behind copies_start: a watch of the
   function itself is opened where it begins.  EARLY: before the last inlining.  */
struct open_block *open_find(bool early);

/* Whether WATCHED is in what STATE has open, and all those between them have lost their
   Enters.  */
bool open_is_lost(tree watched, tree state);

/* What is open before STMT, and while it runs, if STATE was open behind what is before
   it. BLOCKS is NULL or what open_find has found.  */
tree open_at(gimple *stmt, tree state, const struct open_block *blocks);

#endif
