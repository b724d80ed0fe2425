/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and decodes the machine code of a program's modules, for skid.c, exits.c, and
   what shows it: each module is opened and each function is decoded when it is first
   asked for, and then kept until it is forgotten.  */

#ifndef MLPROF_MACHINE_CODE_H
#define MLPROF_MACHINE_CODE_H

#include "mlprof/elf/cfg.h"
#include "mlprof/program/program.h"

struct machine_code;

/* PROGRAM must live as long.  */
struct machine_code *machine_code_new(const struct program *program);

/* CODE may be NULL.  */
void machine_code_free(struct machine_code *code);

/* Decodes the instructions from START to END of a module; their list is to be freed.
   None if the module's file cannot be read.  */
struct insns_code machine_code_read(struct machine_code *code, uint32_t module,
                                    uint64_t start, uint64_t end);

/* Writes the instruction at ADDRESS of such code into TEXT of SIZE bytes (insns_text). */
void machine_code_text(struct machine_code *code, uint32_t module, uint64_t address,
                       char *text, size_t size);

/* The code of a function of the tables, by its number there; NULL if it cannot be read.
   Lives as long as CODE, or until it is forgotten.  */
const struct cfg *machine_code_cfg(struct machine_code *code, uint32_t module,
                                   uint32_t function);

/* Frees the code of a function, which is read again if it is asked for: a large program's
   would take more memory than all the rest, and time with it.  */
void machine_code_forget(struct machine_code *code, uint32_t module, uint32_t function);

struct machine_code_function {
    uint32_t module, number; /* in the tables of the module */
    uint64_t start;          /* its address in the file */
    uint64_t end;            /* from START up to there each address is in it */
    const struct function *function;
    const struct cfg *cfg; /* NULL if it cannot be read */
};

/* Fills FUNCTION with the one at ADDRESS of a module; false if there is none.  One of
   which nothing is profiled is not there, as if it had been excluded: ask after functions
   were taken out of the tables (unprofile.h).  They live as its code does.  */
bool machine_code_find(struct machine_code *code, uint32_t module, uint64_t address,
                       struct machine_code_function *function);

/* The address that the function that begins at TARGET comes back from: its last return or
   jump to code without tables, or that of the only function of the module that it ends
   with a jump to.  0 if it is not of the module, or that is not known.  *POINT is what
   the tables say there.  */
uint64_t machine_code_return(struct machine_code *code, uint32_t module, uint64_t target,
                             struct tables_point *point);

#endif
