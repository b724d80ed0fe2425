/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files of plugin/inclusive share, in the order in which a
   function passes through these files. inclusive.h has the overview. Functions with a
   parameter TO append statements to it. */

#ifndef CCPROF_INCLUSIVE_INSIDE_H
#define CCPROF_INCLUSIVE_INSIDE_H

#include "rt/format.h"

/* inclusive-pairs.cc: pairs, and local stacks as lists of pairs.

   A *pair* is the depth and the inclusive count of a source of the unit, in writable
   memory (struct ccprof_pair). A pair gets its number when its source is first needed.
   Lists of pairs for the stub are in read-only memory. inclusive_emit (inclusive.h)
   writes all of this at the end of the unit. */

/* The name of the thread's struct ccprof_stack_word (threadword.h). */
#define INCLUSIVE_WORD "ccprof_stack_word"

/* Call this in plugin_init. */
void inclusive_pairs_register(const char *plugin);

/* Returns the number of the source's pair in the unit, from 0, or -1 if the source is
   excluded. */
int inclusive_pair(tree function);
unsigned inclusive_pairs_count(void); /* so far */

/* Returns the variable that contains the unit's pairs. */
tree inclusive_pairs(void);

/* A local stack: its innermost source, and the list OUTER of the sources around it.
   Each source occurs once. The lists of a function form a tree, and equal lists are
   the same object. NULL is the empty list. */
struct inclusive_list {
    struct inclusive_list *outer, *inner,
        *next; /* outer list; first inner list; next sibling */
    unsigned pair;
    unsigned depth; /* at least 1 */
    bool once;      /* no recursion: the innermost source is never twice on a stack */
};

/* Returns the list of the scope (scopes.h). NULL_TREE is the function's own scope. */
struct inclusive_list *inclusive_list_of(tree scope);

/* Returns the list OUTER, extended by the source of FUNCTION. Returns OUTER itself
   if the source is excluded, or if OUTER contains the source and there is no trace. */
struct inclusive_list *inclusive_list_within(struct inclusive_list *outer, tree function);

/* Returns the longest common start of the two lists. */
struct inclusive_list *inclusive_list_common(struct inclusive_list *a,
                                             struct inclusive_list *b);

static inline unsigned inclusive_list_depth(const struct inclusive_list *list)
{
    return list ? list->depth : 0;
}

/* A list that is longer than any other list. This list means unknown, or unrestricted. */
extern struct inclusive_list inclusive_list_any;

/* Frees the lists of the current function. Call this when the function is finished. */
void inclusive_lists_end(void);

/* Returns the address of a list in read-only memory. It contains the number of pairs,
   then each pair of LIST that is not in OUTER. */
tree inclusive_pairs_list(const struct inclusive_list *list,
                          const struct inclusive_list *outer);

/* Returns the offset of the list of a step (inclusive_step.h) with these words. If
   COUNTER is not NULL, it is the second word of the list. */
unsigned inclusive_pairs_words(const vec<unsigned> &words, const char *counter);

/* Make the tables state that COUNTER of ROW (storage.h) also counts calls of the
   source FUNCTION, or that COUNTER is also added to the inclusive count of the source
   of PAIR. */
void inclusive_pairs_calls(unsigned row, unsigned counter, tree function);
void inclusive_pairs_inclusive(unsigned row, unsigned counter, unsigned pair);

/* inclusive-code.cc, additions: a statement that adds to inclusive counts is the store to
   a counter of calls (counter.h), or inclusive_add (inclusive.h) has appended it. */

/* Returns the counter of calls to which the statement stores, or NULL_TREE. */
tree inclusive_stored_counter(const gimple *stmt);

/* Returns true if inclusive_add appended the statement. */
bool inclusive_is_amount(const gimple *stmt);

/* Removes a statement from the current function. */
void inclusive_remove(gimple *stmt);

/* An addition: the amount that the store STATEMENT adds, and the local stack LIST to
   which it is added. */
struct inclusive_addition {
    gimple *statement;
    tree counter; /* destination of the store, or NULL_TREE */
    struct inclusive_list *list;
    bool is_number;
    unsigned HOST_WIDE_INT number; /* the amount if it is constant */
    bool fits; /* the statement adds to nothing else, so one counter can replace several
                  such additions */
};

struct inclusive_addition inclusive_addition_of(gimple *statement,
                                                struct inclusive_list *list);

/* inclusive-plan.cc: the sources that are entered at each point of the function.

   inclusive_find_points finds, once, the requirements of the statements.
   inclusive_plan then decides which sources are entered at the start and the end of
   each block, given the sources that are entered at the start of the function. The
   list at the end of a block follows from the list at its start and from its points.
   Any choice for the start is correct, because code on the edges makes up for
   differences. If code cannot be inserted on an edge to a block, the block must start
   with the common part of the lists of all predecessors. */

/* What a statement requires of the sources that are entered at this point. */
enum inclusive_point_kind {
    INCLUSIVE_ADD,     /* at most the list; then something is added */
    INCLUSIVE_EXACT,   /* exactly the list */
    INCLUSIVE_BEHIND,  /* after a call: the list, after entries of the call are cut off */
    INCLUSIVE_NO_MORE, /* at most the list */
    INCLUSIVE_CALLED,  /* at most the list; then FUNCTION is entered */
};

struct inclusive_point {
    enum inclusive_point_kind kind;
    gimple *statement; /* for BEHIND: the call */
    struct inclusive_list *list;
    tree function; /* for CALLED */
};

/* A basic block: its points, in order; the ways in which control may arrive without
   passing code on an edge, so that entries must be cut back; and the results of
   inclusive_plan. */
struct inclusive_block {
    auto_vec<inclusive_point> points;
    bool lands;     /* control may arrive by an exception */
    bool receives;  /* control may arrive by longjmp or non-local goto */
    bool cuts;      /* entries must be cut back at the start */
    bool is_target; /* target of a jump to an address */
    struct inclusive_list *start, *end;
};

/* Returns the blocks, indexed by the basic block. Free them with delete[]. Afterwards
   the first block of the function is empty, and a call that ends a block is followed
   by a new block.

   For a trace (the argument `trace') functions are only entered by CALLED, at the
   counters of calls. So the trace contains as many calls as are counted. */
struct inclusive_block *inclusive_find_points(void);

/* Sets START and END of all BLOCKS. ENTERED is the list that is entered at the start
   of the function. */
void inclusive_plan(struct inclusive_block *blocks, struct inclusive_list *entered);

/* inclusive-actions.cc: the list of actions that carry out a plan. Nothing is inserted
   yet, because the pass compares lists by their cost. */

enum inclusive_action_kind {
    INCLUSIVE_MOVE,  /* before STATEMENT: leave and enter sources, FROM to TO */
    INCLUSIVE_LEAVE, /* the same after the call STATEMENT; first cut off entries of the
                        call */
    INCLUSIVE_CHECK, /* cut off entries that the call STATEMENT may have left */
    INCLUSIVE_LAND,  /* at the start of BB: cut back to TO */
    INCLUSIVE_SUM,   /* before the last of several additions: add them; FROM is entered */
    INCLUSIVE_STEP,  /* several actions together: if CUTS, cut back to FROM; leave the
                        sources that are not in LEAST; add; enter TO. Before STATEMENT,
                        after it if IS_BEHIND, or at the start of BB */
};

struct inclusive_action {
    enum inclusive_action_kind kind;
    gimple *statement;
    basic_block bb;
    struct inclusive_list *from, *to;
    unsigned first, count; /* additions */
    int counter;           /* number of the counter for the sum, or -1 */
    struct inclusive_list *least;
    bool cuts, is_behind;
};

/* The actions of a function, grouped by basic block, and the moves on edges. An action
   starts with the sources that are entered after the previous action of the block.
   Each addition belongs to one sum or step. */
struct inclusive_actions {
    auto_vec<inclusive_action> actions;
    auto_vec<inclusive_addition> additions;
    auto_vec<std::pair<edge, inclusive_action>> edges;
    unsigned counters;
};

/* Finds the actions for BLOCKS after inclusive_plan. Other code may read counts at
   some points of a block. All additions between two such points form one sum. */
void inclusive_find_actions(struct inclusive_actions *actions,
                            const struct inclusive_block *blocks);

/* Joins actions to steps. Other code may read counts at some points of a block. All
   actions between two such points form one step. */
void inclusive_join_actions(struct inclusive_actions *actions);

/* Returns true if sources are entered or left, and false if there are only additions. */
bool inclusive_actions_enter(const struct inclusive_actions *actions);

/* inclusive-code.cc: statements that read and write a thread's words, and calls of the
   stub (rt/attach.c). */

/* Call this in plugin_init. */
void inclusive_code_register(const char *plugin);

/* The type of counts, an unsigned 64-bit number, and a constant of this type. */
static inline tree inclusive_number_type(void)
{
    return long_long_unsigned_type_node;
}
tree inclusive_number(HOST_WIDE_INT value);

/* inclusive_memory returns a reference to memory of TYPE, OFFSET bytes after POINTER. */
tree inclusive_memory(tree type, tree pointer, unsigned offset);
tree inclusive_load(gimple_seq *to, tree type, tree reference);
void inclusive_store(gimple_seq *to, tree reference, tree value);

/* Adds AMOUNT to a number in memory, or subtracts it, according to CODE. */
void inclusive_change(gimple_seq *to, tree pointer, unsigned offset, enum tree_code code,
                      tree amount);

/* Returns all ones if DEPTH is 0, otherwise 0. */
tree inclusive_if_first(gimple_seq *to, tree depth);

#define INCLUSIVE_THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

/* The values that a function loads at its start. */
struct inclusive_frame {
    tree thread; /* the thread's struct ccprof_stack_thread */
    tree pairs;  /* the thread's copy of the unit's pairs; NULL_TREE with steps */
    tree top;    /* top of the stack; NULL_TREE if nothing is entered */
};

/* Inserts the loads of a frame at the start of the function. If ENTERS, also makes
   room on the stack. If IN_STEPS, only sums are in line, and all other actions are
   steps (inclusive_step.h). */
void inclusive_make_frame(struct inclusive_frame *frame, bool enters, bool in_steps);

/* Returns the top of the stack when the function has entered DEPTH sources. */
tree inclusive_top_at(gimple_seq *to, const struct inclusive_frame *frame,
                      unsigned depth);

/* Make calls of the stub. LIST is an address from inclusive_pairs_list. */
gcall *inclusive_call_cut(const struct inclusive_frame *frame, tree top);
gcall *inclusive_call_enter(const struct inclusive_frame *frame, tree list);
gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top);

/* If there is a trace: appends a call that reports to the program which source was
   entered or left. */
void inclusive_append_report(gimple_seq *to, const struct inclusive_frame *frame);

/* inclusive-code.cc, sums: they replace additions. One counter of a basic block
   replaces the counters of all calls that the block counts, and the tables list the
   functions that it counts. A source that is never twice on a stack needs no further
   code. */

/* A sum and its shares. A share is the amount that must be added to a pair that is not
   entered. */
struct inclusive_sum {
    unsigned HOST_WIDE_INT number; /* the constant part */
    tree amount;                   /* the variable part, or NULL_TREE */
    auto_vec<std::pair<const struct inclusive_list *, unsigned HOST_WIDE_INT>> shares;
};

/* Returns the number of shares in the sum of the action's additions. */
unsigned inclusive_count_shares(const struct inclusive_action *action,
                                const vec<inclusive_addition> &additions);

/* Finds the sum of the action's additions, and records for the tables which additions
   the action's counter counts. */
void inclusive_find_sum(struct inclusive_sum *sum, gimple_seq *to,
                        const struct inclusive_action *action,
                        const vec<inclusive_addition> &additions, unsigned row);

/* Appends the code of a sum that is in line. ROW is a row of storage.h. */
void inclusive_append_sum(gimple_seq *to, const struct inclusive_sum *sum,
                          const struct inclusive_action *action,
                          const struct inclusive_frame *frame, unsigned row);

/* Removes the statements of the additions that a sum replaces. */
void inclusive_replace_additions(const struct inclusive_action *action,
                                 const vec<inclusive_addition> &additions);

/* inclusive-insert.cc: inserts the code of a list of actions into the current
   function: MLton's enter, add and leave. If IN_STEPS, the actions are joined to steps
   first. Blocks are split only after all actions are inserted, because actions refer
   to statements and blocks. */
void inclusive_insert(struct inclusive_actions *actions, bool in_steps);

#endif
