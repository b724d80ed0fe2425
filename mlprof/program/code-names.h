/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds names for code that the tables do not describe: targets of instructions,
   functions outside of profiled code, and system calls. Used by stacks/, parallel/,
   groups/, page/ and view/. The symbols of a module are read at the first query. */

#ifndef MLPROF_CODE_NAMES_H
#define MLPROF_CODE_NAMES_H

#include "mlprof/elf/insns.h"
#include "mlprof/program/machine-code.h"

/* Names of jump and call targets, for views that show machine code. */
struct code_names;

/* PROGRAM and CODE must live as long as the result. */
struct code_names *code_names_new(const struct program *program,
                                  struct machine_code *code);

/* NAMES may be NULL. */
void code_names_free(struct code_names *names);

/* Returns the symbol at ADDRESS of a module with tables, or NULL if it is unknown.
   The name lives as long as NAMES. */
const char *code_names_at(struct code_names *names, uint32_t module, uint64_t address);

/* Returns the symbol at ADDRESS of a module with tables, which is a target of a jump or
   call, or DATA. It may end with the distance from its start, for example `+0x8', with
   `@plt' for an entry of the procedure linkage table, or with `@got' for a word that the
   dynamic linker sets to the symbol's address. Returns NULL if the symbol is unknown.
   The caller frees the result. */
char *code_names_place(struct code_names *names, uint32_t module, uint64_t address,
                       bool data);

/* Symbols of all modules, to name functions outside of profiled code. */
struct outside;

/* EXECUTABLE is the path of module 0. The arguments must live as long as the result,
   which outside_free frees. */
struct outside *outside_new(const struct profile *profile, const char *executable);

/* OUTSIDE may be NULL. */
void outside_free(struct outside *outside);

/* Returns the symbol that contains ADDRESS, or NULL if it is unknown. The name lives
   as long as OUTSIDE. */
const char *outside_symbol(struct outside *outside, uint32_t module, uint64_t address);

/* Returns a name for the code at ADDRESS: <SYMBOL>, or <FILE> (the file of the module)
   if there is no symbol, or <unknown> outside of all modules. The caller frees it. */
char *outside_name(struct outside *outside, uint32_t module, uint64_t address);

/* Returns the number of the module that represents the kernel (mlmon.out(5)). If
   there is no such module, returns a number that no sample uses. */
uint32_t kernel_module(const struct profile *profile);

/* Returns the name of the system call or other kernel activity at ADDRESS of the
   kernel's module. The caller frees it. */
char *kernel_name(const struct program *program, uint64_t address);

#endif
