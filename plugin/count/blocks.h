/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks: facts about the basic blocks of the current function, for the flow graphs of
   the plugin (count.h, condense.h, plugin/train): how each basic block is split into
   blocks of a flow graph, and, as long as GCC has no profile, an estimate of how often
   each block is executed.

   A block of a flow graph ends after each statement that may not return. So the
   statements of a block are executed either all or not at all. */

#ifndef CCPROF_BLOCKS_H
#define CCPROF_BLOCKS_H

/* The blocks of the flow graph into which a basic block is split: one for each
   statement that may not return, one for the rest, and, if LABELS is set, one before
   them for the labels. */
struct split_blocks {
    unsigned first, last; /* numbers */
    bool labels;
    bool
        ends_early; /* control may leave the last block without taking one of its edges */
};

/* Splits all blocks of the current function and numbers the resulting blocks and the
   gotos, starting with FIRST. The functions from split_blocks_of to
   split_blocks_leads_on may be called until split_blocks_free. */
void split_blocks_make(unsigned first);
void split_blocks_free(void);

const struct split_blocks *split_blocks_of(basic_block bb);

/* Returns the number of the block for a goto on the edge, or 0 if the edge has no
   goto. */
unsigned split_blocks_goto_number(edge e);

/* Calls BLOCK for each block and ON_GOTO for each goto, in the order of their numbers. */
void split_blocks_each(void (*block)(basic_block), void (*on_goto)(edge));

/* Returns true if the edge, or the goto on the edge, leads to the next block in the
   order of split_blocks_each. */
bool split_blocks_leads_on(edge e);

/* The functions below may be called at any time. */

/* Returns true if STATEMENT may be executed without the code after it, for example
   because it throws or ends the program. */
bool split_blocks_may_not_return(gimple *statement);

/* Returns true if a statement that may not return is assumed to return. May be called
   between tailcall_find and tailcall_forget. */
bool split_blocks_returns(gimple *statement);

bool split_blocks_is_abnormal(edge e);

/* Returns true if the flow graph has two fake edges instead of this edge: one from the
   entry to the edge's destination, and one from the edge's source to the exit. */
bool split_blocks_is_replaced(edge e);

/* Return true if an abnormal edge leads to the block (entered) or from the block
   (left). Edges from the entry and edges to the exit do not count. */
bool split_blocks_is_entered_abnormally(basic_block bb);
bool split_blocks_is_left_abnormally(basic_block bb);

/* Returns true if the statement must stay the first statement of its block. */
bool split_blocks_is_receiver(const gimple *statement);

bool split_blocks_leads_to_exit(basic_block bb);
bool split_blocks_has_entry_edge(basic_block bb);

/* An estimate of how often each block is executed. It is based on loops and on edges
   that GCC knows to be rarely taken. Both arrays are indexed by the block's index. */
struct estimate {
    double *frequencies; /* executions of the block per call of the function */
    double *weights;     /* total weight of the block's outgoing edges; internal */
};

struct estimate estimate_make(void);
void estimate_free(const struct estimate *estimate);

/* Returns the fraction of the executions of the edge's source block that take the
   edge. */
double estimate_share(const struct estimate *estimate, edge e);

/* How often blocks and edges are executed per call of the current function. */
struct frequencies {
    bool known; /* use GCC's profile; otherwise use ESTIMATE */
    struct estimate estimate;
};

/* Free the result with frequencies_free. */
struct frequencies frequencies_make(void);
void frequencies_free(const struct frequencies *frequencies);
double frequencies_of_block(const struct frequencies *frequencies, basic_block bb);
double frequencies_of_edge(const struct frequencies *frequencies, edge e);

#endif
