/* SPDX-License-Identifier: MIT */
/* Reads the files of the modules in memory when they are first asked for, for chain.c and
   trace.c, and keeps what they say of addresses.  Async-signal-safe but for attach, any
   thread.  */

#ifndef CCPROF_CHAIN_MODULES_H
#define CCPROF_CHAIN_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/table/modules.h"
#include "rt/symbolize/symbolize.h"

/* As ccprof_chain_attach.  */
void ccprof_chain_modules_attach(const void *address, struct ccprof_modules *run);

/* Sees to it that stacks can be walked in a program linked with -static, which has no
   index of its frames.  */
void ccprof_chain_modules_frames(void);

/* Where an address is.  */
struct ccprof_chain_module {
    int number;       /* of the module; -1: not known */
    const char *path; /* null: in none */
    uint64_t offset;  /* the address in the module's file, or all of it */
    bool own;         /* the runtime's, where it is a module by itself */
};

void ccprof_chain_modules_find(uint64_t address, struct ccprof_chain_module *module);

/* The tables of the module; null if it is not profiled.  If it is, and there are none or
   none that can be used, this is said once.  */
const struct ccprof_symbolizer *ccprof_chain_modules_symbolizer(int number);

/* The name of the function at the address in the module's file, or null.  */
const char *ccprof_chain_modules_symbol(int number, uint64_t offset);

#endif
