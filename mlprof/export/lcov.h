/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an LCOV tracefile, which lcov, genhtml and many services read (lcov: geninfo(1),
   "FILES", of version 1.16).  */

#ifndef MLPROF_LCOV_H
#define MLPROF_LCOV_H

#include "mlprof/export/export.h"

/* Functions have their assembler names, which genhtml --demangle-cpp makes readable.  */
export_writer lcov_write;

#endif
