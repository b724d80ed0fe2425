/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the file that gcov --json-format writes: its intermediate format, version 1 (GCC
   9 to 13) or 2 (GCC 14 and later; GCC: gcov.cc, doc/gcov.texi).  */

#ifndef MLPROF_GCOV_JSON_H
#define MLPROF_GCOV_JSON_H

#include "mlprof/export/export.h"

/* Of each compilation the files that its functions are in, as gcov with -b tells of them.
   NAME is what data_file says, MAKER gcc_version.
   Version 2's calls and conditions are not told.  */
void gcov_json_print(FILE *out, const struct flowcounts *counts, unsigned version,
                     const char *name, const char *maker);

#endif
