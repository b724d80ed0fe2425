/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the file that gcov --json-format writes: its intermediate format, version 1.
 */

#ifndef MLPROF_GCOV_JSON_H
#define MLPROF_GCOV_JSON_H

#include "mlprof/evaluate/flowcounts.h"
#include "mlprof/export/export.h"

#include <stdio.h>

/* Prints all that COUNTS has, of each compilation the files that its functions are in, as
   gcov with -b tells of them.  NAME is what data_file says, MAKER gcc_version.  */
void gcov_json_print(FILE *out, const struct flowcounts *counts, const char *name,
                     const char *maker);

/* The same of a view; it has counts.  */
export_writer gcov_json_write;

#endif
