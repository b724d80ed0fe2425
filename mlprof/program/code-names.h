/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the code to which instructions lead, for the views that show machine code.  The
   symbols of a module are read when they are first asked for.  */

#ifndef MLPROF_CODE_NAMES_H
#define MLPROF_CODE_NAMES_H

#include "mlprof/elf/insns.h"
#include "mlprof/program/machine-code.h"

struct code_names;

/* PROGRAM and CODE must live as long as the result.  */
struct code_names *code_names_new(const struct program *program,
                                  struct machine_code *code);

/* NAMES may be NULL.  */
void code_names_free(struct code_names *names);

/* The symbol at ADDRESS of a module with tables; NULL: unknown.  Lives as long as
   NAMES.  */
const char *code_names_at(struct code_names *names, uint32_t module, uint64_t address);

/* The symbol to which INSN of a module with tables leads, with `@plt' behind it if it
   leads there through the procedure linkage table; to be freed.  NULL: unknown, or it
   leads nowhere.  */
char *code_names_target(struct code_names *names, uint32_t module,
                        const struct insn *insn);

#endif
