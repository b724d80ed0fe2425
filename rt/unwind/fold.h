/* SPDX-License-Identifier: MIT */
/* Folds the outer part of a deep stack: keeps only some of the frames that are at the
   same call, so that a recursion of any depth becomes a few frames.  Called by stack.c,
   in the SIGPROF handler.  Two rules decide which frames are left out:
    - The first frame of each call, counted from the outermost frame on, is kept, together
      with the frame that called it.
    - For each frame left out, a kept frame at the same call stands further out, and no
      first frame of any call lies between the two.
   So all functions on the stack are kept, and a reader that skips some functions still
   finds the right nearest caller.  Appending the fold of the inner part of a stack to the
   fold of the outer part gives the fold of both parts.  */

#ifndef CCPROF_FOLD_H
#define CCPROF_FOLD_H

#include <stdbool.h>
#include <stdint.h>

/* The most frames that are kept; the inner frames of a longer fold are left out.  */
#define CCPROF_FOLD_MOST   256
#define CCPROF_FOLD_PLACES 1024

struct ccprof_fold_frame {
    /* The return address minus one, or the address where a signal came.  */
    uint64_t address;
    uint64_t slot; /* address of the memory that holds the return address; 0: unknown */
    /* The place of the frame, which is 1 more than that of its caller.  */
    int32_t at;
    bool first; /* no kept frame further out has this address */
};

/* A fold; all zeros is an empty one.  */
struct ccprof_fold {
    uint32_t count;
    uint32_t fresh;  /* number of the innermost kept frame that is a first one */
    bool full;       /* more frames would have been kept */
    int32_t full_at; /* place of the first frame for which there was no room */
    struct ccprof_fold_frame last; /* the innermost frame, kept or not */
    struct ccprof_fold_frame frame[CCPROF_FOLD_MOST]; /* outermost first */
    /* Hash table by address: number of the innermost frame with the address, plus 1.  */
    uint16_t place[CCPROF_FOLD_PLACES];
};

/* Removes all frames.  */
void ccprof_fold_clear(struct ccprof_fold *fold);

/* Adds the frame that is next further in.  */
void ccprof_fold_add(struct ccprof_fold *fold, const struct ccprof_fold_frame *frame);

/* Adds the frames of INNER, which lie further in; SHIFT is added to their places.  */
void ccprof_fold_append(struct ccprof_fold *fold, const struct ccprof_fold *inner,
                        int32_t shift);

/* Removes all frames further in than LAST, which becomes the innermost frame.  */
void ccprof_fold_cut(struct ccprof_fold *fold, const struct ccprof_fold_frame *last);

/* Returns how many kept frames stand at the place AT or further out.  */
uint32_t ccprof_fold_count(const struct ccprof_fold *fold, int32_t at);

#endif
