/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the machine code that an allocation site stands for.  The tables describe the
   storage of a function's sites as if it were code (doc/tables.md, "Allocation sites").
   The machine code of a site is the code of the same source in the same unit, with the
   same copies inlined in each other, and with the call at the same position.  */

#ifndef MLPROF_SITE_CODE_H
#define MLPROF_SITE_CODE_H

#include "mlprof/program/program.h"

struct site_code;

/* PROGRAM must live as long as the result.  */
struct site_code *site_code_new(const struct program *program);

/* Replaces the function and point of a site in MODULE by those of its machine code.
   Returns false, and changes nothing, if there is no such code, or if several clones of
   one function have it.  */
bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point);

void site_code_free(struct site_code *sites);

#endif
