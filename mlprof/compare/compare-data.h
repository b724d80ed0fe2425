/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the results of comparisons as JSON and CSV (mlprof(1), "FORMATS";
   doc/mlprof-compare.schema.json), for comparison.c and gates.c: changes, growth, and
   differences from a baseline.  */

#ifndef MLPROF_COMPARE_DATA_H
#define MLPROF_COMPARE_DATA_H

#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/export/export.h"

struct compare_data_files {
    const struct export_files *files;
    const char *maker; /* ccprof and its version */
};

/* Write all rows, whatever is shown elsewhere, to those of FILES that are wanted; false
   and FAULT if a file cannot be written.  FORMULA may be NULL.  */
bool compare_data_changes(const struct compare_data_files *files,
                          const struct changes_view *view, const struct changes *changes,
                          const struct formula *formula, struct fault *fault);
bool compare_data_regions(const struct compare_data_files *files,
                          const struct regionchanges *changes, struct fault *fault);
bool compare_data_growth(const struct compare_data_files *files,
                         const struct growth *growth, struct fault *fault);
bool compare_data_gate(const struct compare_data_files *files, const struct gate *gate,
                       const char *baseline, double threshold, struct fault *fault);

#endif
