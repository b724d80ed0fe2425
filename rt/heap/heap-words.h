/* SPDX-License-Identifier: MIT */
/* Reads words of a thread's stack for heap-walk.c and heap-memo.c: one comparison is
   enough for words of the thread's own stack.  */

#ifndef CCPROF_HEAP_WORDS_H
#define CCPROF_HEAP_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/memory.h"

/* A word that was read, and its address.  */
struct ccprof_heap_word {
    uint64_t slot, value;
};

/* Reads the word at ADDRESS into *VALUE; returns false if it is not readable.
   AddressSanitizer must not check this.  */
static inline __attribute__((always_inline, no_sanitize_address)) bool
ccprof_heap_words_read(struct ccprof_safe_read *readable, uint64_t address,
                       uint64_t *value)
{
    if (address - readable->low >= readable->span || address % sizeof *value != 0)
        return ccprof_safe_read(readable, address, value);
    *value = *(const uint64_t *)(uintptr_t)address;
    return true;
}

#endif
