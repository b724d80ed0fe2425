/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markers: makes, recognizes and removes markers, and finds by data flow over them which
   scope (scopes.h) is entered at each point of the current function.  For the passes that
   put markers in, read, check and remove them.

   Markers are Enter, Leave and Resume, as debug marker statements of GCC's.  The BLOCK of
   a marker says which function or inlined copy it is for, and its location, in a line map
   named <ccprof>, says of which kind it is.  So a marker survives inlining, cloning and
   LTO streaming.  */

#ifndef CCPROF_MARKERS_H
#define CCPROF_MARKERS_H

enum markers_kind {
    MARKERS_NONE, /* not one of ours */
    MARKERS_ENTER,
    MARKERS_LEAVE,
    MARKERS_RESUME,
};

/* In plugin_init: makes GCC carry debug markers, which it does not do by itself without
   debug information.  There are no markers of ours
   - with debug information, which must not see them,
   - with -fcompare-debug, which wants the same insns with and without debug information,
   - without optimisation, where nothing needs markers and GCC itself never has any
     (g++.dg/opt/pr96354.C, -O0 -fopenmp-simd).  */
void markers_switch_on(void);

/* In plugin_init, if there are markers: clones of functions, and the copies of bodies
   that GCC inlines from (GCC: tree-inline.cc, initialize_cfun), keep their markers.
   Otherwise they lose them if the front end has none, above all at link time.  */
void markers_keep_in_clones(void);

/* Whether markers are there because of us.  */
bool markers_are_on(void);

/* Whether a function with a stopwatch has markers.  It also has them with debug
   information if GCC carries markers of its own; they are gone when debug information is
   made.  */
bool markers_can_watch(void);

/* A new marker of the current function, or NULL if the line table is full.  */
gimple *markers_build(enum markers_kind kind);

enum markers_kind markers_kind_of(const gimple *stmt);

/* Takes from the markers of the current function the position that GCC's messages would
   name, and gives it back.  In between markers_kind_of still recognizes the markers.  */
void markers_hide(void);
void markers_show(void);

/* Removes the front end's markers from the current function, if they are there only
   because of us.  */
void markers_remove_others(void);

/* Removes ours too, and leaves the function as it would be without us.  */
void markers_remove_all(void);

/* A location that no source has; UNKNOWN_LOCATION if the line table is full.  */
location_t markers_private_location(void);

/* Forward data flow over the markers.  The state is the innermost scope that is entered
   and not left; NULL_TREE before Enter and after Leave.  */
struct dataflow_state {
    tree at_start, at_end; /* of the basic block */
    bool marked;           /* the block has markers: at_end does not depend on at_start */
    bool reached;
    bool joined; /* edges met here with different states */
};

/* The states of all blocks by their index; the caller frees the array.  */
struct dataflow_state *dataflow_compute(void);

/* The state after STMT.  A marker sets the state; all other statements keep it.  */
tree dataflow_after(const gimple *stmt, tree state);

#endif
