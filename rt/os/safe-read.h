/* SPDX-License-Identifier: MIT */
/* Reads memory that may not be mapped, for the unwinder: an address that the unwinder
   follows may be wrong, in code that switches stacks or because of wrong tables.  */

#ifndef CCPROF_SAFE_READ_H
#define CCPROF_SAFE_READ_H

#include <stdbool.h>
#include <stdint.h>

#define CCPROF_SAFE_READ_PAGES 8

/* Pages that were found to be readable.  All zeros is an empty set.  A set is valid while
   one signal is handled.  */
struct ccprof_safe_read {
    unsigned next, last; /* the entry to replace next; the entry used last */
    uint64_t page[CCPROF_SAFE_READ_PAGES]; /* addresses of pages */
};

/* Tells that the program runs in valgrind, which reports each wrong address that a
   program reads.  From now on the kernel reads each word, by a call that valgrind expects
   to get wrong addresses.  Constructor.  */
void ccprof_safe_read_watched(void);

/* Reads the 8 bytes at ADDRESS into *VALUE; returns false if they are not readable.
   Async-signal-safe.  */
bool ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address,
                      uint64_t *value);

#endif
