/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points: from an insn's location to the point of the part it lies in: which copy,
   which position.  The one place where GCC's locations and declarations become
   numbers of the unit.  */

#ifndef CCPROF_POINTS_H
#define CCPROF_POINTS_H

#include "part.h"
#include "unit.h"

/* Points are from now on those of PART, of the current function.  Sets the part's
   source.  */
void points_start(struct part *part, struct unit *unit);

/* The point at LOCATION, or 0 if it says nothing: then the program is where it was
   at the insn before.  */
unsigned points_of_location(location_t location);

#endif
