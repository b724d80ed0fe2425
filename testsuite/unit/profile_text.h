/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile as a data file, mlmon.out(5), with the same numbers. */

#ifndef TESTSUITE_PROFILE_TEXT_H
#define TESTSUITE_PROFILE_TEXT_H

#include "mlprof/profile/profile.h"

/* Returns the lines from `kind' to `end'. The caller frees them. Points are in the order
   of the nodes. Biases of modules are 0. If blocks were sampled, points have the
   estimates, and no lines of sizes are written. */
char *profile_text(const struct profile *profile);

#endif
