/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the CPU profile of gperftools with its symbols, which google-pprof reads without
   the program (github.com/gperftools: docs/cpuprofile-fileformat.html; src/pprof,
   ReadSymbols and ReadCPUProfile).  Its own reader of addresses takes inlined functions
   from what -g says, and there are none without; here each function is an address.  */

#ifndef MLPROF_GOOGLE_PPROF_H
#define MLPROF_GOOGLE_PPROF_H

#include "mlprof/export/export.h"

/* The stacks with their samples, without which it is a FAULT; inlined functions are
   functions that were called.  */
export_writer google_pprof_write;

#endif
