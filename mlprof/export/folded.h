/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes folded stacks, which flame graph tools read: a line for each stack, its
   functions from the outermost inwards with semicolons between, a blank, and its count
   (B. Gregg, FlameGraph: stackcollapse-*.pl, flamegraph.pl).  */

#ifndef MLPROF_FOLDED_H
#define MLPROF_FOLDED_H

#include "mlprof/export/export.h"

/* The counts are samples, or bytes or calls if these were measured alone; calls have no
   stacks, each function stands by itself.  A semicolon in a name becomes a colon.  */
export_writer folded_write;

#endif
