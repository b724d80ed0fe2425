/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train: counts what GCC's own profile is made of (argument `train'), so that mlprof can
   write .gcda files for a second build with -fprofile-use.

   train.cc: marks the arcs, in the place and the state of the unit in which GCC's pass
   `profile' counts them; condense.h makes counters of the marks.  train-graph.cc: which
   arcs.  train-table.cc: the table that tells mlprof whose they are.  train-values.cc:
   what GCC's profile has beside arcs.  train-positions.cc: where the blocks stand.  */

#ifndef CCPROF_TRAIN_H
#define CCPROF_TRAIN_H

#include "plugin/train/train-graph.h"
#include "plugin/train/train-positions.h"
#include "rt/format.h"

/* In plugin_init, if the argument is there.  */
void train_register(const char *plugin);

/* An operand of which GCC wants to know the frequent values, in that block.  */
struct train_list {
    enum ccprof_list kind;
    unsigned block;
    gimple *statement;
    tree operand;
};

/* What a .gcda file says of the current function, beside its counters (GCC: coverage.cc).
 */
struct train_function {
    unsigned ident, lineno, checksum; /* the latter of the flow graph */
    unsigned blocks;                  /* how many the graph has */
    unsigned counters;                /* of arcs */
    auto_vec<struct train_arc> arcs;
    auto_vec<gimple *> indirect; /* calls, by a pointer */
    auto_vec<struct train_list> lists;
    struct train_positions positions;
};

/* Keeps it for the table.  Returns the number of the flow, by which counters are told
   (counter.h).  */
uint64_t train_keep(const struct train_function *function);

/* When LTO has streamed all that it streams: takes what was kept for the table.  A
   callback of GCC's.  */
void train_take(void *, void *);

/* The table, at the end of the unit, as in emit.h.  */
bool train_any(void);
void train_emit(const char *unit);

#endif
