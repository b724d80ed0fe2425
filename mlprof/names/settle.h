/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each function of a list a name that no other function in the list has: where two
   would be shown alike, what tells them apart is added.  For the tables of functions and
   of regions.  */

#ifndef MLPROF_SETTLE_H
#define MLPROF_SETTLE_H

#include "mlprof/base/intern.h"
#include "mlprof/names/names.h"

struct settle_name {
    const struct identity_source *source;
    const char *shown; /* a text of TEXTS */
};

/* Sets SHOWN in each of NAMES.  If the style has positions, these tell functions apart,
   too.  A function may be in the list several times.  */
void settle_names(struct settle_name *names, size_t count, struct intern *texts,
                  const struct names_style *style);

#endif
