/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the separate debug file of an executable whose own tables or symbols were
   stripped.  */

#ifndef MLPROF_DEBUGFILE_H
#define MLPROF_DEBUGFILE_H

#include "mlprof/elf/elffile.h"

#define DEBUGFILE_ROOT "/usr/lib/debug"

/* Opens a file that has FILE's build-id and that WANTED accepts: first by build-id below
   ROOT, then by the name in .gnu_debuglink, in the folder of FILE and in .debug/ there
   (the places are gdb's: "Debugging Information in Separate Files").  If there is none,
   returns NULL with an empty FAULT; if all that was found is of another build or damaged,
   NULL with a FAULT.  */
struct elffile *debugfile_open(const struct elffile *file, const char *root,
                               bool (*wanted)(const struct elffile *),
                               struct fault *fault);

#endif
