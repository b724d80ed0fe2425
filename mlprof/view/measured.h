/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the values of columns that several tables have: what was measured of a row as
   samples, time or bytes, which is null where the profile has another measure, and what a
   row is called.  */

#ifndef MLPROF_MEASURED_H
#define MLPROF_MEASURED_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/table/table.h"
#include "mlprof/view/view.h"

/* The profile has that measure; one of nothing has none.  */
bool measured_is(const struct view *view, enum profile_measure measure);

/* The amount, null unless it is KNOWN; the time of SAMPLES is in nanoseconds.  */
struct table_value measured_samples(const struct view *view, bool known,
                                    uint64_t samples);
struct table_value measured_time(const struct view *view, bool known, uint64_t samples);
struct table_value measured_bytes(const struct view *view, bool known, uint64_t bytes);

/* Name, source file and line of a row; null where ROW is NULL: outside of the profile. */
struct table_value measured_name(const struct view *view, const struct rows_row *row);
struct table_value measured_file(const struct rows_row *row);
struct table_value measured_line(const struct rows_row *row);

/* Calls on the terminal, behind ~ where they are estimated; and which share of the most
   that they can be is certain.  To be freed.  */
char *measured_calls_cell(struct arcs_calls calls);
char *measured_sure_cell(struct arcs_calls calls);

#endif
