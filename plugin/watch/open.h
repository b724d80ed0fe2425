/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open: finds which scopes with a stopwatch are open at each point of the current
   function, by forward data flow over the markers.  For stopwatch.cc and anchor.cc.

   A scope (scopes.h) is watched if it is an inlined copy of a function with a stopwatch,
   or the function itself.  The innermost open scope stands for all that are open, since
   those around it are open, too; NULL_TREE: none is open.

   Only the marker Enter opens a copy, so that each copy is counted once.  Where paths
   with different states meet, what they have in common stays open.  Before the last
   inlining GCC may have dropped markers, but has hardly moved statements: there the
   scopes of statements are used, too.  */

#ifndef CCPROF_OPEN_H
#define CCPROF_OPEN_H

/* Begins another function; before all other calls.  WITH_ROOT: the function itself has a
   stopwatch.  */
void copies_start(bool with_root);

/* The innermost watched scope around SCOPE, itself included; the next one around a
   watched one; the innermost one around both.  */
tree copies_watched(tree scope);
tree copies_around(tree watched);
tree copies_common(tree a, tree b);

/* Appends the watched scopes among BLOCK, its siblings and the blocks inside of them.  */
void copies_find(tree block, vec<tree> *copies);

/* Whether a watched scope has a Leave anywhere: GCC may have dropped its markers.  */
bool copies_is_left(tree watched);

/* Whether control comes to the block by the edge without code on it: by an exception or
   by a jump of another kind, which may not have come from where the edge begins.  */
bool copies_is_landing(const_edge e);

/* What is open where a basic block starts and ends.  */
struct open_block {
    tree start, end;
    bool reached;
};

/* The blocks by their index; the caller frees the array.  After copies_start.  If the
   function itself has a stopwatch, it is open from its start.  EARLY: before the last
   inlining.  */
struct open_block *open_find(bool early);

/* Whether WATCHED is inside of STATE, and all copies between them, WATCHED included, have
   lost their Enters.  */
bool open_is_lost(tree watched, tree state);

/* What is open before STMT, and while it runs, if STATE was open behind the statement
   before it.  BLOCKS is NULL or the result of open_find.  */
tree open_at(gimple *stmt, tree state, const struct open_block *blocks);

#endif
