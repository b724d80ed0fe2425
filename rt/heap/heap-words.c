/* SPDX-License-Identifier: MIT */
/* Remembers which pages of a thread's stack are readable.  Owns nothing.  Called wherever
   the program calls its allocator, in any thread.  */

#include "rt/heap/heap-words.h"

/* The smallest size of a page on any processor, in bytes.  */
#define WORDS_PAGE UINT64_C(4096)

bool ccprof_heap_words_read_far(struct ccprof_heap_words *words, uint64_t address,
                                uint64_t *value)
{
    const uint64_t page = address & -WORDS_PAGE;

    if (!ccprof_safe_read(&words->readable, address, value))
        return false;
    if (page + WORDS_PAGE == words->low) {
        words->low = page;
        words->span += WORDS_PAGE;
    } else if (page - words->low == words->span) {
        words->span += WORDS_PAGE;
    } else if (page - words->low > words->span) {
        words->low = page;
        words->span = WORDS_PAGE;
    }
    return true;
}
