/* SPDX-License-Identifier: MIT */
/* Finds the names of functions that are not profiled, in the symbol table of a module's
   file, for chains of calls.  Async-signal-safe.  */

#ifndef CCPROF_SYMBOLS_H
#define CCPROF_SYMBOLS_H

#include <stdint.h>

#include "rt/symbolize/elf-file.h"

struct ccprof_symbols {
    struct ccprof_pages symbols, strings;
};

/* Reads the table of all symbols, or else that of those for the loader; nothing is read
   where that is not possible.  */
void ccprof_symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf);
void ccprof_symbols_free(struct ccprof_symbols *symbols);

/* The function that holds the address in the file, or null.  */
const char *ccprof_symbols_find(const struct ccprof_symbols *symbols, uint64_t address);

#endif
