/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how often each data file counts: the option -weight.  For options-table.c, which
   reads the option, and input/datafiles.c.  */

#ifndef MLPROF_WEIGHTS_H
#define MLPROF_WEIGHTS_H

#include "mlprof/base/fault.h"

#include <stddef.h>
#include <stdint.h>

/* Data files whose name is PATTERN's count WEIGHT times.  */
struct weights_weight {
    char *pattern;
    uint64_t weight;
};

/* Starts as all zero.  */
struct weights {
    struct weights_weight *weights; /* in the order of the command line */
    size_t count, capacity;
};

/* Adds the word `PATTERN=N'.  Returns an error message, to be freed, or NULL.  */
char *weights_put(struct weights *weights, const char *word);

/* How often the data file at PATH counts, as it was named or found in a folder: the last
   pattern decides that is, as a shell's, the path or a folder around the file.  1 if none
   is.  Sets USED, by pattern, of all that are.  */
uint64_t weights_of(const struct weights *weights, const char *path, bool *used);

/* False and FAULT if a pattern was not USED.  */
bool weights_check(const struct weights *weights, const bool *used, struct fault *fault);

void weights_free(struct weights *weights);

#endif
