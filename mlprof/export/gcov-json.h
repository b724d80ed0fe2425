/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the file that gcov --json-format writes: its intermediate format, version 1 (GCC
   9 to 13) or 2 (GCC 14 and later; GCC: gcov.cc, doc/gcov.texi).  */

#ifndef MLPROF_GCOV_JSON_H
#define MLPROF_GCOV_JSON_H

#include "mlprof/export/export.h"

/* Writes each compilation with the files of its functions, as gcov -b does.  NAME becomes
   data_file, MAKER gcc_version.  The calls and conditions of version 2 are left out.  */
void gcov_json_print(FILE *out, const struct flowcounts *counts, unsigned version,
                     const char *name, const char *maker);

#endif
