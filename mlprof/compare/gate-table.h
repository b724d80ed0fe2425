/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of counts that differ from a baseline, for all outputs.  */

#ifndef MLPROF_GATE_TABLE_H
#define MLPROF_GATE_TABLE_H

#include "mlprof/compare/gate.h"
#include "mlprof/table/table.h"

#include <stdio.h>

/* The table, which table_free frees, with a row for each difference.  SHOW_LINE: names
   have file and line on a terminal.  */
struct table gate_table_make(const struct gate *gate, bool show_line);

/* Prints the TOP first rows of the table, as in table_cut, on a terminal: functions with
   the largest changes first.  Prints nothing if there is no difference.  */
void gate_table_print(FILE *out, const struct gate *gate, bool show_line, size_t top);

/* The columns of that table.  */
extern const struct table_view gate_table;

#endif
