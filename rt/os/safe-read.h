/* SPDX-License-Identifier: MIT */
/* Reads memory that may not be mapped, for the unwinder: the addresses that it follows
   may be wrong, in code that is switching stacks or because of wrong tables.  */

#ifndef CCPROF_SAFE_READ_H
#define CCPROF_SAFE_READ_H

#include <stdbool.h>
#include <stdint.h>

#define CCPROF_SAFE_READ_PAGES 8

/* Pages that were found to be readable.  All zeros is an empty set, to be used
   for the time of one signal.  */
struct ccprof_safe_read {
    unsigned next, last;                   /* to be replaced; asked for last */
    uint64_t page[CCPROF_SAFE_READ_PAGES]; /* addresses */
};

/* The program runs in valgrind, which looks at all that a program reads and passes to the
   kernel, and tells the user what it finds: from now on the kernel reads each word, by a
   call of which valgrind knows that the address may be wrong.  Constructor.  */
void ccprof_safe_read_watched(void);

/* Reads the 8 bytes at ADDRESS; returns false if that is not possible.
   Async-signal-safe.  */
bool ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address,
                      uint64_t *value);

#endif
