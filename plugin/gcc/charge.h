/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charge: gives a statement without a scope a location_t that carries the scope which
   infer found, so that label finds the scope again after expansion and all RTL
   passes.  Each location that was made so knows the one that it was made from: label
   puts that back into the insns, since debug information must not differ.  What is
   known holds for one function at a time.  HACKING draws the way of a location from
   infer to label.  */

#ifndef CCPROF_CHARGE_H
#define CCPROF_CHARGE_H

/* A location with ORIGINAL's position and range, charged to the block SCOPE.  Of two
   originals that would become the same, the second stays as it is.  */
location_t charge_location(location_t original, tree scope);

/* A charged location, as charge_location gives, for a statement that stands at POSITION,
   of which ORIGINAL does not know.  */
location_t charge_at(location_t position, location_t original, tree scope);

/* Where what is at LOCATION stands: the original's position or the one that was given. */
location_t charge_position(location_t location);

/* What LOCATION was before it was charged; itself if it was not.  */
location_t charge_original(location_t location);

/* Takes from LOCATION the position that charge_at has given, so that GCC's messages do
   not name it, and gives it back; others stay.  In between its block is known all the
   same.  */
location_t charge_hide(location_t location);
location_t charge_show(location_t location);

/* At the end of a function.  */
void charge_forget(void);

#endif
