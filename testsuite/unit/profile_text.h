/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile as the data file, mlmon.out(5), that has the same numbers. */

#ifndef TESTSUITE_PROFILE_TEXT_H
#define TESTSUITE_PROFILE_TEXT_H

#include "mlprof/profile/profile.h"

/* Returns the lines from `kind' to `end', to be freed. The points stand in the order of
   the nodes. Biases of modules are 0. Of sampled blocks the points have the estimates,
   and there are no lines of sizes. */
char *profile_text(const struct profile *profile);

#endif
