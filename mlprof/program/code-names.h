/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names code that the tables do not name: the targets of instructions, functions outside
   of profiled code, and system calls.  The symbols of a module are read when they are
   first needed.  */

#ifndef MLPROF_CODE_NAMES_H
#define MLPROF_CODE_NAMES_H

#include "mlprof/elf/insns.h"
#include "mlprof/program/machine-code.h"

/* For the views that show machine code.  */
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

/* The symbols of all modules, for functions outside of profiled code.  */
struct outside;

/* EXECUTABLE is the path of module 0, DEBUG_ROOT the folder of debug files.  All
   arguments must live as long as the result, which outside_free frees.  */
struct outside *outside_new(const struct profile *profile, const char *executable,
                            const char *debug_root);

/* OUTSIDE may be NULL.  */
void outside_free(struct outside *outside);

/* The symbol around ADDRESS, or NULL if it is not known.  Lives as long as OUTSIDE.  */
const char *outside_symbol(struct outside *outside, uint32_t module, uint64_t address);

/* The name of the code at ADDRESS, to be freed: <SYMBOL>; or <FILE>, the module's, if
   there is no symbol; or <unknown> outside of all modules.  */
char *outside_name(struct outside *outside, uint32_t module, uint64_t address);

/* The number of the module that stands for the kernel (mlmon.out(5)); if there is none, a
   number that no point has.  */
uint32_t kernel_module(const struct profile *profile);

/* The name of the system call, or of what else was done, at ADDRESS of the module, to be
   freed.  */
char *kernel_name(const struct program *program, uint64_t address);

#endif
