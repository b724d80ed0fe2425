/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view that is a table: MLton's header line and columns.  */

#ifndef MLPROF_REPORT_H
#define MLPROF_REPORT_H

#include "mlprof/rows.h"

#include <stdio.h>

struct report_style {
    bool raw;       /* a column of seconds beside the percentages */
    bool show_line; /* file and line behind the name */
    bool long_name; /* the whole name, not only its last component */
    double thresh;  /* least percentage of a row that is shown */
};

/* PROFILE gives the totals of the header line, which an unmeasured one has not.  */
void report_print(FILE *out, const struct profile *profile, const struct rows *rows,
                  const struct report_style *style);

#endif
