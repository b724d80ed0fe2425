/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which source files are a library's, not the program's own: for views that look for
   the program's part in what happens.  */

#ifndef MLPROF_LIBRARY_H
#define MLPROF_LIBRARY_H

#include "mlprof/base/pattern.h"
#include "mlprof/names/identity.h"

/* The source starts in a file of a folder of system headers (GCC's cppdefault.cc), or in
   one whose path one of PATTERNS is found in.  One without a file is not the program's
   own.  */
bool library_has(const struct identity_source *source, const struct patterns *patterns);

#endif
