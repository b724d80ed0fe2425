/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which source files are a library's and not the program's own, for views that look
   for the program's part in what happens.  */

#ifndef MLPROF_LIBRARY_H
#define MLPROF_LIBRARY_H

#include "mlprof/base/pattern.h"
#include "mlprof/names/identity.h"

/* Whether the source starts in a file in a folder of system headers (GCC's
   cppdefault.cc), in a file whose path one of PATTERNS matches, or in no known file.  */
bool library_has(const struct identity_source *source, const struct patterns *patterns);

#endif
