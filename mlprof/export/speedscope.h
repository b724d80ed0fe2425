/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the format of speedscope: its file-format-schema.json.  */

#ifndef MLPROF_SPEEDSCOPE_H
#define MLPROF_SPEEDSCOPE_H

#include "mlprof/export/export.h"

/* A frame is a function, with where it begins; a sample is a stack, the outermost
   function first, and weighs what all of them took together.  Each measure of the data is
   a profile of its own; only time, or bytes without it, have stacks.  */
export_writer speedscope_write;

#endif
