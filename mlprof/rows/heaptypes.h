/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap by the types of the blocks, for evaluate.c: by what the tables say of
   the calls that were open when a block was allocated (doc/tables.md, "Types of
   blocks").  */

#ifndef MLPROF_HEAPTYPES_H
#define MLPROF_HEAPTYPES_H

#include "mlprof/names/names.h"
#include "mlprof/rows/heaprows.h"

/* The name of the row of blocks of which no type is known.  */
#define HEAPTYPES_UNKNOWN "<unknown type>"

/* Fills GROUP with a row for each type of the blocks in PROFILE, and its amounts, of
   which those on the stack are the row's own.  Blocks that were allocated
   with no profiled function on the stack have the row STACKS_UNPROFILED.  */
void heaptypes_group(struct heaprows_group *group, const struct profile *profile,
                     const struct program *program, const struct names_style *names);

#endif
