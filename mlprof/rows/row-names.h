/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each row a name that no other row has.  Where two names would be alike,
   parameters are added; where parameters do not tell the functions apart, or a function
   is a lambda, a position is added.  */

#ifndef MLPROF_ROW_NAMES_H
#define MLPROF_ROW_NAMES_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

/* Sets SHOWN of each row; the texts live as long as ROWS.  */
void row_names_settle(struct rows *rows, const struct names_style *style);

#endif
