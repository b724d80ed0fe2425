/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the separate debug file of an executable whose own tables or symbols were taken
   away.  */

#ifndef MLPROF_DEBUGFILE_H
#define MLPROF_DEBUGFILE_H

#include "mlprof/elf/elffile.h"

#define DEBUGFILE_ROOT "/usr/lib/debug"

/* Looks for a file that has FILE's build-id and what WANTED asks for: first by build-id
   below ROOT, then by the name in .gnu_debuglink, beside FILE and in .debug/ beside it
   (the places are gdb's: "Debugging Information in Separate Files").  NULL and an empty
   FAULT if there is none; NULL and FAULT if one of another build, or a damaged
   one, is all that there is.  */
struct elffile *debugfile_open(const struct elffile *file, const char *root,
                               bool (*wanted)(const struct elffile *),
                               struct fault *fault);

#endif
