/* SPDX-License-Identifier: MIT */
/* Finds out for what the objects of a module were compiled, for start.c: each kind has a
   note, in whatever order the objects were linked.  */

#ifndef CCPROF_KINDS_H
#define CCPROF_KINDS_H

#include "rt/format.h"

/* Returns the kinds (enum ccprof_kind) of the module that ATTACH is in, those of ATTACH
   included.  For the constructor.  */
unsigned ccprof_kinds_of(const struct ccprof_attach *attach);

#endif
