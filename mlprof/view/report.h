/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table, by default with numbers first and how far they can be trusted, or
   with MLton's columns.  */

#ifndef MLPROF_REPORT_H
#define MLPROF_REPORT_H

#include "mlprof/view/view.h"

/* Rows whose cur reaches the threshold, in the order that the style wants, and not more
   than it wants.  Returns whether one of them is marked (rows-table.h).  */
bool report_print(FILE *out, const struct view *view);

#endif
