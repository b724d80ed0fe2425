/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markers: makes, recognizes and removes markers. A data flow analysis over the
   markers finds which scope (scopes.h) is entered at each point of the current
   function. For the passes that insert, read, check and remove markers.

   Markers are Enter, Leave and Resume. Each is a debug marker statement of GCC. The
   BLOCK of a marker is the function or inlined copy to which the marker belongs. The
   location of a marker is in a line map named <ccprof>, where the line encodes the
   kind. So a marker survives inlining, cloning and LTO streaming. */

#ifndef CCPROF_MARKERS_H
#define CCPROF_MARKERS_H

enum markers_kind {
    MARKERS_NONE, /* not a marker of ccprof */
    MARKERS_ENTER,
    MARKERS_LEAVE,
    MARKERS_RESUME,
};

/* Called in plugin_init. Makes GCC carry debug markers, which it normally does only
   with debug information. The plugin makes no markers

     - with debug information, because the markers would appear in it,
     - with -fcompare-debug, which requires that debug information changes no insn,
     - without optimisation: no markers are needed there, and GCC itself has none
       (g++.dg/opt/pr96354.C, -O0 -fopenmp-simd). */
void markers_switch_on(void);

/* Called in plugin_init, if there are markers. Makes clones of functions, and the
   copies of bodies that GCC inlines (GCC: tree-inline.cc, initialize_cfun), keep their
   markers. Without this function they lose their markers if the front end does not
   make debug markers itself. The most important example is the front end of the link. */
void markers_keep_in_clones(void);

/* Returns true if the plugin has switched on the debug markers. */
bool markers_are_on(void);

/* Returns true if a function with a stopwatch has markers. With debug information,
   such a function has markers only if GCC carries debug markers for itself. The
   plugin's markers are removed before debug information is made. */
bool markers_can_watch(void);

/* Returns a new marker of the current function, or NULL if the line table is full. */
gimple *markers_build(enum markers_kind kind);

enum markers_kind markers_kind_of(const gimple *stmt);

/* markers_hide removes the position, which GCC's messages would show, from the markers
   of the current function. markers_show restores it. markers_kind_of recognizes hidden
   markers too. */
void markers_hide(void);
void markers_show(void);

/* Removes the front end's markers from the current function, if they exist only
   because markers_switch_on was called. */
void markers_remove_others(void);

/* Also removes the markers of ccprof, and leaves the function as it would be without
   the plugin. */
void markers_remove_all(void);

/* Returns a location that no source has, or UNKNOWN_LOCATION if the line table is
   full. */
location_t markers_private_location(void);

/* The forward data flow analysis over the markers. The state is the innermost scope
   that has been entered and not left. It is NULL_TREE before Enter and after Leave. */
struct dataflow_state {
    tree at_start, at_end; /* of the basic block */
    bool marked; /* the block has markers, so at_end does not depend on at_start */
    bool reached;
    bool joined; /* edges with different states meet at the start */
};

/* Returns the states of all blocks, by block index. The caller frees the array. */
struct dataflow_state *dataflow_compute(void);

/* Returns the state after STMT, if STATE is the state before it. Only markers change
   the state. */
tree dataflow_after(const gimple *stmt, tree state);

#endif
