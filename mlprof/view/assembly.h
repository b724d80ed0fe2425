/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the machine code of functions with what was measured at each instruction, for
   listing.c.  */

#ifndef MLPROF_ASSEMBLY_H
#define MLPROF_ASSEMBLY_H

#include "mlprof/view/source-files.h"
#include "mlprof/view/view.h"

/* Prints the code of the rows that are WANTED, whose files are known: of each compiled
   function that a row is, or is inlined in.  VIEW has stacks by address.  */
void assembly_print(FILE *out, const struct view *view, const bool *wanted,
                    struct source_files *files);

#endif
