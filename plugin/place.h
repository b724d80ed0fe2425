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

/* For a statement of the current function without a location, in which flow says
   that STATE is the innermost scope.  */
struct place place_find(gimple *stmt, tree state);

#endif
