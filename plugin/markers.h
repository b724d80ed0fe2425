/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markers: Enter, Leave and Resume as debug marker statements.  A marker's block
   says which function or inlined copy it speaks of, its location (in a line map
   named <ccprof>, the line says which kind) that it is ours.  So it describes
   itself, and survives inlining, cloning and LTO streaming.  */

#ifndef CCPROF_MARKERS_H
#define CCPROF_MARKERS_H

enum markers_kind {
    MARKERS_NONE, /* not one of ours */
    MARKERS_ENTER,
    MARKERS_LEAVE,
    MARKERS_RESUME,
};

/* In plugin_init: makes GCC carry debug markers even where the user has not asked
   for debug information.  */
void markers_switch_on(void);

/* Whether the current function would have markers of the front end without us.  */
bool markers_wanted_by_user(void);

/* A new marker of the current function, or NULL if the line table is full.  */
gimple *markers_build(enum markers_kind kind);

enum markers_kind markers_kind_of(const gimple *stmt);

/* Removes every debug marker of the current function for which REMOVE says so.  */
void markers_remove(bool (*remove)(const gimple *stmt));

/* A location of ours that no source has; UNKNOWN_LOCATION if the line table is
   full.  */
location_t markers_private_location(void);

#endif
