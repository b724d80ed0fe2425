/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the machine code that an allocation site stands for.  The tables tell of the
   storage of a function's sites as of code of its own (doc/tables.md, "Allocation
   sites"); here is which code that is: of the same source in the same unit, with the same
   copies inlined in each other, and the call at the same position.  */

#ifndef MLPROF_SITE_CODE_H
#define MLPROF_SITE_CODE_H

#include "mlprof/program/program.h"

struct site_code;

/* PROGRAM lives as long.  */
struct site_code *site_code_new(const struct program *program);

/* The code's function and point in place of those of a site in MODULE.  False, and
   nothing changes, if there is none, or if several may be it: clones of one function.  */
bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point);

void site_code_free(struct site_code *sites);

#endif
