/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and decodes the machine code of a program's modules, for skid.c, exits.c and the
   views that show it.  A module is opened, and a function decoded, when it is first
   needed.  A decoded function is kept until machine_code_forget.  */

#ifndef MLPROF_MACHINE_CODE_H
#define MLPROF_MACHINE_CODE_H

#include "mlprof/elf/cfg.h"
#include "mlprof/program/program.h"

struct machine_code;

/* PROGRAM must live as long as the result.  */
struct machine_code *machine_code_new(const struct program *program);

/* CODE may be NULL.  */
void machine_code_free(struct machine_code *code);

/* Decodes the instructions from START to END of a module; their list is to be freed.
   There are none if the module's file cannot be read.  */
struct insns_code machine_code_read(struct machine_code *code, uint32_t module,
                                    uint64_t start, uint64_t end);

/* Writes the instruction at ADDRESS into TEXT of SIZE bytes (insns_text).  */
void machine_code_text(struct machine_code *code, uint32_t module, uint64_t address,
                       char *text, size_t size);

/* The decoded code of a function, by its number in the tables; NULL if it cannot be read.
   Lives as long as CODE, or until machine_code_forget.  */
const struct cfg *machine_code_cfg(struct machine_code *code, uint32_t module,
                                   uint32_t function);

/* Frees the code of a function.  It is decoded again if it is needed again.  The decoded
   code of all functions of a large program would take more memory than everything else.
 */
void machine_code_forget(struct machine_code *code, uint32_t module, uint32_t function);

struct machine_code_function {
    uint32_t module, number; /* NUMBER is the function's in the tables of MODULE */
    uint64_t start;          /* as in the file */
    uint64_t end;            /* all addresses from START up to END are in the function */
    const struct function *function;
    const struct cfg *cfg; /* NULL if it cannot be read */
};

/* Fills FUNCTION with the function at ADDRESS of a module; false if there is none.  A
   function of which nothing is profiled does not count, as if it had been excluded: call
   this after functions were taken out of the tables (names.h).  CFG lives as
   machine_code_cfg says.  */
bool machine_code_find(struct machine_code *code, uint32_t module, uint64_t address,
                       struct machine_code_function *function);

/* The address of the instruction by which the function that begins at TARGET returns: its
   last return, or its last jump to code without tables.  If its only way out is a jump to
   another function of the module, the address is where that function returns. 0 if TARGET
   is in another module, or if the address is not known.  *POINT is set to the tables'
   point at the address.  */
uint64_t machine_code_return(struct machine_code *code, uint32_t module, uint64_t target,
                             struct tables_point *point);

#endif
