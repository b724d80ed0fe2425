/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the format of pprof: github.com/google/pprof, proto/profile.proto.  */

#ifndef MLPROF_PPROF_H
#define MLPROF_PPROF_H

#include "mlprof/export/export.h"

/* Stacks with their addresses, inlined functions as lines of one location.  The values
   are those of the table's columns: samples and seconds, calls, blocks and bytes.  */
export_writer pprof_write;

#endif
