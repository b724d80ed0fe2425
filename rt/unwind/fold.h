/* SPDX-License-Identifier: MIT */
/* Folds the outer part of a deep stack: of frames at the same call only some are kept, so
   that a recursion of any depth is a few frames.  What is left out can be told:

   - each call that was left out stands at a kept frame further out, without the first
     frame of any other call between the two;
   - the first frame of each call, from the outermost one on, is kept, and the one that
     called it.

   So all functions on the stack are there, and whoever leaves some functions out finds
   the nearest caller that is none of them.  Two folds, one further in than the other,
   give what the fold of both would be.  Called by outer.c, in the SIGPROF handler.  */

#ifndef CCPROF_FOLD_H
#define CCPROF_FOLD_H

#include <stdbool.h>
#include <stdint.h>

/* Frames that are kept: the outermost ones, where there would be more.  */
#define CCPROF_FOLD_MOST   256
#define CCPROF_FOLD_PLACES 1024

struct ccprof_fold_frame {
    uint64_t address; /* the return address minus one, or where a signal came */
    uint64_t slot;    /* where the return address is in memory; 0: not known */
    int32_t at;       /* its place: further in by one is more by one */
    bool first;       /* no kept frame further out has the address */
};

/* All zeros is an empty one.  */
struct ccprof_fold {
    uint32_t count;
    uint32_t fresh;                /* the number of the last frame that is a first one */
    bool full;                     /* more would have been kept */
    int32_t full_at;               /* from there on inwards */
    struct ccprof_fold_frame last; /* the innermost frame, be it kept or not */
    struct ccprof_fold_frame frame[CCPROF_FOLD_MOST]; /* outermost first */
    uint16_t place[CCPROF_FOLD_PLACES]; /* by address: the last frame's number + 1 */
};

/* Takes all frames out.  */
void ccprof_fold_clear(struct ccprof_fold *fold);

/* Adds a frame further in.  */
void ccprof_fold_add(struct ccprof_fold *fold, const struct ccprof_fold_frame *frame);

/* Adds those of INNER, whose places are SHIFT less than FOLD's.  */
void ccprof_fold_append(struct ccprof_fold *fold, const struct ccprof_fold *inner,
                        int32_t shift);

/* Takes the frames further in than LAST out, which is the innermost one now.  */
void ccprof_fold_cut(struct ccprof_fold *fold, const struct ccprof_fold_frame *last);

/* How many frames stand at AT or further out.  */
uint32_t ccprof_fold_count(const struct ccprof_fold *fold, int32_t at);

#endif
