/* SPDX-License-Identifier: MIT */
/* Reads the files of loaded modules when they are first needed, for chain.c and trace.c,
   and keeps what they say of addresses.  All functions but attach are async-signal-safe,
   in any thread.  */

#ifndef CCPROF_CHAIN_MODULES_H
#define CCPROF_CHAIN_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/samples/modules.h"
#include "rt/symbolize/symbolize.h"

/* Does what ccprof_chain_attach does.  */
void ccprof_chain_modules_attach(const void *address, struct ccprof_modules *run);

/* Makes it possible to walk stacks in a program linked with -static, which has no index
   of its frames.  */
void ccprof_chain_modules_frames(void);

/* The place of an address.  */
struct ccprof_chain_module {
    int number;       /* number of the module; -1: not known */
    const char *path; /* null: in no module */
    /* The address in the module's file, or the plain address if the module is not
       known.  */
    uint64_t offset;
    bool own; /* the module is the runtime's own shared object */
};

void ccprof_chain_modules_find(uint64_t address, struct ccprof_chain_module *module);

/* Returns the tables of the module; null if the module is not profiled.  If a profiled
   module has no tables, or wrong ones, a message says so once.  */
const struct ccprof_symbolizer *ccprof_chain_modules_symbolizer(int number);

/* Returns the name of the function at the address OFFSET of the module's file, or
   null.  */
const char *ccprof_chain_modules_symbol(int number, uint64_t offset);

#endif
