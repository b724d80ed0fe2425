/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returned: gives what an inlined copy with a stopwatch returns the copy's own scope,
   for open.  Of a copy that returns a constant nothing else may be left; then the
   place of that value tells restore.h that there was a call.  */

#ifndef CCPROF_RETURNED_H
#define CCPROF_RETURNED_H

/* Whether the statement stores what a copy has returned, and the copy's Leave is before
   it: it does not tell that the copy goes on.  */
bool returned_is(gimple_stmt_iterator gsi);

#endif
