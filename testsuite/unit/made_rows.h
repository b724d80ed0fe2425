/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives rows that a test has made their amounts of time. */

#ifndef CCPROF_TESTSUITE_MADE_ROWS_H
#define CCPROF_TESTSUITE_MADE_ROWS_H

#include "mlprof/rows/rows.h"

/* Sets the amounts of each row of ROWS. TOTAL may be NULL: the same as SELF. Freed by
   measured_free (rows->measured). */
static inline void made_rows_measure(struct rows *rows, const uint64_t *self,
                                     const uint64_t *total)
{
    rows->measured = measured_new(measure_all, NULL, rows->count);
    for (uint32_t i = 0; i < rows->count; i++) {
        rows->measured->columns[MEASURED_SELF].amounts[i] = self[i];
        rows->measured->columns[MEASURED_TOTAL].amounts[i] = (total ? total : self)[i];
        rows->rows[i].measured = rows->measured;
        rows->rows[i].number = i;
    }
}

#endif
