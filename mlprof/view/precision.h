/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells below a view how far its shares can be trusted, as long as the samples are few.
 */

#ifndef MLPROF_PRECISION_H
#define MLPROF_PRECISION_H

#include "mlprof/profile/profile.h"

#include <stdbool.h>
#include <stdio.h>

/* What is printed of a profile of samples whose shares may be wrong by more than one
   point (statistics_bound); and what the mark in front of a row means if one is MARKED.
   Returns whether something was printed.  */
bool precision_print(FILE *out, const struct profile *profile, bool marked);

#endif
