/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters stacks by their frames, hides frames, and splits functions into copies, for
   report/choose.c. Stacks are filtered before rows are made, so that rows, lines and
   views contain only the stacks that the user selected. Focus, ignore and hide work as in
   pprof (google/pprof, doc/README.md, "Options that filter"). */

#ifndef MLPROF_STACKS_FILTER_H
#define MLPROF_STACKS_FILTER_H

#include "mlprof/names/names.h"
#include "mlprof/stacks/stacks.h"

/* Name of the frame that gets the samples of hidden frames without another frame
   around them. */
#define STACKS_HIDDEN "<hidden>"

/* The user's filter. Patterns match functions as in names_match. */
struct stacks_filter {
    struct patterns focus;  /* keep only stacks with a matching frame */
    struct patterns ignore; /* remove stacks with a matching frame, even if in focus */
    /* Remove matching frames; their samples go to the frame around them. FOCUS and
       IGNORE are applied before HIDE. */
    struct patterns hide;
};

/* The frames that get the heap data of nodes (wrappers.h). */
struct stacks_moves {
    /* By node: itself, or a frame around it. NULL: no data moves. */
    uint32_t *to;
    const char **types; /* by node whose heap data is moved: the type of its blocks; NULL:
                           unknown */
};

/* A pattern with this text also matches processes, which are otherwise not read. */
#define STACKS_FILTER_PROCESS "[process"

/* Returns whether a pattern of the filter matches processes. */
bool stacks_filter_has_processes(const struct stacks_filter *filter);

/* Returns whether the filter has a pattern. */
bool stacks_filter_is_set(const struct stacks_filter *filter);

/* Removes from STACKS the stacks and frames that FILTER does not keep, together with
   their counts and allocation sites. FILTER may have no pattern. Also removes the
   frames of the kinds MERGED (bits 1 << enum stacks_what), so that what they called is
   merged. Then moves the heap data of nodes as described by MOVES, which may be NULL.
   Returns false and sets FAULT if a pattern matches no measured function, or if no stack
   is left. Does nothing if nothing was measured. */
bool stacks_filter_apply(struct stacks *stacks, const struct stacks_filter *filter,
                         const struct stacks_moves *moves, unsigned merged,
                         const struct names_style *style, struct fault *fault);

/* Returns whether STACKS have a frame of a kind in MERGED. */
bool stacks_filter_merges(const struct stacks *stacks, unsigned merged);

/* Splits functions into copies (-split, as in MLton). If a function matches PATTERNS
   (see names_match), each of its copies in STACKS gets its own source, with the same
   name and position. Allocation sites get the source of their copy. If counts are
   not known by copy, they stay with the original source. Returns false and sets FAULT
   if a pattern matches no function in STACKS. */
bool stacks_split(struct stacks *stacks, const struct patterns *patterns,
                  const struct names_style *style, struct fault *fault);

/* Returns the filter as options, for example `-focus RE, -hide RE'. The caller frees
   it. */
char *stacks_filter_text(const struct stacks_filter *filter);

void stacks_filter_free(struct stacks_filter *filter);

#endif
