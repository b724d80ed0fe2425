/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train: counts everything that GCC's own profile is made of (argument `train'), so that
   mlprof can write .gcda files for a second build with -fprofile-use.  That build takes a
   profile only if it makes the same flow graph at the same place.  So each step here is
   GCC's own, in GCC's order; the comments name the source.

   train.cc: the pass, which puts marks on arcs where GCC's pass `profile' counts them.
   condense.h makes counters of the marks.
   train-graph.cc: which arcs have counters, and where in the source the blocks are.
   train-values.cc: what GCC's profile has beside arcs.
   train-table.cc: the tables of all these.

   plugin/ccprof.cc uses train_register and the functions that write tables.  */

#ifndef CCPROF_TRAIN_H
#define CCPROF_TRAIN_H

#include "rt/format.h"

/* In plugin_init, if the argument is there.  */
void train_register(const char *plugin);

/* The tables of functions, at the end of the unit, as in emit.h.  */
bool train_any(void);
void train_emit(const char *unit);

/* The tables of the variables of train-values.cc and of the functions that may be called
   through a pointer, likewise.  */
bool train_values_any(void);
void train_values_emit(const char *unit);

/* The rest is shared by the files of this module.  */

/* An arc of GCC's flow graph.  Blocks have GCC's numbers: 0 is the entry, 1 the exit.  */
struct train_arc {
    unsigned from, to;
    bool counted;
    /* The arc is for calls that do not return.  Its count is negative if a call returns
       more than once, as setjmp does.  */
    bool below;
};

/* A position in terms of gcc -fauto-profile (GCC: auto-profile.cc, get_inline_stack,
   afdo_set_bb_count): OFFSET is in lines from the declaration of the function.  BODY is 0
   for the current function, otherwise the number of an inlined body, from 1.  */
struct train_position {
    unsigned body, offset, discriminator;
};

#define TRAIN_NOWHERE UINT_MAX /* a body: the position is unknown */

/* A body that was inlined for the call at the position.  */
struct train_inlined {
    struct train_position call;
    tree function;
};

/* The positions of the blocks of the current function, and of calls.  */
struct train_positions {
    auto_vec<struct train_inlined> inlined; /* each before those that are inlined in it */
    auto_vec<struct train_position> list;   /* of all blocks, by block */
    auto_vec<unsigned> ends; /* by block: where its positions end in LIST */
    auto_vec<struct train_position> calls;
};

/* An operand whose frequent values GCC counts, and the block that it is in.  */
struct train_list {
    enum ccprof_list kind;
    unsigned block;
    gimple *statement;
    tree operand;
};

/* What a .gcda file says of the current function, beside its counters (GCC: coverage.cc).
 */
struct train_function {
    unsigned ident, lineno, checksum; /* CHECKSUM is that of the flow graph */
    unsigned blocks;                  /* of the graph */
    unsigned counters;                /* of arcs */
    auto_vec<struct train_arc> arcs;
    auto_vec<gimple *> indirect; /* calls by a pointer */
    auto_vec<struct train_list> lists;
    struct train_positions positions;
};

/* Makes the flow graph of the current function that GCC profiles (GCC: profile.cc,
   branch_prob, find_spanning_tree) and returns its checksum.  Appends to COUNTED the arcs
   with counters in the order of these, and to ARCS all arcs in the order of their source
   blocks.  Afterwards the graph is the function's own again, except for edges that were
   split as GCC splits them.  */
unsigned train_graph_make(vec<edge> *counted, vec<struct train_arc> *arcs);

/* Fills FOUND with the positions of the current function's blocks and of CALLS.  GCC
   looks for counts behind early inlining, where this graph is.  */
void train_positions_find(struct train_positions *found, const vec<gimple *> &calls);

/* Puts into FUNCTION the values of the current function that a .gcda file has: targets of
   indirect calls, divisors and sizes (GCC: value-prof.cc, gimple_find_values_to_profile).
   They must be complete: if GCC finds some kinds of values and not all that it looks for,
   it mistakes one list for another (profile.cc, compute_value_histograms) or calls the
   profile corrupted (value-prof.cc, check_counter).  */
void train_values_find(struct train_function *function);

/* Marks what is counted of these values, and the function's first execution (GCC:
   tree-profile.cc, gimple_gen_time_profiler).  Each has a variable.  For operands the
   code works as for the targets of calls (targets.h), as if the value were called; for
   the first execution it stores to the variable, as if that were a counter.  FLOW is the
   function's number (train_keep).  */
void train_values_mark(uint64_t flow, const struct train_function *function);

/* Keeps the function for the table.  Returns its number, which marks name as their flow
   (counter.h).  */
uint64_t train_keep(const struct train_function *function);

/* A callback of GCC's, when LTO has streamed all that it streams: takes the functions
   that were kept.  */
void train_take(void *, void *);

#endif
