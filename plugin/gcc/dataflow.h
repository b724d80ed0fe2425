/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dataflow: finds for each basic block of the current function which scope is entered and
   not left at its start and its end, by forward data flow over the markers.  For infer,
   for the checker and for the passes that put code in front of infer.  */

#ifndef CCPROF_DATAFLOW_H
#define CCPROF_DATAFLOW_H

/* The state is the innermost scope that is entered and not left.  */
struct dataflow_state {
    /* The scope at the start and the end of the basic block; NULL_TREE: none, before
     * Enter or after Leave.  */
    tree at_start, at_end;
    bool marked; /* the block has markers: at_end does not depend on at_start */
    bool reached;
    bool joined; /* edges met here with different states */
};

/* The states of all blocks by their index; the caller frees the array.  */
struct dataflow_state *dataflow_compute(void);

/* The state after STMT.  A marker says it whatever it was before; anything else
   leaves it as it is.  */
tree dataflow_after(const gimple *stmt, tree state);

#endif
