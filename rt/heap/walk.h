/* SPDX-License-Identifier: MIT */
/* Walks the calling thread's stack where the program calls its allocator, and finds the
   number of the stack in the tree of stacks (stacks.h).  Only heap.c uses this, each walk
   in one thread at a time.  Three ways lead to the number, the fastest first:

    - The cache of stacks knows whole walks again.  A walk depends on where it begins and
      on the words that it reads: return addresses and, where these matter, frame
   pointers. If a walk begins as before and would find the same words at the same places,
   the stack is the same.  Comparing a dozen words takes a third of the time of a walk, in
      which each step must wait for the one before.
    - A walk ends early where it meets a frame that the walk before has found and whose
      outer frames are unchanged.  It steps by the quick steps that walks have noted.
    - The unwinder (rt/unwind) steps through the rest.  */

#ifndef CCPROF_HEAP_WALK_H
#define CCPROF_HEAP_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/samples/scope.h"
#include "rt/unwind/unwind.h"

/* A word that was read, and its address.  */
struct ccprof_heap_word {
    uint64_t slot, value;
};

/* Where a walk begins: the registers, and the number of the unwinder's rules.  The number
   changes when the rules may have changed.  */
struct ccprof_heap_begin {
    uint64_t stack, pc, pointer; /* stack pointer, program counter, frame pointer */
    uint32_t rules;              /* not 0 */
};

/* Walks that read more words are not cached.  */
#define CCPROF_HEAP_CACHED_WORDS 40

struct ccprof_heap_cached_stack {
    struct ccprof_heap_begin begin; /* RULES is 0: none */
    uint32_t number;                /* of the stack */
    bool by_pointer;                /* the frame pointer matters at the beginning */
    uint16_t words;
    uint64_t lowest, highest; /* addresses of the words */
    struct ccprof_heap_word word[CCPROF_HEAP_CACHED_WORDS];
};

/* A new stack replaces one that has the same hash.  */
#define CCPROF_HEAP_CACHED_STACKS 256

/* All zeros is an empty cache.  */
struct ccprof_heap_stack_cache {
    struct ccprof_heap_cached_stack stack[CCPROF_HEAP_CACHED_STACKS];
};

/* The most frames that are kept of a stack: the innermost ones.  A special address stands
   for the frames further out.  */
#define CCPROF_HEAP_WALK_FRAMES 512

/* A frame of a stack, and how the walk went on from there to the caller's frame.  */
struct ccprof_heap_frame {
    uint64_t address; /* as in struct ccprof_stack */
    uint64_t stack;   /* stack pointer; all ones: ADDRESS is special and no frame */
    uint64_t pointer; /* frame pointer */
    /* Where the caller's frame pointer was; 0: the caller has the same frame pointer.  */
    uint64_t pointer_slot;
    uint32_t number; /* of the stack up to here */
    /* BY_POINTER: the frame's address is computed from the frame pointer.  NEEDS_POINTER:
       the address of this frame or of one further out is.  */
    bool by_pointer, needs_pointer;
    /* OPAQUE: the caller's frame depends on more than the stack pointer and the frame
       pointer, or on a signal's context.  OPAQUE_OUTSIDE: this is so for a frame further
       out.  */
    bool opaque, opaque_outside;
};

/* The frames of a walk, and apart from them their return addresses: of a known frame
   little else is read.  The slot of a return address is 0 if it is not known.  */
struct ccprof_heap_frames {
    struct ccprof_heap_word returned[CCPROF_HEAP_WALK_FRAMES + 1];
    struct ccprof_heap_frame frame[CCPROF_HEAP_WALK_FRAMES + 1];
};

/* How a walk steps from a return address in most functions: the frame's address is the
   stack pointer or the frame pointer plus an offset, and the step reads only the return
   address and the frame pointer.  */
struct ccprof_heap_quick_step {
    uint64_t address;
    uint32_t walk; /* number of the walk that has noted the step */
    int32_t frame_offset, return_offset, pointer_offset;
    bool by_pointer, saves_pointer;
};

#define CCPROF_HEAP_QUICK_STEPS 1024

/* A walk, and what is remembered for the next walk of the same thread.  The next walk may
   meet a remembered frame: one with the same stack pointer, return address and, where it
   matters, frame pointer.  Then the frames further out are the same as before if their
   return addresses and saved frame pointers are unchanged in memory.  All zeros is a walk
   that has not begun.  */
struct ccprof_heap_walk {
    const void *thread;            /* stands for the thread that walked last */
    uint32_t modules;              /* what ccprof_heap_walk_forget had counted then */
    uint32_t again;                /* walks until all rules are computed again */
    uint32_t number;               /* of the stack, if the cache has it, otherwise 0 */
    bool whole;                    /* the walk came to the outermost frame */
    struct ccprof_scope_key scope; /* of the thread that walked last */
    uint32_t root;     /* number of the phases around the stack; 0: not known */
    uint32_t depth;    /* of the stack */
    uint32_t numbered; /* how many of the outer frames have numbers */
    struct ccprof_heap_begin begin; /* of the last walk */
    struct ccprof_heap_frame start; /* of the function that the program has called */
    struct ccprof_unwind unwind;
    struct ccprof_unwind_short rules[CCPROF_UNWIND_MANY];         /* of UNWIND */
    struct ccprof_heap_quick_step quick[CCPROF_HEAP_QUICK_STEPS]; /* by address */
    struct ccprof_heap_frames known; /* the remembered stack, outermost first */
    struct ccprof_heap_frames inner; /* frames further in than KNOWN, innermost first */
    struct ccprof_heap_stack_cache cache;
};

/* Walks outwards from the function that has called ccprof_cpu_caller and got PC and
   REGISTERS from it.  This function is not part of the stack.  */
void ccprof_heap_walk_capture(struct ccprof_heap_walk *walk, const uint64_t *registers,
                              uint64_t pc);

/* Returns the number of the stack if the cache had it, otherwise 0.  */
static inline uint32_t ccprof_heap_walk_known(const struct ccprof_heap_walk *walk)
{
    return walk->number;
}

/* Returns the number of the stack.  Adds the stack to STACKS if it is missing.  */
uint32_t ccprof_heap_walk_number(struct ccprof_heap_walk *walk,
                                 struct ccprof_heap_stacks *stacks);

/* Notes that a module may have been loaded or unloaded: no thread uses remembered frames
   and rules any more.  Any thread.  */
void ccprof_heap_walk_forget(void);

/* The functions of the cache.  */

/* Returns the number of the stack of a walk that begins so, or 0 if the cache does not
   have it.  The cached words may be those of a stack that is gone: the kernel is asked
   whether words outside of READABLE can be read.  */
uint32_t ccprof_heap_stack_cache_find(const struct ccprof_heap_stack_cache *cache,
                                      const struct ccprof_heap_begin *begin,
                                      struct ccprof_safe_read *readable);

/* Returns the place for a walk that began so, and empties the place.  */
struct ccprof_heap_cached_stack *
ccprof_heap_stack_cache_place(struct ccprof_heap_stack_cache *cache,
                              const struct ccprof_heap_begin *begin);

/* Adds a word that the walk has read.  Returns false if there is no room.  */
bool ccprof_heap_stack_cache_add(struct ccprof_heap_cached_stack *stack, uint64_t slot,
                                 uint64_t value);

/* Makes the stack valid, once all its words are added.  */
void ccprof_heap_stack_cache_keep(struct ccprof_heap_cached_stack *stack,
                                  const struct ccprof_heap_begin *begin, bool by_pointer,
                                  uint32_t number);

#endif
