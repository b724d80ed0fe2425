/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moved: knows the functions that GCC makes of code of another function, the bodies of
   constructs and of coroutines, for edges.cc: which of their positions count.  */

#ifndef CCPROF_MOVED_H
#define CCPROF_MOVED_H

/* For the current function.  The answers below are valid until moved_free.  */
void moved_find(void);
void moved_free(void);

/* Whether the current function is such a function.  */
bool moved_is(void);

/* Whether the code at LOCATION only enters or leaves the function.  */
bool moved_adds(location_t location);

/* Whether the code at LOCATION in BB continues an execution that began before BB.  */
bool moved_continues(location_t location, basic_block bb);

/* If the statement passes the body of a construct to libgomp, the location of the
   construct; otherwise UNKNOWN_LOCATION.  The call itself has no location.  May be called
   at any time.  */
location_t moved_construct(const gimple *statement);

#endif
