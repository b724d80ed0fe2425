/* SPDX-License-Identifier: MIT */
/* Reads words of a thread's stack for heap-walk.c and heap-memo.c: it is remembered which
   pages are readable, so that one comparison is enough for nearly all words.  */

#ifndef CCPROF_HEAP_WORDS_H
#define CCPROF_HEAP_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/safe-read.h"

/* A word that was read, and its address.  */
struct ccprof_heap_word {
    uint64_t slot, value;
};

/* From the address LOW on SPAN bytes are readable, whole pages.  They stay so while the
   thread lives and is on the same stack.  All zeros is none.  */
struct ccprof_heap_words {
    uint64_t low, span;
    struct ccprof_safe_read readable;
};

/* Reads a word outside of the span, which grows by the word's page if that is beside it,
   and otherwise begins anew with that page.  */
bool ccprof_heap_words_read_far(struct ccprof_heap_words *words, uint64_t address,
                                uint64_t *value);

/* Reads the word at ADDRESS into *VALUE; returns false if it is not readable.
   AddressSanitizer must not check this.  */
static inline __attribute__((always_inline, no_sanitize_address)) bool
ccprof_heap_words_read(struct ccprof_heap_words *words, uint64_t address, uint64_t *value)
{
    if (address - words->low >= words->span || address % sizeof *value != 0)
        return ccprof_heap_words_read_far(words, address, value);
    *value = *(const uint64_t *)(uintptr_t)address;
    return true;
}

#endif
