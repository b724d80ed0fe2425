/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each row a name that no other has: where two would be shown alike it adds
   parameters, and where these do not tell them apart, or of lambdas, positions.  */

#ifndef MLPROF_ROW_NAMES_H
#define MLPROF_ROW_NAMES_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

/* Sets what the rows are SHOWN as; it lives as long as ROWS.  */
void row_names_settle(struct rows *rows, const struct names_style *style);

#endif
