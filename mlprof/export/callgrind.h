/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes valgrind's callgrind format, which callgrind_annotate and KCachegrind read
   (valgrind: docs/callgrind/format).  Inlined functions are functions that were called:
   their lines would else be a second function by the same name, of another file.  */

#ifndef MLPROF_CALLGRIND_H
#define MLPROF_CALLGRIND_H

#include "mlprof/export/export.h"

/* The events are those that were measured: samples, calls, executions of lines, bytes and
   allocations.  Inclusive figures are of samples.  Code of a function in another file is
   in its line 0.  */
export_writer callgrind_write;

#endif
