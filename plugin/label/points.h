/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the point of the current part that an insn's location is at: which copy, which
   position.  Nobody else turns GCC's locations and declarations into numbers of the unit.
 */

#ifndef CCPROF_POINTS_H
#define CCPROF_POINTS_H

#include "plugin/tables/part.h"

/* Points are from now on those of PART, of the current function.  Sets the part's
   source.  */
void points_start(struct part *part);

/* Points are from now on in that basic block; it matters for mark=block alone.  */
void points_start_block(int block);

/* The point at LOCATION, which has a position, or at least a scope.  */
unsigned points_of_location(location_t location);

/* The point at LOCATION, which may be unknown, in the scope of the current function; 0 if
   it is excluded together with all that is around it.  */
unsigned points_of_scope(tree scope, location_t location);

#endif
