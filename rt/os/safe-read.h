/* SPDX-License-Identifier: MIT */
/* Reads memory that may not be mapped, for the unwinder: an address that the unwinder
   follows may be wrong, in code that switches stacks or because of wrong tables.  */

#ifndef CCPROF_SAFE_READ_H
#define CCPROF_SAFE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CCPROF_SAFE_READ_PAGES 8

/* The smallest size of a page on any processor, in bytes.  */
#define CCPROF_SAFE_READ_PAGE UINT64_C(4096)

/* Memory that is readable.  All zeros is none.  The pages were found to be readable, and
   the set of them is valid for one walk at most: behind it the program may unmap
   them.  */
struct ccprof_safe_read {
    uint64_t low, span;  /* the caller knows that SPAN bytes from LOW on are readable */
    unsigned next, last; /* the entry to replace next, 0: no page; the entry used last */
    uint64_t page[CCPROF_SAFE_READ_PAGES]; /* addresses of pages */
};

/* Tells that the program runs in valgrind, which reports each wrong address that a
   program reads.  From now on the kernel reads each word, by a call that valgrind expects
   to get wrong addresses.  Constructor.  */
void ccprof_safe_read_watched(void);

/* Returns whether the page at PAGE is readable.  Async-signal-safe.  */
bool ccprof_safe_read_is_readable(uint64_t page);

/* Copies SIZE bytes at ADDRESS by the kernel to TO.  Returns how many bytes are readable,
   up to the first page that is not.  Async-signal-safe.  */
size_t ccprof_safe_read_bytes(uint64_t address, void *to, size_t size);

/* Reads the 8 bytes at ADDRESS into *VALUE; returns false if they are not readable.
   Async-signal-safe.  */
bool ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address,
                      uint64_t *value);

#endif
