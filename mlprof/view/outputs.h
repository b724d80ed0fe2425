/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of output, and the groups that options have an effect on. A view, a format
   and a command name their own kind. The entry of an option (options-table.c) names
   the kinds that it has an effect on. A new output takes the kind of an output that
   the same options change. If there is none, it gets a new kind, which belongs to all
   groups that are defined by what they leave out. */

#ifndef MLPROF_OUTPUTS_H
#define MLPROF_OUTPUTS_H

#include <stdint.h>

#define OUTPUTS_KIND(number) (UINT64_C(1) << (number))

/* A set of kinds. */
typedef uint64_t outputs_set;

/* Views. */
#define OUTPUTS_TABLE      OUTPUTS_KIND(0) /* the table of functions */
#define OUTPUTS_GROUPS     OUTPUTS_KIND(1) /* the table of -by */
#define OUTPUTS_TIMES      OUTPUTS_KIND(2) /* other tables of the time of functions */
#define OUTPUTS_CALLS      OUTPUTS_KIND(3) /* callers and callees; the tree */
#define OUTPUTS_PATH       OUTPUTS_KIND(4)
#define OUTPUTS_TRAINED    OUTPUTS_KIND(5) /* functions with counts for GCC */
#define OUTPUTS_SITES      OUTPUTS_KIND(6) /* call sites */
#define OUTPUTS_BRANCHES   OUTPUTS_KIND(7)
#define OUTPUTS_LINES      OUTPUTS_KIND(8) /* source lines */
#define OUTPUTS_CONSTRUCTS OUTPUTS_KIND(9)
#define OUTPUTS_REGIONS    OUTPUTS_KIND(10)
#define OUTPUTS_HISTOGRAMS OUTPUTS_KIND(11)
#define OUTPUTS_HEAP       OUTPUTS_KIND(12)
#define OUTPUTS_HEAP_TIMES OUTPUTS_KIND(13)

#define OUTPUTS_WAITS OUTPUTS_KIND(33)

/* Files. */
#define OUTPUTS_GRAPH     OUTPUTS_KIND(14)
#define OUTPUTS_FLAME     OUTPUTS_KIND(15)
#define OUTPUTS_PAGE      OUTPUTS_KIND(16)
#define OUTPUTS_JSON      OUTPUTS_KIND(17)
#define OUTPUTS_CSV       OUTPUTS_KIND(18)
#define OUTPUTS_PPROF     OUTPUTS_KIND(19) /* also OTLP */
#define OUTPUTS_FOLDED    OUTPUTS_KIND(20)
#define OUTPUTS_CALLGRIND OUTPUTS_KIND(21)
#define OUTPUTS_BLOCKS    OUTPUTS_KIND(22) /* the heap for tools of Valgrind */
#define OUTPUTS_COVERAGE  OUTPUTS_KIND(23)
#define OUTPUTS_GCDA      OUTPUTS_KIND(24)
#define OUTPUTS_AFDO      OUTPUTS_KIND(25)
#define OUTPUTS_TRACE     OUTPUTS_KIND(34) /* waits and regions over time */

/* Commands, which replace all views. */
#define OUTPUTS_COMPARISON OUTPUTS_KIND(26)
#define OUTPUTS_GROWTH     OUTPUTS_KIND(27)
#define OUTPUTS_GATE       OUTPUTS_KIND(28)
#define OUTPUTS_BUDGET     OUTPUTS_KIND(29) /* -gate-update */
#define OUTPUTS_ADDRESSES  OUTPUTS_KIND(30) /* -where */
#define OUTPUTS_PROGRAMS   OUTPUTS_KIND(31) /* the programs in folders */

/* The options that have an effect on a page also if it shows a comparison or -growth.
   Such a page has this kind in addition to its own. */
#define OUTPUTS_COMPARED OUTPUTS_KIND(32)

/* Groups: all outputs, outputs of data files, with names, of functions, of stacks, of
   samples, and of copies of functions. From OUTPUTS_FUNCTIONS on, each one contains
   the next one. */
#define OUTPUTS_ALL  (~OUTPUTS_COMPARED)
#define OUTPUTS_DATA (OUTPUTS_ALL & ~(OUTPUTS_ADDRESSES | OUTPUTS_PROGRAMS))
#define OUTPUTS_NAMES                                                                    \
    (OUTPUTS_DATA &                                                                      \
     ~(OUTPUTS_HEAP_TIMES | OUTPUTS_COVERAGE | OUTPUTS_FEEDBACK | OUTPUTS_BUDGET))
#define OUTPUTS_FUNCTIONS                                                                \
    ((OUTPUTS_NAMES & ~(OUTPUTS_CONSTRUCTS | OUTPUTS_REGIONS | OUTPUTS_HISTOGRAMS |      \
                        OUTPUTS_WAITS | OUTPUTS_TRACE)) |                                \
     OUTPUTS_COUNTS | OUTPUTS_ADDRESSES)
#define OUTPUTS_STACKS                                                                   \
    (OUTPUTS_FUNCTIONS &                                                                 \
     ~(OUTPUTS_SITES | OUTPUTS_BRANCHES | OUTPUTS_COUNTS | OUTPUTS_ADDRESSES))
#define OUTPUTS_SAMPLED                                                                  \
    (OUTPUTS_STACKS & ~(OUTPUTS_HEAP | OUTPUTS_TRAINED | OUTPUTS_BLOCKS))
#define OUTPUTS_COPIES                                                                   \
    (OUTPUTS_SAMPLED &                                                                   \
     ~(OUTPUTS_GROUPS | OUTPUTS_PPROF | OUTPUTS_COMPARISON | OUTPUTS_GROWTH))

/* Tables with a row for each function, call, region and so on. */
#define OUTPUTS_ROWS                                                                     \
    (OUTPUTS_TABLE | OUTPUTS_GROUPS | OUTPUTS_TIMES | OUTPUTS_CALLS | OUTPUTS_PATH |     \
     OUTPUTS_TRAINED | OUTPUTS_SITES | OUTPUTS_BRANCHES | OUTPUTS_CONSTRUCTS |           \
     OUTPUTS_REGIONS | OUTPUTS_HEAP)

/* Outputs that show every measure in the same way. */
#define OUTPUTS_MEASURES                                                                 \
    (OUTPUTS_CALLS | OUTPUTS_PATH | OUTPUTS_LINES | OUTPUTS_GRAPH | OUTPUTS_FLAME |      \
     OUTPUTS_PAGE | OUTPUTS_PPROF | OUTPUTS_FOLDED | OUTPUTS_CALLGRIND)

/* Files with tables, files for GCC, and outputs with source text. */
#define OUTPUTS_TABLE_FILES (OUTPUTS_JSON | OUTPUTS_CSV)
#define OUTPUTS_FEEDBACK    (OUTPUTS_GCDA | OUTPUTS_AFDO)
#define OUTPUTS_TEXTS       (OUTPUTS_LINES | OUTPUTS_PAGE | OUTPUTS_COMPARISON | OUTPUTS_GROWTH)

/* Commands that compare files with each other, and those that check exact counts. */
#define OUTPUTS_COMPARISONS (OUTPUTS_COMPARISON | OUTPUTS_GROWTH)
#define OUTPUTS_COUNTS      (OUTPUTS_GATE | OUTPUTS_BUDGET)

#endif
