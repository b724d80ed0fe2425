/* SPDX-License-Identifier: MIT */
/* Keeps the deep stack of a thread in memory from walk to walk, and the credit that pays
   for walks.  Only outer.c uses this, in the SIGPROF handler.  outer.h says why stacks
   are remembered and how the memory may be wrong, and has the functions that take the
   memory and give it back.  */

#ifndef CCPROF_OUTER_MEMORY_H
#define CCPROF_OUTER_MEMORY_H

#include "rt/os/memory.h"
#include "rt/os/lock.h"
#include "rt/unwind/outer.h"

/* Frames of a walk that are folded at the same time, outermost first, since a walk finds
   the innermost frame first.  */
#define CCPROF_OUTER_CHUNK 1024

/* The place of the innermost frame of a new walk.  */
#define CCPROF_OUTER_START 0

struct ccprof_outer_mark {
    uint64_t frame; /* the stack pointer in this frame */
    uint64_t pc;    /* the return address into this frame */
    int32_t slot;   /* distance from FRAME to the memory that holds the return address; 0:
                       unknown */
    int32_t at;     /* place, as in the fold: 0 is the outermost frame */
};

struct ccprof_outer {
    ccprof_spin busy;
    /* All threads read these two, to find a memory.  */
    const char *_Atomic thread;
    _Atomic uint64_t used; /* time of the last sample, on the clock of outer-memory.c */
    uint64_t random;
    int32_t need; /* the credit below which no long walk is tried */
    bool broken;  /* unwinding fails at the outermost frame that is remembered */
    uint32_t count;
    /* The marks that are remembered stand at the start, outermost first; the marks of the
       current walk stand at the end, the innermost one last.  */
    struct ccprof_outer_mark mark[CCPROF_OUTER_MARKS];
    struct ccprof_fold fold, walked[2];
    struct ccprof_fold_frame chunk[CCPROF_OUTER_CHUNK]; /* innermost first */
};

/* The result of a walk.  */
struct ccprof_outer_found {
    const struct ccprof_fold *fold; /* its places count from CCPROF_OUTER_START on */
    uint32_t marks; /* how many marks of the walk stand at the end of MARK */
    int32_t steps;
};

/* Returns the outermost of the MARKS marks of the current walk, which all stand behind
   it.  */
static inline struct ccprof_outer_mark *
ccprof_outer_memory_walked(struct ccprof_outer *outer, uint32_t marks)
{
    return outer->mark + CCPROF_OUTER_MARKS - marks;
}

/* Forgets all frames.  */
void ccprof_outer_memory_forget(struct ccprof_outer *outer);

/* Keeps every second mark, of the remembered ones and of the MARKS marks of the walk.
   Returns how many marks the walk has now.  */
uint32_t ccprof_outer_memory_thin(struct ccprof_outer *outer, uint32_t marks);

/* Returns how many marks are not further in than the frame whose stack pointer is
   FRAME.  */
uint32_t ccprof_outer_memory_from(const struct ccprof_outer *outer, uint64_t frame);

/* Checks what is remembered from mark NUMBER on outwards, by reading some return
   addresses again.  Returns true if they are as before; otherwise forgets the frame that
   has changed, with all frames further in, and returns false.  */
bool ccprof_outer_memory_check(struct ccprof_outer *outer, uint32_t number,
                               struct ccprof_safe_read *readable);

/* Replaces what is remembered further in than mark NUMBER by what the walk has found.  */
void ccprof_outer_memory_extend(struct ccprof_outer *outer, uint32_t number,
                                const struct ccprof_outer_found *found);

/* Remembers what the walk has found, and nothing else.  BROKEN tells that unwinding
   failed at the outermost frame.  */
void ccprof_outer_memory_replace(struct ccprof_outer *outer,
                                 const struct ccprof_outer_found *found, bool broken);

/* Adds the credit of one sample, and returns how many steps the walk may make.  If the
   credit is full, all that is remembered is forgotten, so that the walk is a whole
   one.  */
int32_t ccprof_outer_memory_limit(struct ccprof_outer *outer);

/* Pays for the steps of a walk.  */
void ccprof_outer_memory_pay(int32_t steps);

/* Tells that a walk of LIMIT steps has not reached the end: the next long walk waits
   until the credit is twice LIMIT, or full.  */
void ccprof_outer_memory_fell_short(struct ccprof_outer *outer, int32_t limit);

#endif
