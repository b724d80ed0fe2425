/* SPDX-License-Identifier: MIT */
/* Knows the stacks of whole walks again.  What a walk finds depends on where it begins
   and on the words that it reads, return addresses and, where these matter, frame
   pointers: a walk that begins alike and would find the same words at the same places has
   the same stack.  To compare a dozen words takes a third of the time of a walk, in which
   each step waits for the one before.  Only heap-walk.c uses this, for one thread at a
   time.  */

#ifndef CCPROF_HEAP_MEMO_H
#define CCPROF_HEAP_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-words.h"

/* What a walk begins with: the registers, and the number of the unwinder's rules, which
   is another one where the rules may have changed.  */
struct ccprof_heap_begin {
    uint64_t stack, pc, pointer; /* stack pointer, program counter, frame pointer */
    uint32_t rules;              /* not 0 */
};

/* Longer walks are not kept.  */
#define CCPROF_HEAP_MEMO_WORDS 40

struct ccprof_heap_memo {
    struct ccprof_heap_begin begin; /* RULES is 0: none */
    uint32_t number;                /* of the stack */
    bool by_pointer;                /* the frame pointer matters at the begin */
    uint16_t words;
    uint64_t lowest, highest; /* slots */
    struct ccprof_heap_word word[CCPROF_HEAP_MEMO_WORDS];
};

/* Each new one takes the place of another that begins alike, or has the same hash.  */
#define CCPROF_HEAP_MEMOS 256

/* All zeros is empty.  */
struct ccprof_heap_memos {
    struct ccprof_heap_memo memo[CCPROF_HEAP_MEMOS];
};

/* Returns the number of the stack of the walk that would begin so, or 0: not known.  What
   is remembered may be words of a stack that is gone: words that are not in READABLE are
   looked for by the kernel first.  */
uint32_t ccprof_heap_memo_find(const struct ccprof_heap_memos *memos,
                               const struct ccprof_heap_begin *begin,
                               struct ccprof_safe_read *readable);

/* Returns the place for the walk that has begun so, with nothing there.  */
struct ccprof_heap_memo *ccprof_heap_memo_place(struct ccprof_heap_memos *memos,
                                                const struct ccprof_heap_begin *begin);

/* Adds a word that the walk has read; returns false if there is no room.  */
bool ccprof_heap_memo_add(struct ccprof_heap_memo *memo, uint64_t slot, uint64_t value);

/* Keeps the walk, whose words have been added.  */
void ccprof_heap_memo_keep(struct ccprof_heap_memo *memo,
                           const struct ccprof_heap_begin *begin, bool by_pointer,
                           uint32_t number);

#endif
