/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field: makes the program itself store its local stack, for the kind time-field.
   Each thread has a word, the field, that holds the site (sites.h) of its local
   stack.  The program stores a site there wherever the local stack changes, and a
   caller stores its own again when the callee returns (Appel, Duba, MacQueen, Tolmach:
   "Profiling in the Presence of Optimization and Garbage Collection", 1988).  The
   stores are put between the final instructions, which are otherwise those of the
   plain program, and the local stacks are those that label finds.  */

#ifndef CCPROF_FIELD_H
#define CCPROF_FIELD_H

/* Whether this compilation has compiled a profiled function: one that stores nothing,
   since it does nothing, is part of the program, too.  */
bool field_any(void);

/* At the end of the unit: the module's field, and where the runtime finds it, if any
   function of this compilation has stored into it.  UNIT is not named there.  */
void field_emit(const char *unit);

#endif
