/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the processed profile format of the Firefox Profiler, version 66, which later
   ones upgrade when they load it: github.com/firefox-devtools/profiler,
   src/types/profile.ts and docs-developer/CHANGELOG-formats.md.  */

#ifndef MLPROF_FIREFOX_H
#define MLPROF_FIREFOX_H

#include "mlprof/export/export.h"

/* Each measure is a thread of its own; only that of time, or of bytes without it, has
   stacks.  Source files are in the file, where they can be read.  */
export_writer firefox_write;

#endif
