/* SPDX-License-Identifier: MIT */
/* Walks the calling thread's stack when the program calls its allocator, and finds the
   number of the stack in the tree of stacks (stacks.h). Only heap.c uses this. Each
   walk is used by one thread at a time. There are three ways to find the number, the
   fastest first:

     - The cache of stacks recognizes whole walks. The result of a walk depends only on
       its start and on the words that it reads: return addresses and, if they matter,
       frame pointers. If a walk has the same start and would read the same words at the
       same addresses, the stack is the same. Comparing a dozen words takes a third of
       the time of a walk, in which each step must wait for the one before.
     - A walk stops when it reaches a frame that the previous walk has found and whose
       outer frames are unchanged. Until then it uses the quick steps that earlier walks
       have recorded.
     - The unwinder (rt/unwind) does the remaining steps. */

#ifndef CCPROF_HEAP_WALK_H
#define CCPROF_HEAP_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/samples/tags.h"
#include "rt/unwind/unwind.h"

/* A word that was read, and its address. */
struct ccprof_heap_word {
    uint64_t slot, value;
};

/* The start of a walk: the registers, and the number of the unwinder's rules. The
   number changes when the rules may have changed. */
struct ccprof_heap_begin {
    uint64_t stack, pc, pointer; /* stack pointer, program counter, frame pointer */
    uint32_t rules;              /* not 0 */
};

/* Maximum number of words in a cached walk. Walks that read more words are not
   cached. */
#define CCPROF_HEAP_CACHED_WORDS 40

struct ccprof_heap_cached_stack {
    struct ccprof_heap_begin begin; /* RULES is 0: this entry is empty */
    uint32_t number;                /* number of the stack */
    bool by_pointer; /* the walk depends on the frame pointer at its start */
    uint16_t words;
    uint64_t lowest, highest; /* range of the words' addresses */
    struct ccprof_heap_word word[CCPROF_HEAP_CACHED_WORDS];
};

/* Number of entries in the cache. A new stack replaces the entry with the same hash. */
#define CCPROF_HEAP_CACHED_STACKS 256

/* A structure of zeros is an empty cache. */
struct ccprof_heap_stack_cache {
    struct ccprof_heap_cached_stack stack[CCPROF_HEAP_CACHED_STACKS];
};

/* Maximum number of frames kept for one stack. The innermost frames are kept, and one
   special address replaces the frames further out. */
#define CCPROF_HEAP_WALK_FRAMES 512

/* A frame of a stack, and how the walk continued to the caller's frame. */
struct ccprof_heap_frame {
    uint64_t address; /* as in struct ccprof_stack */
    uint64_t stack;   /* stack pointer; all bits set: ADDRESS is special, not a frame */
    uint64_t pointer; /* frame pointer */
    /* Address at which the caller's frame pointer was stored; 0: the caller has the
       same frame pointer. */
    uint64_t pointer_slot;
    uint32_t number; /* number of the stack up to this frame */
    /* BY_POINTER: the frame's address is computed from the frame pointer.
       NEEDS_POINTER: BY_POINTER is true for this frame or a frame further out. */
    bool by_pointer, needs_pointer;
    /* OPAQUE: the caller's frame depends on more than the stack pointer and the frame
       pointer, or on a signal's context. OPAQUE_OUTSIDE: OPAQUE is true for a frame
       further out. */
    bool opaque, opaque_outside;
};

/* The frames of a walk. Their return addresses are in a separate array, since little
   else of a known frame is read. If the address of a return address is not known, its
   slot is 0. */
struct ccprof_heap_frames {
    struct ccprof_heap_word returned[CCPROF_HEAP_WALK_FRAMES + 1];
    struct ccprof_heap_frame frame[CCPROF_HEAP_WALK_FRAMES + 1];
};

/* A quick step: how a walk steps from a return address, in most functions. The
   frame's address is the stack pointer or the frame pointer plus an offset, and the
   step reads only the return address and the frame pointer. */
struct ccprof_heap_quick_step {
    uint64_t address;
    uint32_t walk; /* number of the walk that has recorded the step */
    int32_t frame_offset, return_offset, pointer_offset;
    bool by_pointer, saves_pointer;
};

#define CCPROF_HEAP_QUICK_STEPS 1024

/* A walk, and the data remembered for the next walk of the same thread. A frame of
   the next walk equals a remembered frame if it has the same stack pointer, return
   address and, if it matters, frame pointer. If the return addresses and saved frame
   pointers further out are also unchanged in memory, then the frames further out are
   the same. A structure of zeros is a walk that has not begun. */
struct ccprof_heap_walk {
    const void *thread;    /* identifies the thread that walked last */
    uint32_t forget_count; /* number of ccprof_heap_walk_forget calls before that walk */
    uint32_t walks_left;   /* walks until all rules are computed again */
    uint32_t number;       /* number of the stack if the cache had it, otherwise 0 */
    bool whole;            /* the walk has reached the outermost frame */
    struct ccprof_tags_key tags; /* tags of the thread that walked last */
    uint32_t root;     /* number of the point for the open phases; 0: not known */
    uint32_t depth;    /* number of frames of the stack */
    uint32_t numbered; /* number of outer frames that have numbers */
    struct ccprof_heap_begin begin; /* start of the last walk */
    struct ccprof_heap_frame
        start; /* frame of the function that the program has called */
    struct ccprof_unwind unwind;
    struct ccprof_unwind_short rules[CCPROF_UNWIND_MANY];         /* for UNWIND */
    struct ccprof_heap_quick_step quick[CCPROF_HEAP_QUICK_STEPS]; /* by hash of address */
    struct ccprof_heap_frames known; /* the remembered stack, outermost first */
    struct ccprof_heap_frames inner; /* frames inside of KNOWN, innermost first */
    struct ccprof_heap_stack_cache cache;
};

/* Walks outwards from the function that has called ccprof_cpu_caller, which returned
   PC and filled in REGISTERS. That function itself is not part of the stack. */
void ccprof_heap_walk_capture(struct ccprof_heap_walk *walk, const uint64_t *registers,
                              uint64_t pc);

/* Returns the number of the stack if the cache had it, otherwise 0. */
static inline uint32_t ccprof_heap_walk_known(const struct ccprof_heap_walk *walk)
{
    return walk->number;
}

/* Returns the number of the stack. Adds the stack to STACKS if it is missing. */
uint32_t ccprof_heap_walk_number(struct ccprof_heap_walk *walk,
                                 struct ccprof_heap_stacks *stacks);

/* Records that a module may have been loaded or unloaded, so that all threads stop
   using remembered frames and rules. Any thread. */
void ccprof_heap_walk_forget(void);

/* The functions of the cache. */

/* Returns the number of the stack for a walk with this BEGIN, or 0 if the cache does
   not have it. The cached words may be at addresses of a stack that no longer exists.
   Therefore the kernel checks whether words outside of READABLE can be read. */
uint32_t ccprof_heap_stack_cache_find(const struct ccprof_heap_stack_cache *cache,
                                      const struct ccprof_heap_begin *begin,
                                      struct ccprof_safe_read *readable);

/* Returns the entry for a walk with this BEGIN, and empties the entry. */
struct ccprof_heap_cached_stack *
ccprof_heap_stack_cache_place(struct ccprof_heap_stack_cache *cache,
                              const struct ccprof_heap_begin *begin);

/* Adds a word that the walk has read. Returns false if there is no room. */
bool ccprof_heap_stack_cache_add(struct ccprof_heap_cached_stack *stack, uint64_t slot,
                                 uint64_t value);

/* Makes the entry valid, after all its words were added. */
void ccprof_heap_stack_cache_keep(struct ccprof_heap_cached_stack *stack,
                                  const struct ccprof_heap_begin *begin, bool by_pointer,
                                  uint32_t number);

#endif
