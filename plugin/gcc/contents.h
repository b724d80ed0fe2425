/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contents: hashes source files, for sources.cc and origin.cc, so that mlprof can tell
   whether a file is still what was compiled.  */

#ifndef CCPROF_CONTENTS_H
#define CCPROF_CONTENTS_H

#include "plugin/tables/unit.h"

/* The MD5 of what is in FILE now, named as the compiler knows it; all 0 if it cannot be
   read.  */
struct unit_hash contents_hash(const char *file);

#endif
