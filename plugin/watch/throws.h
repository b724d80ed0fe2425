/* SPDX-License-Identifier: GPL-3.0-or-later */
/* throws: lets exceptions that leave the current function do something first, for
   stopwatch.  */

#ifndef CCPROF_THROWS_H
#define CCPROF_THROWS_H

/* Where exceptions go from now on that STATEMENTS, which may throw out of the function,
   throw: to CODE, and on from there.  */
void throws_catch(const vec<gimple *> &statements, gimple_seq code);

#endif
