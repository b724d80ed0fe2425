/* SPDX-License-Identifier: MIT */
/* Gives the program its chain of calls as source functions: unwinds the machine stack,
   and finds the source functions of each frame. For the program's calls and for the
   report of a crash. Reads the files of loaded modules when they are first needed,
   and keeps their tables and symbols, which trace.c also uses. All functions except
   ccprof_chain_attach are async-signal-safe and may be called in any thread. They
   take no lock and allocate only pages. */

#ifndef CCPROF_CHAIN_H
#define CCPROF_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/ccprof.h"
#include "rt/os/file.h"
#include "rt/samples/modules.h"
#include "rt/symbolize/symbolize.h"

/* Records the loaded modules, and that the module at ADDRESS is profiled. RUN is the
   run's list of modules, which must stay valid and which the run keeps up to date;
   null if there is no run. Called by the constructor. */
void ccprof_chain_attach(const void *address, struct ccprof_modules *run);

/* Returns whether the modules are listed already: a dormant process does not list them
   before the first call of a function below. */
bool ccprof_chain_is_used(void);

/* Stores at most ROOM frames, of SIZE bytes each, in FRAMES: the source functions at
   CONTEXT and their callers, innermost first. CONTEXT is the third argument of a
   signal handler. If CALLER is true, starts at the caller of CONTEXT's frame.
   Returns the number of stored frames. */
int ccprof_chain_capture(const void *context, bool caller, struct ccprof_frame *frames,
                         int room, unsigned long size);

/* Writes the same frames as text to the file, one line for each frame. The middle of
   a stack that is too deep is left out. Returns 0 or an errno value. */
int ccprof_chain_write(const void *context, bool caller, const struct ccprof_file *file);

/* Functions for the report of a crash, with the setting chain=yes. */

/* Returns whether the signal is caused by an error in the program. */
bool ccprof_crash_is(int number);

/* Prints the chain of calls on standard error. CONTEXT is the third argument of the
   signal handler. Async-signal-safe. */
void ccprof_crash_print(int number, const void *context);

/* Modules and names of addresses. trace.c uses these functions, too. */

/* The location of an address: its module, and its offset in the module's file. */
struct ccprof_chain_module {
    int number;       /* index of the module; -1: unknown */
    const char *path; /* null: not in a module */
    /* The address in the module's file, or the plain address if the module is unknown. */
    uint64_t offset;
    bool is_own; /* this is the runtime's own shared object */
};

void ccprof_chain_find(uint64_t address, struct ccprof_chain_module *module);

/* Returns the tables of the module, or null if the module is not profiled. If a
   profiled module has no tables or wrong ones, prints a message once. */
const struct ccprof_symbolizer *ccprof_chain_symbolizer(int number);

/* Returns the name of the function at the address OFFSET in the module's file, or
   null. */
const char *ccprof_chain_symbol(int number, uint64_t offset);

#endif
