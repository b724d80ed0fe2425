/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch: regions that the plugin itself makes. Each function with a stopwatch
   (filter.h), and each inlined copy of one, is a region: the program calls the runtime
   when it enters and leaves it. In C, each block after CCPROF_REGION is a region too
   (regions.cc). Only ccprof.cc calls this room.

     - anchor.cc keeps or restores the markers of these functions during optimisation.
     - open.cc finds from the markers which copies are open at each point.
     - stopwatch.cc inserts the calls after the last optimisation.
     - quiet-NAME.cc has the instructions of quiet functions for the processor NAME.

   A function without calls of unknown functions is quiet: its callers may rely on the
   registers that it does not change (-fipa-ra), and on the stack that it does not need.
   The calls are inserted when its code is final, before its own code starts and after it
   has ended. On a processor without quiet-NAME.cc, such functions are treated like all
   others. */

#ifndef CCPROF_WATCH_H
#define CCPROF_WATCH_H

/* Called in plugin_init. The first two are called only if there are stopwatches. */
void watched_register(const char *plugin);
void anchor_register(const char *plugin);
void block_register(const char *plugin);

/* Called at the end of the compilation (emit.h). watched_emit writes the regions, if
   there are any. */
bool watched_any(void);
void watched_emit(const char *unit);

/* The rest of this header is for the files of this room. */

/* Returns the number of the function's region (struct ccprof_region). */
unsigned watched_number(tree function);

/* The region's label. Three words follow the label: the address of the name, the
   number, and the address of the label. */
#define WATCHED_LABEL ".Lccprof_watched_%u"

enum watched_call {
    WATCHED_ENTER, /* returns an identification of the open region */
    WATCHED_END,
    WATCHED_LEFT, /* takes the result of WATCHED_ENTER; 0: not open */
};

/* The type of the result of WATCHED_ENTER. */
#define WATCHED_TYPE long_unsigned_type_node

/* Returns a call of the stub (rt/attach.c) for the region of SCOPE's function, charged
   to SCOPE (scopes.h). ENTERED is the second argument of WATCHED_LEFT, otherwise
   NULL_TREE. */
gcall *watched_build(enum watched_call call, tree scope, tree entered);

/* Returns true if quiet functions are possible on this processor with the options of
   this compilation. */
bool quiet_is_possible(void);

/* Returns the text of an asm that enters or ends the region with this number, and
   leaves all registers unchanged. If CFI is true, the text has the directives of call
   frame information. The caller frees it. */
char *quiet_text(unsigned region, bool enters, bool cfi);

/* Called at the end of the compilation. Writes the functions that these instructions
   call, unless no such instruction was inserted. */
void quiet_emit(void);

/* The scopes with a stopwatch that are open at each point of the current function.
   open.cc finds them by forward data flow over the markers. A scope (scopes.h) is
   watched if it is an inlined copy of a function with a stopwatch, or the function
   itself. A state is the innermost open scope, because all watched scopes around it
   are open too. NULL_TREE means that no watched scope is open.

   Only the marker Enter opens a copy, so that each copy is counted once. Where paths
   with different states meet, their common scopes stay open. Before the last inlining,
   GCC may have dropped markers but has hardly moved statements. So the scopes of
   statements are used there as well.

   copies_start must be called first for each function. WITH_ROOT: the function itself
   has a stopwatch. */
void copies_start(bool with_root);

/* copies_watched returns the innermost watched scope around SCOPE, which may be SCOPE
   itself. copies_around returns the next watched scope outside WATCHED. copies_common
   returns the innermost watched scope that contains both A and B. */
tree copies_watched(tree scope);
tree copies_around(tree watched);
tree copies_common(tree a, tree b);

/* Appends the watched scopes among BLOCK, its siblings and all blocks inside them. */
void copies_find(tree block, vec<tree> *copies);

/* Returns true if the watched scope has a Leave somewhere. If not, GCC has dropped it. */
bool copies_is_left(tree watched);

/* Returns true if no code can be inserted on the edge, because an exception or another
   kind of jump arrives by it. Such a jump may start in the middle of the edge's first
   block, not only at its end. */
bool copies_is_landing(const_edge e);

/* The states where a basic block starts and ends. */
struct open_block {
    tree start, end;
    bool reached;
};

/* Returns the states of all blocks, by block index. The caller frees the array. Call
   copies_start before. If the function itself has a stopwatch, it is open from its
   start. EARLY: the last inlining has not happened yet. */
struct open_block *open_find(bool early);

/* Returns true if WATCHED is inside STATE, and WATCHED and all copies between the two
   have lost their Enters. */
bool open_is_lost(tree watched, tree state);

/* Returns the state before and during STMT, if STATE is the state after the previous
   statement. BLOCKS is NULL or the result of open_find. */
tree open_at(gimple *stmt, tree state, const struct open_block *blocks);

#endif
