/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each function of a list a name that no other one there has: where two would be
   shown alike it adds what tells them apart.  For the tables of functions and of
   regions.  */

#ifndef MLPROF_SETTLE_H
#define MLPROF_SETTLE_H

#include "mlprof/base/intern.h"
#include "mlprof/names/names.h"

struct settle_name {
    const struct identity_source *source;
    const char *shown; /* in the texts: each once */
};

/* Fills in what is shown; if the style has positions behind the names they tell apart,
   too.  What is one function may stand there several times.  */
void settle_names(struct settle_name *names, size_t count, struct intern *texts,
                  const struct names_style *style);

#endif
