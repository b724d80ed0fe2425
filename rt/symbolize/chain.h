/* SPDX-License-Identifier: MIT */
/* Shows the program its chain of calls in terms of the source: unwinds the stack of
   machine code, and names the source functions of each frame.  For the program's calls
   and for the report of a crash.  Reads the files of loaded modules when they are first
   needed, and keeps their tables and symbols; trace.c uses these, too.  All functions but
   attach are async-signal-safe, in any thread.  They take no lock and allocate only
   pages.  */

#ifndef CCPROF_CHAIN_H
#define CCPROF_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/ccprof.h"
#include "rt/os/file.h"
#include "rt/samples/modules.h"
#include "rt/symbolize/symbolize.h"

/* Notes the loaded modules, and that the module which holds ADDRESS is profiled.  RUN,
   which must stay, are the modules that the run keeps up to date; null if there is no
   run.  Constructor.  */
void ccprof_chain_attach(const void *address, struct ccprof_modules *run);

/* Fills in at most ROOM frames, of SIZE bytes each: the source functions at CONTEXT,
   which is the third argument of a signal handler, and their callers, innermost first.
   CALLER: starts at the caller of CONTEXT's frame.  Returns how many frames were filled
   in.  */
int ccprof_chain_capture(const void *context, bool caller, struct ccprof_frame *frames,
                         int room, unsigned long size);

/* Writes the same as text to the file, a line for each frame, without the middle of a
   stack that is too deep.  Returns 0 or an errno value.  */
int ccprof_chain_write(const void *context, bool caller, const struct ccprof_file *file);

/* The report of a crash, with the setting chain=yes.  */

/* Returns whether the signal means an error in the program.  */
bool ccprof_crash_is(int number);

/* Prints the chain on standard error; CONTEXT is the third argument of the handler.
   Async-signal-safe.  */
void ccprof_crash_print(int number, const void *context);

/* Modules and names of addresses, for trace.c.  */

/* The place of an address.  */
struct ccprof_chain_module {
    int number;       /* number of the module; -1: not known */
    const char *path; /* null: in no module */
    /* The address in the module's file, or the plain address if the module is not
       known.  */
    uint64_t offset;
    bool own; /* the module is the runtime's own shared object */
};

void ccprof_chain_find(uint64_t address, struct ccprof_chain_module *module);

/* Returns the tables of the module; null if the module is not profiled.  If a profiled
   module has no tables, or wrong ones, a message says so once.  */
const struct ccprof_symbolizer *ccprof_chain_symbolizer(int number);

/* Returns the name of the function at the address OFFSET of the module's file, or
   null.  */
const char *ccprof_chain_symbol(int number, uint64_t offset);

#endif
