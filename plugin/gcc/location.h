/* SPDX-License-Identifier: GPL-3.0-or-later */
/* location: finds a location for statements that have none, for infer.  Optimisers
   make statements from others and often give the new ones no location; in SSA form a
   statement's operands, and what its result goes into, say where it comes from.  */

#ifndef CCPROF_LOCATION_H
#define CCPROF_LOCATION_H

struct location_found {
    location_t location; /* UNKNOWN_LOCATION: none was found */
    tree scope;
};

/* For a statement of the current function without a location, in which dataflow says
   that STATE is the innermost scope.  A call, of which there are some that GCC makes
   itself, stands at worst where the program was before: _Unwind_Resume behind the
   destructors of a landing pad (GCC: tree-eh.cc, lower_resx) at the end of their scope.
 */
struct location_found location_find(gimple *stmt, tree state);

/* Whether the statement is a call behind which nothing in the function is executed.  Then
   there is no neighbour behind it to which expansion could hand its location.  */
bool location_is_last(const gimple *stmt);

#endif
