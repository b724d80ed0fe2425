/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine code of a program's profiled functions, each read when it is asked for
   first, and then kept.  */

#ifndef MLPROF_CODES_H
#define MLPROF_CODES_H

#include "mlprof/elf/cfg.h"
#include "mlprof/evaluate/program.h"

struct codes;

/* PROGRAM must live as long.  */
struct codes *codes_new(const struct program *program);

/* CODES may be NULL.  */
void codes_free(struct codes *codes);

struct codes_function {
    uint32_t module;
    uint64_t start; /* its address in the file */
    const struct function *function;
    const struct cfg *cfg; /* NULL if it cannot be read */
};

/* The function at ADDRESS of a module; false if there is none.  One of which nothing is
   profiled is not there, as if it had been excluded: ask after functions were taken out
   of the tables (unprofile.h).  They live as long as CODES.  */
bool codes_find(struct codes *codes, uint32_t module, uint64_t address,
                struct codes_function *function);

/* The address of the last return of the function that begins at TARGET, if it is of the
   module, has one, and does not go on in another function; 0 if there is none.  */
uint64_t codes_return(struct codes *codes, uint32_t module, uint64_t target);

#endif
