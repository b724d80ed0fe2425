/* SPDX-License-Identifier: MIT */
/* Checks arguments where one room calls another.  Only the unit tests, which are compiled
   with CCPROF_ASSERT, run these checks: in the runtime itself, which must never end a
   program, an assertion is no code at all.  An assertion stands where a wrong argument
   would do harm in silence.  */

#ifndef CCPROF_RT_ASSERT_H
#define CCPROF_RT_ASSERT_H

#ifdef CCPROF_ASSERT
#include <stdlib.h>
#define ccprof_assert(condition) ((condition) ? (void)0 : abort())
#else
#define ccprof_assert(condition) ((void)sizeof(condition))
#endif

#endif
