/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split_blocks: splits the basic blocks of the current function into the blocks of its
   flow graph and numbers these, for edges.cc.  A block of the flow graph ends behind each
   statement that may not return, so that it is executed as a whole or not at all.  */

#ifndef CCPROF_SPLIT_BLOCKS_H
#define CCPROF_SPLIT_BLOCKS_H

/* The blocks of the flow graph that a basic block becomes: one for each statement that
   may not return, one for what is behind the last of these, and one before them for its
   labels if LABELS.  */
struct split_blocks {
    unsigned first, last; /* numbers */
    bool labels;
    bool ends_early; /* the last one may not be left by its edges */
};

/* Numbers all blocks and gotos from FIRST on; what is asked below of them holds until
   split_blocks_free.  */
void split_blocks_make(unsigned first);
void split_blocks_free(void);

const struct split_blocks *split_blocks_of(basic_block bb);

/* The number of the block for a goto that stands on the edge; 0: there is none.  */
unsigned split_blocks_goto_number(edge e);

/* Calls one of both for each block and each goto, in the order of their numbers.  */
void split_blocks_each(void (*block)(basic_block), void (*on_goto)(edge));

/* Whether the edge, or the goto on it, leads to what stands next.  */
bool split_blocks_leads_on(edge e);

/* The rest can be asked at any time.  */

/* Whether control may never come to what is behind the statement.  */
bool split_blocks_may_not_return(gimple *statement);

/* Whether a statement that may not return is taken to do so; in tailcall_find's time.  */
bool split_blocks_returns(gimple *statement);

bool split_blocks_is_abnormal(edge e);

/* Whether the flow graph has fake edges in its place: from the entry to its destination,
   and from its source to the exit.  */
bool split_blocks_is_replaced(edge e);

/* Whether an abnormal edge leads to the block, but one from the entry; or from it, but
   one to the exit.  */
bool split_blocks_is_entered_abnormally(basic_block bb);
bool split_blocks_is_left_abnormally(basic_block bb);

/* Whether the statement must stay the first one of its block.  */
bool split_blocks_is_receiver(const gimple *statement);

bool split_blocks_leads_to_exit(basic_block bb);
bool split_blocks_has_entry_edge(basic_block bb);

#endif
