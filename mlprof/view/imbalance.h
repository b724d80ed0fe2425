/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how evenly the load of each function is spread over ranks or threads.  */

#ifndef MLPROF_IMBALANCE_H
#define MLPROF_IMBALANCE_H

#include "mlprof/view/view.h"

/* Why what was measured cannot be told apart by OVER; NULL: it can, or nothing was
   measured.  */
const char *imbalance_lacks(const struct view *view, enum spread_over over);

/* The view's spread is of what is told apart.  */
void imbalance_print(FILE *out, const struct view *view);

#endif
