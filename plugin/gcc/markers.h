/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markers: makes, recognizes and removes markers, which are Enter, Leave and Resume as
   debug marker statements, for mark, dataflow and the checker.  A marker describes
   itself: its BLOCK says which function or inlined copy it is for, and its location,
   in a line map named <ccprof>, says of which kind it is.  So it survives inlining,
   cloning and LTO streaming.  */

#ifndef CCPROF_MARKERS_H
#define CCPROF_MARKERS_H

enum markers_kind {
    MARKERS_NONE, /* not one of ours */
    MARKERS_ENTER,
    MARKERS_LEAVE,
    MARKERS_RESUME,
};

/* In plugin_init: makes GCC carry debug markers, which it does not by itself without
   debug information.  With it this does nothing, and there are no markers of ours:
   GCC's debug information shall not see them.  Nor with -fcompare-debug, which wants
   the same insns with and without it; nor without optimisation, where nothing needs
   them and GCC itself never has any (g++.dg/opt/pr96354.C, -O0 -fopenmp-simd).  */
void markers_switch_on(void);

/* In plugin_init, where there are markers: GCC's clones of functions, and the copies of
   bodies that it inlines from (GCC: tree-inline.cc, initialize_cfun), keep them.  By
   itself GCC makes these without markers where the front end has none, at link time above
   all.  */
void markers_keep_in_clones(void);

/* Whether markers are there because of us.  */
bool markers_are_on(void);

/* Whether a function that has a stopwatch has markers: also with debug information, if
   GCC carries markers of its own then; they are gone when that is made.  */
bool markers_can_watch(void);

/* A new marker of the current function, or NULL if the line table is full.  */
gimple *markers_build(enum markers_kind kind);

enum markers_kind markers_kind_of(const gimple *stmt);

/* Takes from the markers of the current function the location that GCC's messages would
   name, and gives it back.  In between markers_kind_of knows them all the same.  */
void markers_hide(void);
void markers_show(void);

/* Removes the front end's markers from the current function, if they are there only
   because of us.  */
void markers_remove_others(void);

/* Removes ours too, and leaves the function as it would be without us.  */
void markers_remove_all(void);

/* A location of ours that no source has; UNKNOWN_LOCATION if the line table is
   full.  */
location_t markers_private_location(void);

#endif
