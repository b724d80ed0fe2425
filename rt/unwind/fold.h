/* SPDX-License-Identifier: MIT */
/* Folds the outer part of a deep stack: of the frames that are at the same call, only
   some are kept, so that a recursion of any depth becomes a few frames. Called by
   stack.c, in the SIGPROF handler. Two rules decide which frames are left out:

     - The first frame of each call, counted from the outermost frame, is kept, and so is
       the frame that called it.
     - For each frame that is left out, there is a kept frame of the same call further
   out, and there is no first frame of any call between the two.

   So all functions on the stack are kept, and a reader that skips some functions still
   finds the correct nearest caller. Appending the fold of the inner part of a stack
   to the fold of the outer part gives the fold of both parts. */

#ifndef CCPROF_FOLD_H
#define CCPROF_FOLD_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of frames that are kept. If there are more, the inner ones are left
   out. */
#define CCPROF_FOLD_MOST    256
#define CCPROF_FOLD_ENTRIES 1024

struct ccprof_fold_frame {
    /* The return address minus one, or the address where a signal arrived. */
    uint64_t address;
    uint64_t slot; /* address where the return address is stored; 0: unknown */
    /* The place of the frame in the stack, which is 1 more than its caller's place. */
    int32_t place;
    bool first; /* no kept frame further out has this address */
};

/* A fold. A structure of zeros is an empty fold. */
struct ccprof_fold {
    uint32_t count;
    uint32_t
        innermost_first; /* index of the innermost kept frame that is a first frame */
    bool full;           /* there was no room for more frames */
    int32_t full_at;     /* place of the first frame without room */
    struct ccprof_fold_frame last; /* the innermost frame, kept or not */
    struct ccprof_fold_frame frame[CCPROF_FOLD_MOST]; /* outermost first */
    /* Hash table by address: index of the innermost frame with the address, plus 1. */
    uint16_t table[CCPROF_FOLD_ENTRIES];
};

/* Removes all frames. */
void ccprof_fold_clear(struct ccprof_fold *fold);

/* Adds the next frame further in. */
void ccprof_fold_add(struct ccprof_fold *fold, const struct ccprof_fold_frame *frame);

/* Adds the frames of INNER, which are further in. SHIFT is added to their places. */
void ccprof_fold_append(struct ccprof_fold *fold, const struct ccprof_fold *inner,
                        int32_t shift);

/* Removes all frames further in than LAST. LAST becomes the innermost frame. */
void ccprof_fold_cut(struct ccprof_fold *fold, const struct ccprof_fold_frame *last);

/* Returns the number of kept frames that are at PLACE or further out. */
uint32_t ccprof_fold_count(const struct ccprof_fold *fold, int32_t place);

#endif
