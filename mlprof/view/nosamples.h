/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains why there are no samples of a run, for advice.c.  */

#ifndef MLPROF_NOSAMPLES_H
#define MLPROF_NOSAMPLES_H

#include "mlprof/profile/profile.h"

/* Why there are none and what to do, a sentence to be freed; NULL if there are some, or
   if time was not measured.  */
char *nosamples_text(const struct profile *profile);

#endif
