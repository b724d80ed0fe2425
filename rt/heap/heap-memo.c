/* SPDX-License-Identifier: MIT */
/* Implements memos of walks.  Owns nothing.  Called wherever the program calls its
   allocator, in any thread.  */

#include "rt/heap/heap-memo.h"
#include "rt/unwind/cpu.h"

/* Words are compared so many at a time.  The last ones are this one, which is the same
   for ever.  */
#define MEMO_STEP 8
_Static_assert(CCPROF_HEAP_MEMO_WORDS % MEMO_STEP == 0, "memos are whole steps");

static const uint64_t filling;

static uint32_t memo_place(const struct ccprof_heap_begin *begin)
{
    uint64_t hash = (begin->stack ^ begin->pc << 8) * UINT64_C(0x9e3779b97f4a7c15);
    return (hash >> 32) % CCPROF_HEAP_MEMOS;
}

/* Returns whether the words of MEMO are in memory, all of which is mapped.  Stops at the
   first one that is not: the next word is one that the walk would read only if those
   before it are the same.  So each word that is read is in a frame that is in use, and
   not where the program has put something else and made it unreadable.  Nearly each walk
   has another number of words, so the loop goes by whole steps: a processor guesses right
   how many they are more often.  AddressSanitizer must not check this.  */
static __attribute__((no_sanitize_address)) bool
memo_is_in_memory(const struct ccprof_heap_memo *memo)
{
    const uint64_t code = ccprof_cpu.code;

    for (const struct ccprof_heap_word *word = memo->word, *end = word + memo->words;
         word < end; word += MEMO_STEP)
#pragma GCC unroll 8
        for (unsigned i = 0; i < MEMO_STEP; i++)
            if (((*(const uint64_t *)(uintptr_t)word[i].slot ^ word[i].value) & code) !=
                0)
                return false;
    return true;
}

/* Does the same where memory may not be readable.  */
static bool memo_is_found(const struct ccprof_heap_memo *memo,
                          struct ccprof_safe_read *readable)
{
    uint64_t value;

    for (unsigned i = 0; i < memo->words; i++)
        if (!ccprof_heap_words_read(readable, memo->word[i].slot, &value) ||
            (value & ccprof_cpu.code) != memo->word[i].value)
            return false;
    return true;
}

uint32_t ccprof_heap_memo_find(const struct ccprof_heap_memos *memos,
                               const struct ccprof_heap_begin *begin,
                               struct ccprof_safe_read *readable)
{
    const struct ccprof_heap_memo *memo = &memos->memo[memo_place(begin)];

    if (memo->begin.stack != begin->stack || memo->begin.pc != begin->pc ||
        memo->begin.rules != begin->rules ||
        (memo->by_pointer && memo->begin.pointer != begin->pointer))
        return 0;
    bool mapped = memo->lowest - readable->low < readable->span &&
                  memo->highest - readable->low < readable->span;
    return (mapped ? memo_is_in_memory(memo) : memo_is_found(memo, readable))
               ? memo->number
               : 0;
}

struct ccprof_heap_memo *ccprof_heap_memo_place(struct ccprof_heap_memos *memos,
                                                const struct ccprof_heap_begin *begin)
{
    struct ccprof_heap_memo *memo = &memos->memo[memo_place(begin)];

    memo->begin.rules = 0;
    memo->words = 0;
    memo->lowest = UINT64_MAX;
    memo->highest = 0;
    return memo;
}

bool ccprof_heap_memo_add(struct ccprof_heap_memo *memo, uint64_t slot, uint64_t value)
{
    if (memo->words == CCPROF_HEAP_MEMO_WORDS || slot % sizeof value != 0)
        return false;
    memo->word[memo->words++] = (struct ccprof_heap_word){slot, value & ccprof_cpu.code};
    memo->lowest = slot < memo->lowest ? slot : memo->lowest;
    memo->highest = slot > memo->highest ? slot : memo->highest;
    return true;
}

void ccprof_heap_memo_keep(struct ccprof_heap_memo *memo,
                           const struct ccprof_heap_begin *begin, bool by_pointer,
                           uint32_t number)
{
    for (unsigned i = memo->words; i % MEMO_STEP != 0; i++)
        memo->word[i] = (struct ccprof_heap_word){(uintptr_t)&filling, filling};
    memo->begin = *begin;
    memo->by_pointer = by_pointer;
    memo->number = number;
}
