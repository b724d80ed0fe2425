/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints below a view how far its shares can be trusted, if there are few samples.  */

#ifndef MLPROF_PRECISION_H
#define MLPROF_PRECISION_H

#include "mlprof/profile/profile.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether shares may be wrong by more than five points, or there are none.  */
bool precision_is_poor(const struct profile *profile);

/* Prints a line if shares of the profile's samples may be wrong by more than one point
   (statistics_bound), and the meaning of the mark in front of rows if a row is MARKED.
   If BRIEF the first line stands only if they are poor.
   Returns whether anything was printed.  */
bool precision_print(FILE *out, const struct profile *profile, bool marked, bool brief);

#endif
