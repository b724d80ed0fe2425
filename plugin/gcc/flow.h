/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flow: forward data flow of the state, the innermost scope entered and not left,
   over the CFG of the current function.  Used by infer and by the checker.  */

#ifndef CCPROF_FLOW_H
#define CCPROF_FLOW_H

struct flow_state {
    /* Of the basic block; NULL_TREE: none, before Enter or after Leave.  */
    tree at_start, at_end;
    bool marked; /* the block has markers: at_end does not depend on at_start */
    bool reached;
    bool joined; /* edges met here with different states */
};

/* The states of all blocks by their index; the caller frees the array.  */
struct flow_state *flow_compute(void);

/* The state after STMT.  A marker says it whatever it was before; anything else
   leaves it as it is.  */
tree flow_after(const gimple *stmt, tree state);

#endif
