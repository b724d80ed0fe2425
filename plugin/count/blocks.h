/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks: what the flow graphs of the plugin (flow.h, condense.h, plugin/train) need to
   know of the basic blocks of the current function: into which blocks of a flow graph
   each is split, and, before GCC has a profile, an estimate of how often each is
   executed.

   A block of a flow graph ends behind each statement that may not return, so that it is
   executed as a whole or not at all.  */

#ifndef CCPROF_BLOCKS_H
#define CCPROF_BLOCKS_H

/* The blocks of the flow graph that a basic block becomes: one for each statement that
   may not return, one for the rest, and if LABELS one before them for its labels.  */
struct split_blocks {
    unsigned first, last; /* numbers */
    bool labels;
    bool ends_early; /* the last one may not be left by its edges */
};

/* Numbers all blocks and gotos from FIRST on.  The next five functions are valid until
   split_blocks_free.  */
void split_blocks_make(unsigned first);
void split_blocks_free(void);

const struct split_blocks *split_blocks_of(basic_block bb);

/* Returns the number of the block for a goto on the edge, or 0 if there is none.  */
unsigned split_blocks_goto_number(edge e);

/* Calls BLOCK for each block and ON_GOTO for each goto, in the order of their numbers. */
void split_blocks_each(void (*block)(basic_block), void (*on_goto)(edge));

/* Whether the edge, or the goto on it, leads to the next block of that order.  */
bool split_blocks_leads_on(edge e);

/* The functions below may be called at any time.  */

/* Whether control may never reach the code behind the statement.  */
bool split_blocks_may_not_return(gimple *statement);

/* During tailcall_find: whether a statement that may not return is assumed to return.  */
bool split_blocks_returns(gimple *statement);

bool split_blocks_is_abnormal(edge e);

/* Whether the flow graph has two fake edges in place of the edge: from the entry to its
   destination, and from its source to the exit.  */
bool split_blocks_is_replaced(edge e);

/* Whether an abnormal edge leads to the block, other than one from the entry; or from the
   block, other than one to the exit.  */
bool split_blocks_is_entered_abnormally(basic_block bb);
bool split_blocks_is_left_abnormally(basic_block bb);

/* Whether the statement must stay the first one of its block.  */
bool split_blocks_is_receiver(const gimple *statement);

bool split_blocks_leads_to_exit(basic_block bb);
bool split_blocks_has_entry_edge(basic_block bb);

/* How often each block is executed, by the block's index, as far as loops tell, and what
   GCC knows to be rare.  */
struct estimate {
    double *frequencies; /* 1 for the entry */
    double *weights;     /* of all edges out of it; internal */
};

struct estimate estimate_make(void);
void estimate_free(const struct estimate *estimate);

/* Returns the share of its block's executions that take the edge.  */
double estimate_share(const struct estimate *estimate, edge e);

#endif
