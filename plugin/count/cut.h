/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cut: where the basic blocks of the current function are cut into the blocks of its
   flow, how these are numbered, and what of GCC's edges matters for that.  */

#ifndef CCPROF_CUT_H
#define CCPROF_CUT_H

/* What becomes of a basic block: one block of the flow for each piece that ends with
   something that may not come back, and one before them for its labels if LABELS.  */
struct cut_pieces {
    unsigned first, last; /* numbers */
    bool labels;
    bool ends_early; /* the last piece may not come back */
};

/* Numbers all pieces and gotos from FIRST on; what is asked below of them holds until
   cut_free.  */
void cut_make(unsigned first);
void cut_free(void);

const struct cut_pieces *cut_pieces_of(basic_block bb);

/* Of the block for a goto that stands on the edge; 0: there is none.  */
unsigned cut_goto_number(edge e);

/* Calls one of both for each block and each goto, in the order of their numbers.  */
void cut_each(void (*block)(basic_block), void (*on_goto)(edge));

/* Whether the edge, or the goto on it, leads to what stands next.  */
bool cut_leads_on(edge e);

/* The rest can be asked at any time.  */

bool cut_may_not_come_back(gimple *statement);

/* Whether a statement that may not come back is taken to do so; in tailcall_find's time.
 */
bool cut_comes_back(gimple *statement);

bool cut_is_abnormal(edge e);

/* Whether the flow has fake edges for it, from the entry and to the exit.  */
bool cut_is_replaced(edge e);

/* But for edges from the entry, and to the exit.  */
bool cut_is_entered_abnormally(basic_block bb);
bool cut_is_left_abnormally(basic_block bb);

bool cut_leads_to_exit(basic_block bb);
bool cut_has_entry_edge(basic_block bb);

#endif
