/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the stacks that the user asks for by their frames, and takes frames out of them,
   for evaluate.c, before anything is made of the stacks: what is made of them follows.
   Focus, ignore and hide are those of pprof (google/pprof, doc/README.md, "Options that
   filter").  */

#ifndef MLPROF_STACKS_FILTER_H
#define MLPROF_STACKS_FILTER_H

#include "mlprof/names/names.h"
#include "mlprof/stacks/stacks.h"

/* Own time of hidden frames that have no other around them.  */
#define STACKS_HIDDEN "<hidden>"

/* What is wanted; patterns mean functions by names_contain.  */
struct stacks_filter {
    struct patterns focus;  /* no stacks but those with a frame that one of them means */
    struct patterns ignore; /* no stacks with such a frame, in focus or not */
    struct patterns hide;   /* such frames disappear; what is theirs goes to the frame
                               around   them.  The other two see them */
};

/* What was measured in the stacks that are kept, and in all: samples or bytes.  */
struct stacks_filter_part {
    uint64_t kept, all;
};

/* Some pattern is there.  */
bool stacks_filter_is_set(const struct stacks_filter *filter);

/* Takes out of STACKS, with their counts, the stacks and frames that FILTER does not
   keep, and the sites of such allocations.  Fills PART.  A FAULT if a pattern means no
   function that was measured, or nothing is left; if nothing was measured nothing is
   done.  */
bool stacks_filter_apply(struct stacks *stacks, const struct stacks_filter *filter,
                         const struct names_style *style, struct stacks_filter_part *part,
                         struct fault *fault);

/* The options as text, to be freed: `-focus RE, -hide RE'.  */
char *stacks_filter_text(const struct stacks_filter *filter);

void stacks_filter_free(struct stacks_filter *filter);

#endif
