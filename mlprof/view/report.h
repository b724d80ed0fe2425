/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table, by default with numbers first and how far they can be trusted, or
   with MLton's columns.  */

#ifndef MLPROF_REPORT_H
#define MLPROF_REPORT_H

#include "mlprof/view/view.h"

/* Prints the rows whose cur reaches the threshold, in the order of the style, and no more
   than the style allows.  Returns whether one of them is marked (rows-table.h).  */
bool report_print(FILE *out, const struct view *view);

#endif
