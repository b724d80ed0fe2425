/* SPDX-License-Identifier: MIT */
/* Walks the calling thread's stack where the program calls its allocator, and finds the
   number of the stack.  Only heap.c uses this.  */

#ifndef CCPROF_HEAP_WALK_H
#define CCPROF_HEAP_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-memo.h"
#include "rt/heap/heap-stacks.h"
#include "rt/heap/heap-words.h"
#include "rt/table/scope.h"
#include "rt/unwind/unwind.h"

/* The most frames that are kept of a stack, the innermost ones; a special address stands
   for those further out.  */
#define CCPROF_HEAP_WALK_FRAMES 512

/* A frame of a stack, and how the walk came from there to the caller's.  */
struct ccprof_heap_frame {
    uint64_t address; /* as in struct ccprof_stack */
    uint64_t stack;   /* stack pointer; all ones: ADDRESS is special and no frame */
    uint64_t pointer; /* frame pointer */
    /* Where the caller's frame pointer was; 0: that is this one.  */
    uint64_t pointer_slot;
    uint32_t number; /* of the stack up to here */
    /* The frame's address goes by the frame pointer; or that of a frame further out does,
       so that the frame pointer matters here.  */
    bool by_pointer, needs_pointer;
    /* The caller's frame depends on more than these, or on a signal's context; or that of
       a frame further out does.  */
    bool opaque, opaque_outside;
};

/* The frames of a walk, and their return addresses, whose slot is 0 where that is not
   known.  Of a known frame all but its return address is rarely looked at.  */
struct ccprof_heap_frames {
    struct ccprof_heap_word returned[CCPROF_HEAP_WALK_FRAMES + 1];
    struct ccprof_heap_frame frame[CCPROF_HEAP_WALK_FRAMES + 1];
};

/* How a walk steps from a return address, in most functions: the frame's address is the
   stack pointer or the frame pointer plus an offset, and only what the next step needs is
   read, the return address and the frame pointer.  */
struct ccprof_heap_quick {
    uint64_t address;
    uint32_t walk; /* number of the walk that has noted this */
    int32_t frame_offset, return_offset, pointer_offset;
    bool by_pointer, saves_pointer;
};

#define CCPROF_HEAP_QUICKS 1024

/* A walk, and what is remembered of the one before, so that the next one of the same
   thread need not go far: where it comes to a frame with the stack pointer, return
   address and, where that matters, frame pointer of a remembered one, the frames further
   out are the same ones as before if their return addresses, and the frame pointers that
   they have saved, are still in memory.  Of whole walks that began alike memos are
   kept.  All zeros is one that has not walked.  */
struct ccprof_heap_walk {
    const void *thread;             /* stands for the thread that walked last */
    uint32_t modules;               /* what ccprof_heap_walk_forget had counted then */
    uint32_t again;                 /* walks until all is found out again */
    uint32_t number;                /* of the stack, if a memo has it, otherwise 0 */
    bool whole;                     /* the walk came to the outermost frame */
    struct ccprof_scope_key scope;  /* of the thread that walked last */
    uint32_t root;                  /* number of what is around the stack; 0: not known */
    uint32_t depth;                 /* of the stack */
    uint32_t numbered;              /* how many of the outer frames have numbers */
    struct ccprof_heap_begin begin; /* of the last walk */
    struct ccprof_heap_frame start; /* of the function that the program has called */
    struct ccprof_unwind unwind;
    struct ccprof_unwind_short rules[CCPROF_UNWIND_MANY]; /* of UNWIND */
    struct ccprof_heap_quick quick[CCPROF_HEAP_QUICKS];   /* by address */
    struct ccprof_heap_frames known;                      /* outermost first */
    struct ccprof_heap_frames inner; /* what was not known, innermost first */
    struct ccprof_heap_memos memos;
};

/* Walks outwards from the function that has called ccprof_cpu_caller, which gave PC and
   REGISTERS.  That function is not part of the stack.  */
void ccprof_heap_walk_capture(struct ccprof_heap_walk *walk, const uint64_t *registers,
                              uint64_t pc);

/* Returns the number of the stack if that is known without a look at the tree of stacks,
   otherwise 0.  */
static inline uint32_t ccprof_heap_walk_known(const struct ccprof_heap_walk *walk)
{
    return walk->number;
}

/* Returns the number of the stack, which is added to STACKS if it is missing.  */
uint32_t ccprof_heap_walk_number(struct ccprof_heap_walk *walk,
                                 struct ccprof_heap_stacks *stacks);

/* Tells that a module may have been unloaded.  */
void ccprof_heap_walk_forget(void);

#endif
