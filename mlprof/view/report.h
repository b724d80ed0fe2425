/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table with MLton's columns.  */

#ifndef MLPROF_REPORT_H
#define MLPROF_REPORT_H

#include "mlprof/view/view.h"

/* Rows whose cur reaches the threshold.  */
void report_print(FILE *out, const struct view *view);

#endif
