/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the values of columns that several tables have: the measure of a row as samples,
   time or bytes, which is null if the profile has another measure; and what a row is.  */

#ifndef MLPROF_MEASURED_H
#define MLPROF_MEASURED_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/view.h"

/* Whether samples are shown.  A profile of nothing has none.  */
bool measured_is_sampled(const struct view *view);

/* The value for SAMPLES, or null unless KNOWN.  Time is in nanoseconds.  */
struct table_value measured_samples(const struct view *view, bool known,
                                    uint64_t samples);
struct table_value measured_time(const struct view *view, bool known, uint64_t samples);
struct table_value measured_bytes(const struct view *view, bool known, uint64_t bytes);

/* Name, source file and line of a row; null if ROW is NULL, outside of the profile.  */
struct table_value measured_name(const struct view *view, const struct rows_row *row);
struct table_value measured_file(const struct rows_row *row);
struct table_value measured_line(const struct rows_row *row);

/* The symbol of a row's function, and where the row is if it is no function.  */
struct table_value measured_symbol(const struct rows_row *row);
struct table_value measured_place(const struct rows_row *row);

/* Define the value and the cell of a column (TABLE_VALUE, TABLE_CELL).  OF_ROW, which
   each table defines, declares the variables of the expressions.  */
#define VALUE(name, expression) TABLE_VALUE(name, OF_ROW, expression)
#define CELL(name, expression)  TABLE_CELL(name, OF_ROW, expression)

/* Calls on the terminal, behind ~ where they are estimated; and which share of the most
   that they can be is certain.  To be freed.  */
char *measured_calls_cell(struct arcs_calls calls);
char *measured_sure_cell(struct arcs_calls calls);

/* Prints below the tables of a view, if a row of them is GUESSED, what ~ means; nothing
   in MLton's layout.  */
void measured_guessed(FILE *out, const struct view *view, bool guessed);

#endif
