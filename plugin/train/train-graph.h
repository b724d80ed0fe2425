/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train-graph: makes of the current function the flow graph that GCC's own profile is of,
   and finds the arcs that have counters in a .gcda file, for train.cc.

   Source: GCC's profile.cc (branch_prob, find_spanning_tree): the second build, with
   -fprofile-use, makes the same graph at the same place, and takes a profile only if its
   checksum and the number of counters are the same.  So every step here is GCC's, in
   GCC's order.  */

#ifndef CCPROF_TRAIN_GRAPH_H
#define CCPROF_TRAIN_GRAPH_H

/* Splits edges of the current function as GCC does, appends to COUNTED the arcs with
   counters in the order of these, and gives the checksum of the graph.  The graph is the
   function's own again afterwards, but for what was split.  */
unsigned train_graph_make(vec<edge> *counted);

#endif
