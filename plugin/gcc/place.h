/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places for statements that have none.  Optimisers make statements from others
   and often give them no location; in SSA form what a statement computes from and
   what its result goes into says where it comes from.  */

#ifndef CCPROF_PLACE_H
#define CCPROF_PLACE_H

struct place {
    location_t location; /* UNKNOWN_LOCATION: no place was found */
    tree scope;
};

/* For a statement of the current function without a location, in which dataflow says
   that STATE is the innermost scope.  A call, of which there are some that GCC makes
   itself, stands at worst where the program was before: _Unwind_Resume behind the
   destructors of a landing pad (GCC: tree-eh.cc, lower_resx) at the end of their scope.
 */
struct place place_find(gimple *stmt, tree state);

/* Whether the statement is a call behind which nothing in the function is executed.  Then
   there is no neighbour behind it to which expansion could hand its location.  */
bool place_is_end(const gimple *stmt);

#endif
