/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How rows are called, each by another name: where two would be shown alike, parameters
   are added, and where these do not tell them apart, or of lambdas, their places.  */

#ifndef MLPROF_NAMES_H
#define MLPROF_NAMES_H

#include "mlprof/evaluate/rows.h"

struct names_style {
    bool long_name; /* the whole name, not only its last component */
    bool full_name; /* with parameters */
    bool show_line; /* file and line stand behind it */
};

/* Sets what the rows are SHOWN as; it lives as long as ROWS.  */
void names_settle(struct rows *rows, const struct names_style *style);

/* The name of a source as the style wants it; to be freed.  */
char *names_of(const struct identity_source *source, const struct names_style *style);

#endif
