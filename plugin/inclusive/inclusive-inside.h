/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of plugin/inclusive share, in the order in which a function goes through
   them; inclusive.h has the overview.  Functions that take TO append statements to it. */

#ifndef CCPROF_INCLUSIVE_INSIDE_H
#define CCPROF_INCLUSIVE_INSIDE_H

#include "rt/format.h"

/* inclusive-pairs.cc: pairs, and local stacks as lists of pairs.

   A *pair* is the depth and the inclusive count of a source of the unit, in writable
   memory (struct ccprof_pair).  A pair is numbered when its source is first needed. Lists
   of pairs for the stub are in read-only memory.  inclusive_emit (inclusive.h) writes all
   of this at the end of the unit.  */

/* The thread's struct ccprof_stack_word (threadword.h).  */
#define INCLUSIVE_WORD "ccprof_stack_word"

/* In plugin_init.  */
void inclusive_pairs_register(const char *plugin);

/* Returns the number of the source's pair in the unit, from 0; -1 if the source is
   excluded.  */
int inclusive_pair(tree function);
unsigned inclusive_pairs_count(void); /* so far */

/* Returns the variable that holds the unit's pairs.  */
tree inclusive_pairs(void);

/* A local stack: its innermost source and the list of the sources around it, each source
   once.  The lists of a function are a tree, and equal lists are one list.  NULL is the
   empty list.  */
struct inclusive_list {
    struct inclusive_list *around, *inner,
        *next; /* first of the lists it is around; sibling */
    unsigned pair;
    unsigned depth; /* at least 1 */
    bool once;      /* the innermost source is never twice on a stack: no recursion */
};

/* Returns the list of the scope (scopes.h); NULL_TREE is the function's own scope.  */
struct inclusive_list *inclusive_list_of(tree scope);

/* Returns the list AROUND with the source of FUNCTION inside of it.  Returns AROUND if
   the source is excluded, or if AROUND has it already and there is no trace.  */
struct inclusive_list *inclusive_list_within(struct inclusive_list *around,
                                             tree function);

/* Returns the longest list that both start with.  */
struct inclusive_list *inclusive_list_common(struct inclusive_list *a,
                                             struct inclusive_list *b);

static inline unsigned inclusive_list_depth(const struct inclusive_list *list)
{
    return list ? list->depth : 0;
}

/* A list longer than any other: unknown, or without a restriction.  */
extern struct inclusive_list inclusive_list_any;

/* Frees the lists at the end of a function.  */
void inclusive_lists_end(void);

/* Returns the address of a list in read-only memory: the number of pairs, and each of the
   pairs of LIST that AROUND lacks.  */
tree inclusive_pairs_list(const struct inclusive_list *list,
                          const struct inclusive_list *around);

/* Returns the offset of the list of a step (inclusive_step.h): its words, of which the
   second one is COUNTER unless that is null.  */
unsigned inclusive_pairs_words(const vec<unsigned> &words, const char *counter);

/* Makes the tables say that the counter of the row (storage.h) also counts calls of the
   source, or that it adds to the inclusive count of the pair's source.  */
void inclusive_pairs_calls(unsigned row, unsigned counter, tree function);
void inclusive_pairs_inclusive(unsigned row, unsigned counter, unsigned pair);

/* inclusive-add.cc: the statements that add to inclusive counts.  Such a statement is the
   store of a counter of calls (counter.h), or one that inclusive_add (inclusive.h) has
   appended.  */

/* Returns the counter of calls that the statement stores to, or NULL_TREE.  */
tree inclusive_stored_counter(const gimple *stmt);

/* Whether inclusive_add has appended the statement.  */
bool inclusive_is_amount(const gimple *stmt);

/* Removes a statement from the function.  */
void inclusive_remove(gimple *stmt);

/* What the store STATEMENT adds in a local stack.  */
struct inclusive_addition {
    gimple *statement;
    tree counter; /* that the statement stores to, or NULL_TREE */
    struct inclusive_list *list;
    bool is_number;
    unsigned HOST_WIDE_INT number; /* if the amount is a constant */
    bool fits; /* one counter that is added to once can replace several of these: the
                  statement adds to nothing else */
};

struct inclusive_addition inclusive_addition_of(gimple *statement,
                                                struct inclusive_list *list);

/* inclusive-plan.cc: what is entered at each point of the function.

   inclusive_find_points finds, once, what the statements require.  inclusive_plan then
   decides what is entered where each block starts and ends, given what is entered where
   the function begins.  What a block ends with follows from its start and its points. Any
   choice for the start is right, since code on the edges makes up for differences.  Only
   where code cannot be inserted on an edge, a block starts with what all predecessors
   have in common.  */

/* What a statement requires of what the function has entered there.  */
enum inclusive_point_kind {
    INCLUSIVE_ADD,     /* no more than the list; then something is added */
    INCLUSIVE_EXACT,   /* the list */
    INCLUSIVE_BEHIND,  /* behind a call: the list, after what the call left is cut off */
    INCLUSIVE_NO_MORE, /* no more than the list */
    INCLUSIVE_CALLED,  /* no more than the list; then FUNCTION is entered */
};

struct inclusive_point {
    enum inclusive_point_kind kind;
    gimple *statement; /* of BEHIND: the call */
    struct inclusive_list *list;
    tree function; /* of CALLED */
};

/* A basic block: its points, in order; how control may arrive other than by edges with
   code, so that what was entered must be cut back; and the results of inclusive_plan.  */
struct inclusive_block {
    auto_vec<inclusive_point> points;
    bool lands;     /* by an exception */
    bool receives;  /* by a longjmp or a non-local goto: nothing is entered */
    bool cuts;      /* what was entered must be cut back */
    bool is_target; /* of a jump to an address */
    struct inclusive_list *start, *end;
};

/* Returns the blocks by number of the basic block; free them with delete[].  The first
   block of the function is then empty, and a call that ends a block is followed by a
   block of its own.

   For a trace (the argument `trace') functions are only entered by CALLED, at the
   counters of calls, so that the trace has as many calls as are counted.  */
struct inclusive_block *inclusive_find_points(void);

/* Sets start and end of the BLOCKS, if ENTERED is entered where the function begins.  */
void inclusive_plan(struct inclusive_block *blocks, struct inclusive_list *entered);

/* inclusive-actions.cc: the list of actions that carry out a plan.  Nothing is inserted
   yet: the pass compares lists by their cost.  */

enum inclusive_action_kind {
    INCLUSIVE_MOVE,  /* before STATEMENT: leave and enter, to get from FROM to TO */
    INCLUSIVE_LEAVE, /* the same behind the call STATEMENT; cut off what it left, too */
    INCLUSIVE_CHECK, /* cut off what the call STATEMENT may have left */
    INCLUSIVE_LAND,  /* where BB starts, cut back to TO */
    INCLUSIVE_SUM,   /* additions, before the last of them; FROM is entered */
    INCLUSIVE_STEP, /* several of these in one: cut back to FROM if CUTS, leave what LEAST
                   lacks, add, enter TO; before STATEMENT, or behind it if IS_BEHIND, or
                   where BB starts */
};

struct inclusive_action {
    enum inclusive_action_kind kind;
    gimple *statement;
    basic_block bb;
    struct inclusive_list *from, *to;
    unsigned first, count; /* additions */
    int counter;           /* that counts the sum, -1: none */
    struct inclusive_list *least;
    bool cuts, is_behind;
};

/* The actions of a function, those of a basic block in a row, and the moves on its edges.
   An action starts with what the previous one in the block has left entered.  Each
   addition belongs to one sum or step.  */
struct inclusive_actions {
    auto_vec<inclusive_action> actions;
    auto_vec<inclusive_addition> additions;
    auto_vec<std::pair<edge, inclusive_action>> edges;
    unsigned counters;
};

/* Finds the actions for the BLOCKS as inclusive_plan has left them.  The additions of a
   block between two points at which other code may look at counts are one sum.  */
void inclusive_find_actions(struct inclusive_actions *actions,
                            const struct inclusive_block *blocks);

/* Joins actions to steps: all actions between two such points are one step.  */
void inclusive_join_actions(struct inclusive_actions *actions);

/* Whether anything is entered or left, and not only added.  */
bool inclusive_actions_enter(const struct inclusive_actions *actions);

/* inclusive-code.cc: statements that read and write a thread's words, and calls of the
   stub (rt/attach.c).  */

/* In plugin_init.  */
void inclusive_code_register(const char *plugin);

/* The type of counts: 64 bits, unsigned; a constant of it.  */
static inline tree inclusive_number_type(void)
{
    return long_long_unsigned_type_node;
}
tree inclusive_number(HOST_WIDE_INT value);

/* Returns a reference to memory of TYPE, OFFSET bytes behind POINTER.  */
tree inclusive_memory(tree type, tree pointer, unsigned offset);
tree inclusive_load(gimple_seq *to, tree type, tree reference);
void inclusive_store(gimple_seq *to, tree reference, tree value);

/* Adds to, or subtracts from, a number in memory.  */
void inclusive_change(gimple_seq *to, tree pointer, unsigned offset, enum tree_code code,
                      tree amount);

/* Returns all ones if the depth is 0, otherwise 0.  */
tree inclusive_if_first(gimple_seq *to, tree depth);

#define INCLUSIVE_THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

/* What the statements of inclusive_add store to, until they are replaced.  */
tree inclusive_amount_place(void);

/* What a function loads where it begins.  */
struct inclusive_frame {
    tree thread; /* its struct ccprof_stack_thread */
    tree own;    /* the thread's copy of the unit's pairs; in steps NULL_TREE */
    tree top;    /* NULL_TREE in a function that enters nothing */
};

/* Inserts the loads of a frame where the function begins; if ENTERS, makes room on the
   stack.  IN_STEPS: only sums are in line, all other actions are steps
   (inclusive_step.h).  */
void inclusive_make_frame(struct inclusive_frame *frame, bool enters, bool in_steps);

/* Returns the top of the function's stack when DEPTH sources are entered.  */
tree inclusive_top_at(gimple_seq *to, const struct inclusive_frame *frame,
                      unsigned depth);

/* Calls of the stub.  LIST is the address of an inclusive_pairs_list.  */
gcall *inclusive_call_cut(const struct inclusive_frame *frame, tree top);
gcall *inclusive_call_enter(const struct inclusive_frame *frame, tree list);
gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top);

/* With a trace: appends a call that tells the program what was entered or left.  */
void inclusive_append_tell(gimple_seq *to, const struct inclusive_frame *frame);

/* inclusive-add.cc again: sums, which replace additions.  The calls that a basic block
   counts become one counter of the block, and the tables say whose calls they were.  A
   source that is never twice on a stack needs no other code.  */

/* A sum, and its shares: what must be added to pairs that are not entered.  */
struct inclusive_sum {
    unsigned HOST_WIDE_INT number; /* the constant part */
    tree amount;                   /* the rest */
    auto_vec<std::pair<const struct inclusive_list *, unsigned HOST_WIDE_INT>> shares;
};

/* Returns the number of shares that the sum of the action's additions would have.  */
unsigned inclusive_count_shares(const struct inclusive_action *action,
                                const vec<inclusive_addition> &additions);

/* Finds the sum of the action's additions, and keeps for the tables what the action's
   counter counts.  */
void inclusive_find_sum(struct inclusive_sum *sum, gimple_seq *to,
                        const struct inclusive_action *action,
                        const vec<inclusive_addition> &additions, unsigned row);

/* Appends the code of a sum that is in line.  ROW is of storage.h.  */
void inclusive_append_sum(gimple_seq *to, const struct inclusive_sum *sum,
                          const struct inclusive_action *action,
                          const struct inclusive_frame *frame, unsigned row);

/* Removes the statements of the additions that a sum replaces.  */
void inclusive_replace_additions(const struct inclusive_action *action,
                                 const vec<inclusive_addition> &additions);

/* inclusive-insert.cc: inserts the code of a list of actions into the current function,
   MLton's enter, add and leave.  IN_STEPS joins the actions to steps first.  A block is
   only split after all actions, which refer to statements and blocks.  */
void inclusive_insert(struct inclusive_actions *actions, bool in_steps);

#endif
