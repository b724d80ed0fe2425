/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moved: knows functions that GCC has made of code of another function, the bodies of
   constructs and of coroutines, for edges.cc: which of their positions are executed
   there, and which only once more.  */

#ifndef CCPROF_MOVED_H
#define CCPROF_MOVED_H

/* For the current function; what is asked below holds until moved_free.  */
void moved_find(void);
void moved_free(void);

/* Whether the current function is one.  */
bool moved_is(void);

/* Whether GCC has made up what stands at LOCATION, to enter and to leave the function. */
bool moved_adds(location_t location);

/* Where the construct stands whose body the statement hands to libgomp, or
   UNKNOWN_LOCATION.  The call itself has no location.  Any time.  */
location_t moved_construct(const gimple *statement);

/* Whether an execution of what stands at LOCATION, in BB, has begun before BB.  */
bool moved_continues(location_t location, basic_block bb);

#endif
