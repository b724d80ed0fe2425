/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters stacks by their frames, hides frames, and splits functions into copies, for
   evaluate.c.  Filtering comes first, so that rows, lines and views have only stacks that
   the user wants.  Focus, ignore and hide are pprof's (google/pprof,
   doc/README.md, "Options that filter").  */

#ifndef MLPROF_STACKS_FILTER_H
#define MLPROF_STACKS_FILTER_H

#include "mlprof/names/names.h"
#include "mlprof/stacks/stacks.h"

/* Has the samples of hidden frames that have no other frame around them.  */
#define STACKS_HIDDEN "<hidden>"

/* The user's filter.  A pattern means functions by names_match.  */
struct stacks_filter {
    struct patterns focus;  /* keep only stacks with a frame that a pattern means */
    struct patterns ignore; /* leave out stacks with such a frame, in focus or not */
    /* Take out such frames; their samples go to the frame around them.  FOCUS and IGNORE
       still see them.  */
    struct patterns hide;
};

/* How much was measured in the stacks that are kept, and in all: samples or bytes.  */
struct stacks_filter_part {
    uint64_t kept, all;
};

/* Where what nodes have of the heap belongs (wrappers.h).  */
struct stacks_moves {
    /* By node: itself, or a frame around it; NULL: all stay.  */
    uint32_t *to;
    const char **types; /* by node that moves: the type of its blocks; NULL: unknown */
};

/* Whether there is any pattern.  */
bool stacks_filter_is_set(const struct stacks_filter *filter);

/* Removes the stacks and frames that FILTER does not keep from STACKS, with their counts
   and their allocation sites.  FILTER may have no pattern.  Then moves the heap of nodes
   as MOVES says, unless it is NULL.  Fills PART.  False and FAULT if a pattern means no
   function that was measured, or if nothing is left.  Does nothing if nothing was
   measured.  */
bool stacks_filter_apply(struct stacks *stacks, const struct stacks_filter *filter,
                         const struct stacks_moves *moves,
                         const struct names_style *style, struct stacks_filter_part *part,
                         struct fault *fault);

/* Makes a function of each copy of a function (-split, as in MLton): gives each copy in
   STACKS of the functions that PATTERNS mean (names_match) a source of its own, which is
   like the function's; allocation sites get the source of their copy.  Counts that are
   not known by copy stay with the function's own source.  False and FAULT if a pattern
   means no function in STACKS.  */
bool stacks_split(struct stacks *stacks, const struct patterns *patterns,
                  const struct names_style *style, struct fault *fault);

/* The filter as options, to be freed: `-focus RE, -hide RE'.  */
char *stacks_filter_text(const struct stacks_filter *filter);

void stacks_filter_free(struct stacks_filter *filter);

#endif
