/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and decodes the machine code of a program's modules. Used by skid.c, exits.c,
   parallel/ and groups/, and by views that show machine code. A module is opened, and
   a function decoded, at the first query. A decoded function is kept until
   machine_code_forget is called. */

#ifndef MLPROF_MACHINE_CODE_H
#define MLPROF_MACHINE_CODE_H

#include "mlprof/elf/cfg.h"
#include "mlprof/program/program.h"

struct machine_code;

/* PROGRAM must live as long as the result. */
struct machine_code *machine_code_new(const struct program *program);

/* CODE may be NULL. */
void machine_code_free(struct machine_code *code);

/* Decodes the instructions from START to END of a module. The list is empty if the
   file of the module cannot be read. The caller frees the list. */
struct insns_code machine_code_read(struct machine_code *code, uint32_t module,
                                    uint64_t start, uint64_t end);

/* Returns the instruction at ADDRESS as text (see insns_text). The caller frees it. */
char *machine_code_text(struct machine_code *code, uint32_t module, uint64_t address,
                        insns_name *name, void *context);

/* Returns the decoded code of a function, given by its number in the tables, or NULL
   if it cannot be read. The result is valid until CODE is freed or
   machine_code_forget is called. */
const struct cfg *machine_code_cfg(struct machine_code *code, uint32_t module,
                                   uint32_t function);

/* Frees the decoded code of a function. If the function is used again, its code is
   decoded again. Without this, the decoded functions of a large program would take
   more memory than all other data. */
void machine_code_forget(struct machine_code *code, uint32_t module, uint32_t function);

struct machine_code_function {
    uint32_t module, number; /* number in the tables of MODULE */
    uint64_t start;          /* address in the file */
    /* The function has all addresses from START up to, but not including, END. */
    uint64_t end;
    const struct function *function;
    const struct cfg *cfg; /* NULL: the code cannot be read */
};

/* Sets FUNCTION to the function at ADDRESS of a module. Returns false if there is no
   function, or if no part of the function is profiled. Call this after functions were
   removed from the tables (names.h), because removed functions are treated as
   excluded. CFG lives as long as the result of machine_code_cfg. */
bool machine_code_find(struct machine_code *code, uint32_t module, uint64_t address,
                       struct machine_code_function *function);

/* Returns the address of the instruction by which the function that begins at TARGET
   returns: its last return instruction, or its last jump to code without tables. If
   the only exit is a jump to another function of the module, the result is the address
   at which the other function returns. Returns 0 if TARGET is in another module, or
   if the address is unknown. Sets *POINT to the point in the tables at this address. */
uint64_t machine_code_return(struct machine_code *code, uint32_t module, uint64_t target,
                             struct tables_point *point);

#endif
