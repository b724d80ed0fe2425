/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train: counts everything that GCC's own profile contains (argument `train'), so that
   mlprof can write .gcda files for a second build with -fprofile-use. The second build
   uses a profile only if it makes the same flow graph at the same place. So each step
   here is GCC's own step, in GCC's order. The comments name the source in GCC.

     train.cc         the pass, which puts marks on arcs where GCC's pass `profile' would
                      count them; condense.h replaces the marks by counters
     train-graph.cc   chooses the arcs with counters, and finds the positions of blocks
     train-values.cc  the other contents of GCC's profile
     train-table.cc   the tables of functions

   plugin/ccprof.cc calls train_register and the functions that write tables. */

#ifndef CCPROF_TRAIN_H
#define CCPROF_TRAIN_H

#include "rt/format.h"

/* Call this in plugin_init if the argument train is given. */
void train_register(const char *plugin);

/* Writes the tables of functions at the end of the unit (emit.h). train_any returns
   true if there are any. */
bool train_any(void);
void train_emit(const char *unit);

/* Writes the tables of the variables of train-values.cc, and of the functions that may
   be called by a pointer, at the end of the unit. train_values_any returns true if
   there are any. */
bool train_values_any(void);
void train_values_emit(const char *unit);

/* The rest is for the files of this module only. */

/* An arc of GCC's flow graph. Blocks have GCC's numbers: 0 is the entry, 1 the exit. */
struct train_arc {
    unsigned from, to;
    bool counted;
    /* The arc represents calls that do not return. Its count is negative if a call
       returns more than once, like setjmp. */
    bool below;
};

/* A position as gcc -fauto-profile counts it (GCC: auto-profile.cc, get_inline_stack,
   afdo_set_bb_count). OFFSET is the distance in lines from the declaration of the
   function. BODY is 0 for the current function, otherwise the number of an inlined
   body, from 1. */
struct train_position {
    unsigned body, offset, discriminator;
};

#define TRAIN_NOWHERE UINT_MAX /* value of BODY if the position is unknown */

/* A body that was inlined for the call at the position CALL. */
struct train_inlined {
    struct train_position call;
    tree function;
};

/* The positions of the blocks of the current function, and of calls. */
struct train_positions {
    auto_vec<struct train_inlined> inlined; /* outer bodies before inner ones */
    auto_vec<struct train_position> list; /* of all blocks, in the order of the blocks */
    auto_vec<unsigned> ends;              /* end of each block's positions in LIST */
    auto_vec<struct train_position> calls;
};

/* An operand whose frequent values GCC counts, and its block. */
struct train_list {
    enum ccprof_list kind;
    unsigned block;
    gimple *statement;
    tree operand;
};

/* The contents of a .gcda file for the current function, except the values of the
   counters (GCC: coverage.cc). */
struct train_function {
    unsigned ident, lineno, checksum; /* CHECKSUM is the checksum of the flow graph */
    unsigned blocks;                  /* number of blocks of the graph */
    unsigned counters;                /* of arcs */
    auto_vec<struct train_arc> arcs;
    auto_vec<gimple *> indirect; /* calls by a pointer */
    auto_vec<struct train_list> lists;
    struct train_positions positions;
};

/* Makes the flow graph of the current function that GCC profiles (GCC: profile.cc,
   branch_prob, find_spanning_tree) and returns its checksum. Appends the arcs with
   counters to COUNTED, in the order of the counters, and all arcs to ARCS, in the
   order of their source blocks. Afterwards the function has its own graph again,
   except for edges that were split as GCC splits them. */
unsigned train_graph_make(vec<edge> *counted, vec<struct train_arc> *arcs);

/* Fills FOUND with the positions of the current function's blocks and of CALLS. GCC
   looks for counts after early inlining, when the graph is the same as here. */
void train_positions_find(struct train_positions *found, const vec<gimple *> &calls);

/* Puts the values of the current function that a .gcda file contains into FUNCTION:
   targets of indirect calls, divisors and sizes (GCC: value-prof.cc,
   gimple_find_values_to_profile). The values must be complete. If GCC finds some kinds
   of values but not all that it looks for, it mistakes one list for another
   (profile.cc, compute_value_histograms) or reports a corrupted profile
   (value-prof.cc, check_counter). */
void train_values_find(struct train_function *function);

/* Marks the statements whose values are counted, and the function's first execution
   (GCC: tree-profile.cc, gimple_gen_time_profiler). Each mark has a variable. The code
   for an operand is the code for the targets of calls (targets.h), as if the operand's
   value were called. The code for the first execution stores to the variable as if the
   variable were a counter. FLOW is the function's number from train_keep. */
void train_values_mark(uint64_t flow, const struct train_function *function);

/* Keeps the function for the table. Returns its number, which marks contain as their
   flow graph (counter.h). */
uint64_t train_keep(const struct train_function *function);

/* GCC calls this when LTO streaming is finished. train_take collects the functions
   that train_keep has kept. */
void train_take(void *, void *);

#endif
