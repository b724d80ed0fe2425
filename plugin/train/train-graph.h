/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train-graph: makes of the current function the flow graph that GCC's own profile is of,
   and finds the arcs that have counters in a .gcda file, for train.cc.

   Source: GCC's profile.cc (branch_prob, find_spanning_tree): the second build, with
   -fprofile-use, makes the same graph at the same place, and takes a profile only if its
   checksum and the number of counters are the same.  So every step here is GCC's, in
   GCC's order.  */

#ifndef CCPROF_TRAIN_GRAPH_H
#define CCPROF_TRAIN_GRAPH_H

/* An arc.  Blocks have GCC's numbers: 0 is the entry, 1 the exit.  */
struct train_arc {
    unsigned from, to;
    bool counted;
    /* It stands for calls that do not return, and comes out less than 0 of one that
       returns more than once, as setjmp does.  */
    bool below;
};

/* Splits edges of the current function as GCC does, appends to COUNTED the arcs with
   counters in the order of these, and to ARCS all, in the order of the blocks they come
   from; gives the checksum of the graph.  The graph is the function's own again
   afterwards, but for what was split.  */
unsigned train_graph_make(vec<edge> *counted, vec<struct train_arc> *arcs);

#endif
