/* SPDX-License-Identifier: MIT */
/* What is remembered of the deep stack of a thread from walk to walk, and the credit that
   pays for walks.  Only outer.c uses this, in the SIGPROF handler; what remembering is
   for, and how it may be wrong, is said in outer.h, with the functions that take the
   memory and give it back.  */

#ifndef CCPROF_OUTER_MEMORY_H
#define CCPROF_OUTER_MEMORY_H

#include "rt/os/safe-read.h"
#include "rt/os/spin.h"
#include "rt/unwind/outer.h"

/* Frames of a walk that are folded together, outermost first.  */
#define CCPROF_OUTER_CHUNK 1024

/* The place from which frames of a new walk are counted, its innermost one.  */
#define CCPROF_OUTER_START 0

struct ccprof_outer_mark {
    uint64_t frame; /* the stack pointer in this frame */
    uint64_t pc;    /* the return address into it */
    int32_t slot;   /* where that is, from FRAME on; 0: not known */
    int32_t at;     /* its place, as in the fold: 0 is the outermost frame */
};

struct ccprof_outer {
    ccprof_spin busy;
    const char *thread;
    uint64_t used; /* when */
    uint64_t random;
    int32_t need; /* credit without which no long walk is tried */
    bool broken;  /* there is no way outwards from what is remembered */
    uint32_t count;
    /* The remembered ones, outermost first, and at the other end those of the walk, so
       that the innermost one is the last.  */
    struct ccprof_outer_mark mark[CCPROF_OUTER_MARKS];
    struct ccprof_fold fold, walked[2];
    struct ccprof_fold_frame chunk[CCPROF_OUTER_CHUNK]; /* innermost first */
};

/* What a walk has found.  */
struct ccprof_outer_found {
    const struct ccprof_fold *fold; /* with places from CCPROF_OUTER_START on */
    uint32_t marks;                 /* how many there are of it in the memory */
    int32_t steps;
};

/* The innermost one of the MARKS of the walk.  */
static inline struct ccprof_outer_mark *
ccprof_outer_memory_walked(struct ccprof_outer *outer, uint32_t marks)
{
    return outer->mark + CCPROF_OUTER_MARKS - marks;
}

/* Forgets all frames.  */
void ccprof_outer_memory_forget(struct ccprof_outer *outer);

/* Leaves every other mark out, of those remembered and of the MARKS of the walk.  Returns
   how many the walk has now.  */
uint32_t ccprof_outer_memory_thin(struct ccprof_outer *outer, uint32_t marks);

/* How many marks are not further in than the frame.  */
uint32_t ccprof_outer_memory_from(const struct ccprof_outer *outer, uint64_t frame);

/* Whether what is remembered from the mark of that NUMBER on outwards is still there, as
   far as it is looked at.  What is not, and all further in, is forgotten.  */
bool ccprof_outer_memory_check(struct ccprof_outer *outer, uint32_t number,
                               struct ccprof_safe_read *readable);

/* Remembers what was found further in than the mark of that NUMBER.  */
void ccprof_outer_memory_extend(struct ccprof_outer *outer, uint32_t number,
                                const struct ccprof_outer_found *found);

/* Remembers what was found and nothing else; BROKEN: there is no way outwards from it. */
void ccprof_outer_memory_replace(struct ccprof_outer *outer,
                                 const struct ccprof_outer_found *found, bool broken);

/* Adds the sample to the credit.  Returns how many steps its walk may make; where the
   credit is full all is forgotten, so that the walk is a whole one.  */
int32_t ccprof_outer_memory_limit(struct ccprof_outer *outer);

/* Takes the steps of a walk from the credit.  */
void ccprof_outer_memory_pay(int32_t steps);

/* A walk of LIMIT steps did not come to an end: none that is long is made until there is
   twice the credit.  */
void ccprof_outer_memory_fell_short(struct ccprof_outer *outer, int32_t limit);

#endif
