/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives amounts of time to rows that a test has made. */

#ifndef CCPROF_TESTSUITE_MADE_ROWS_H
#define CCPROF_TESTSUITE_MADE_ROWS_H

#include "mlprof/rows/rows.h"

/* Sets the amounts of each row of ROWS. If TOTAL is NULL, totals equal SELF.
   measured_free (rows->measured) frees the amounts. */
static inline void made_rows_measure(struct rows *rows, const uint64_t *self,
                                     const uint64_t *total)
{
    rows->measured = measured_new(measure_all, NULL, rows->count);
    for (uint32_t i = 0; i < rows->count; i++) {
        rows->measured->columns.list[MEASURED_SELF].amounts[i] = self[i];
        rows->measured->columns.list[MEASURED_TOTAL].amounts[i] =
            (total ? total : self)[i];
        rows->rows[i].measured = rows->measured;
        rows->rows[i].number = i;
    }
}

#endif
