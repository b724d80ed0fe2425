/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch: regions that the plugin itself makes.  A function with a stopwatch (filter.h),
   and each inlined copy of one, is a region: the program calls the runtime when it enters
   and leaves it (stopwatch.cc).  So is a block of C behind CCPROF_REGION (regions.cc).

   - anchor.cc keeps markers of these functions alive through the optimisers, or puts them
     back.
   - open.cc finds by the markers which copies are open at each point.
   - stopwatch.cc puts the calls in behind the last optimisation.
   - quiet-NAME.cc has instructions for the processor NAME.  A function that calls nothing
   is quiet: its callers may rely on the registers that it leaves alone (-fipa-ra) and on
   the stack that it does not need.  It gets its calls when its code is final, at places
   where its own code is not yet or no longer running.  */

#ifndef CCPROF_WATCH_H
#define CCPROF_WATCH_H

/* In plugin_init.  The first two only if there are stopwatches.  */
void watched_register(const char *plugin);
void anchor_register(const char *plugin);
void block_register(const char *plugin);

/* At the end of the compilation (emit.h): writes the regions, if there are any.  */
bool watched_any(void);
void watched_emit(const char *unit);

/* What follows is for the files of this room.  */

/* The number of the region (struct ccprof_region) of the function.  */
unsigned watched_number(tree function);

/* The text of the region's label.  Three words follow the label: name, number, and the
   address of the first.  */
#define WATCHED_LABEL ".Lccprof_watched_%u"

enum watched_call {
    WATCHED_ENTER, /* returns what it has entered */
    WATCHED_END,
    WATCHED_LEFT, /* its second argument is what was entered, 0: nothing */
};

/* The type of what WATCHED_ENTER returns.  */
#define WATCHED_TYPE long_unsigned_type_node

/* The call of the stub (rt/attach.c) for the region of SCOPE's function (scopes.h),
   charged to that scope.  ENTERED is the second argument of WATCHED_LEFT, otherwise
   NULL_TREE.  */
gcall *watched_build(enum watched_call call, tree scope, tree entered);

/* Whether quiet functions are possible on this processor, in this compilation.  */
bool quiet_is_possible(void);

/* The instructions that enter, or leave, the region of that number: the text of an asm,
   which leaves all registers as they are; with the directives of call frame information
   if CFI. The caller frees it.  */
char *quiet_text(unsigned region, bool enters, bool cfi);

/* At the end of the compilation: writes the functions that these instructions call, if
   there are any.  */
void quiet_emit(void);

/* The scopes with a stopwatch that are open at each point of the current function, by
   forward data flow over the markers (open.cc).  A scope (scopes.h) is watched if it is
   an inlined copy of a function with a stopwatch, or the function itself.  The innermost
   open scope stands for all that are open, since those around it are open, too;
   NULL_TREE: none is open.

   Only the marker Enter opens a copy, so that each copy is counted once.  Where paths
   with different states meet, what they have in common stays open.  Before the last
   inlining GCC may have dropped markers, but has hardly moved statements: there the
   scopes of statements are used, too.

   copies_start begins another function; before all other calls.  WITH_ROOT: the function
   itself has a stopwatch.  */
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
