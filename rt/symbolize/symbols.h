/* SPDX-License-Identifier: MIT */
/* Finds the names of functions that are not profiled in the symbol table of a module's
   file, for chains of calls.  Async-signal-safe.  */

#ifndef CCPROF_SYMBOLS_H
#define CCPROF_SYMBOLS_H

#include <stdint.h>

#include "rt/symbolize/elf-file.h"

struct ccprof_symbols {
    struct ccprof_pages symbols, strings;
};

/* Reads the full symbol table or, without one, the loader's; leaves SYMBOLS empty if
   there is neither.  */
void ccprof_symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf);
void ccprof_symbols_free(struct ccprof_symbols *symbols);

/* Returns the name of the function that holds the address of the file, or null.  */
const char *ccprof_symbols_find(const struct ccprof_symbols *symbols, uint64_t address);

#endif
