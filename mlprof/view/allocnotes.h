/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines below tables and on the page about memory that the program counted at its
   allocation sites (profile=alloc). Used by show.c, html.c and the comparison. */

#ifndef MLPROF_ALLOCNOTES_H
#define MLPROF_ALLOCNOTES_H

#include "mlprof/base/index.h"
#include "mlprof/rows/rows.h"

#include <stdio.h>

struct view;

/* Prints which allocations are missing from the tables and, for rows of paths, how many
   bytes have no function outside of libraries. */
void allocnotes_print_missing(FILE *out, const struct view *view);

/* If ROWS are sites or paths and one function has allocated more than half of all bytes,
   prints how to see its callers. The reason: such a function often allocates for its
   callers, as wrappers of malloc do. Prints nothing for the program's main function, and
   in MLton's layout. */
void allocnotes_print_most(FILE *out, const struct view *view, const struct rows *rows);

/* If the run has also measured the heap, prints how much memory was allocated outside
   of the code compiled with the kind alloc, for example in libraries. Prints nothing
   if allocation sites or stacks were filtered, and in MLton's layout. */
void allocnotes_print_beside(FILE *out, const struct view *view);

/* Allocations that a program with the kind alloc does not count. All zero at first. */
struct allocnotes_lacks {
    bool strings;            /* std::string's allocations are not counted */
    struct intern functions; /* names of the functions excluded from profiling */
};

/* Adds the allocations that PROGRAM does not count. */
void allocnotes_add_lacks(struct allocnotes_lacks *lacks, const struct program *program);

/* Prints below a table which allocations were not counted. */
void allocnotes_print_lacks(FILE *out, const struct allocnotes_lacks *lacks);

void allocnotes_free_lacks(struct allocnotes_lacks *lacks);

#endif
