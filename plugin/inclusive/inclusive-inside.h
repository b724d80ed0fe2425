/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of inclusive.h share; nobody else includes it.  All but inclusive.cc and
   inclusive-pairs.cc add to the function that is being compiled.  */

#ifndef CCPROF_INCLUSIVE_INSIDE_H
#define CCPROF_INCLUSIVE_INSIDE_H

#include "rt/format.h"

/* Of what is counted, 64 bits without a sign.  */
static inline tree inclusive_number_type(void)
{
    return long_long_unsigned_type_node;
}

/* inclusive-lists.cc.  */

/* The sources of a local stack, each once: its innermost one, and the list of those
   around it.  Equal lists of a function are one; NULL is the empty one.  */
struct inclusive_list {
    struct inclusive_list *around, *inner,
        *next; /* first of the lists it is around; sibling */
    unsigned pair;
    unsigned depth; /* at least 1 */
    bool once;      /* the innermost source never stands twice on a stack */
};

/* That of the scope (scopes.h), NULL_TREE for the function's own; and the list with a
   source more, which may be excluded, or there already, and then is there twice in a
   trace alone.  Valid until inclusive_lists_end.  */
struct inclusive_list *inclusive_list_of(tree scope);
struct inclusive_list *inclusive_list_within(struct inclusive_list *around,
                                             tree function);
void inclusive_lists_end(void);

static inline unsigned inclusive_list_depth(const struct inclusive_list *list)
{
    return list ? list->depth : 0;
}

/* Stands for the longest list, longer than any other: where it is not known which.  */
extern struct inclusive_list inclusive_list_any;

/* The longest list that both start with.  */
struct inclusive_list *inclusive_list_common(struct inclusive_list *a,
                                             struct inclusive_list *b);

/* inclusive-points.cc.  */

/* What a statement wants of what the function has entered there.  */
enum inclusive_point_kind {
    INCLUSIVE_ADD,     /* no more than the list; then something is added */
    INCLUSIVE_EXACT,   /* the list */
    INCLUSIVE_BEHIND,  /* has the list, where what a call may have left is cut off */
    INCLUSIVE_NO_MORE, /* than the list */
    INCLUSIVE_CALLED,  /* no more than the list; then FUNCTION is entered, whatever there
                          is */
};

struct inclusive_point {
    enum inclusive_point_kind kind;
    gimple *statement; /* of BEHIND: the call */
    struct inclusive_list *list;
    tree function; /* of CALLED */
};

/* Those of a basic block, in order; where control comes in from elsewhere, so that what
   was entered must be cut back; and what inclusive_plan has found to be entered where the
   block starts and ends.  */
struct inclusive_block {
    auto_vec<inclusive_point> points;
    bool lands;     /* by an exception */
    bool receives;  /* by a longjmp or a non-local goto: nothing is entered */
    bool cuts;      /* and there it is to be cut back */
    bool is_target; /* of a jump to an address */
    struct inclusive_list *start, *end;
};

/* For a trace (the argument `trace') nothing is entered but by CALLED, at what counts the
   calls of each function, so that as many are told as are counted.

   By the numbers of basic blocks.  Behind calls that end a block there is one of their
   own from now on, and the first one is empty.  Freed by delete[].  */
struct inclusive_block *inclusive_find_points(void);

/* inclusive-plan.cc: sets start and end, if so much is entered as soon as the function
   begins.  */
void inclusive_plan(struct inclusive_block *blocks, struct inclusive_list *entered);

/* inclusive-actions.cc.  */

/* Something that is added: by the store STATEMENT, of the counter COUNTER, NULL_TREE if
   it is none.  */
struct inclusive_addition {
    gimple *statement;
    tree counter;
    struct inclusive_list *list;
};

enum inclusive_action_kind {
    INCLUSIVE_MOVE,  /* from what is entered to what shall be, before the statement */
    INCLUSIVE_LEAVE, /* the same behind the call STATEMENT, cut off what it has left, too
                      */
    INCLUSIVE_CHECK, /* cut off what the call STATEMENT may have left */
    INCLUSIVE_LAND,  /* where BB starts, cut back to TO */
    INCLUSIVE_SUM,   /* the additions, before the last of them; FROM is entered */
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

/* What is to be done in the function, and on its edges, in an order that may be kept.
   Those of a basic block follow each other.  */
struct inclusive_actions {
    auto_vec<inclusive_action> actions;
    auto_vec<inclusive_addition> additions;
    auto_vec<std::pair<edge, inclusive_action>> edges;
    unsigned counters;
};
void inclusive_find_actions(struct inclusive_actions *actions,
                            struct inclusive_block *blocks);

/* inclusive-choose.cc: whether the function is to be one of steps; how long the actions
   take, by how often GCC expects each block, in instructions of no known number of calls.
 */
bool inclusive_wants_steps(const struct inclusive_actions *actions);
double inclusive_expect_time(const struct inclusive_actions *actions);

/* inclusive-join.cc: makes steps of them: what nobody can look at in between is one.  */
void inclusive_join_actions(struct inclusive_actions *actions);

/* What a function has for all this, loaded where it begins.  In one of steps OWN is
   NULL_TREE, and THREAD is what sums need that are in line.  */
struct inclusive_frame {
    tree thread;
    tree own; /* the thread's copy of the unit's pairs */
    tree top; /* NULL_TREE in a function that enters nothing */
};

/* inclusive-code.cc.  Those that take TO append statements to it.  */

/* In plugin_init.  */
void inclusive_code_register(const char *plugin);

#define INCLUSIVE_THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

/* A constant of that type.  */
tree inclusive_number(HOST_WIDE_INT value);

/* What is of TYPE, OFFSET bytes behind POINTER.  */
tree inclusive_memory(tree type, tree pointer, unsigned offset);
tree inclusive_load(gimple_seq *to, tree type, tree reference);
void inclusive_store(gimple_seq *to, tree reference, tree value);

/* Adds to, or subtracts from, a number in memory.  */
void inclusive_change(gimple_seq *to, tree pointer, unsigned offset, enum tree_code code,
                      tree amount);

/* The thread's struct ccprof_stack_thread.  Only for functions with pairs.  */
tree inclusive_thread(gimple_seq *to);

/* How far the stack of the function is filled if DEPTH sources are entered.  */
tree inclusive_top_at(gimple_seq *to, const struct inclusive_frame *frame,
                      unsigned depth);

/* All ones if the depth is 0, otherwise 0.  */
tree inclusive_if_first(gimple_seq *to, tree depth);

/* What inclusive_add's statements store to, until they are replaced.  */
tree inclusive_amount_place(void);

/* Calls of the stub (rt/attach.c).  LIST is the address of a inclusive_pairs_list.  */
gcall *inclusive_call_cut(const struct inclusive_frame *frame, tree top);
gcall *inclusive_call_enter(const struct inclusive_frame *frame, tree list);
gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top);

/* With a trace: a call that has it told what was entered or left.  */
void inclusive_append_tell(gimple_seq *to, const struct inclusive_frame *frame);

/* Puts the loads of a frame where the function begins; with ENTERS makes room on the
   stack; the other for one of steps.  */
void inclusive_make_frame(struct inclusive_frame *frame, bool enters);
void inclusive_make_frame_of_steps(struct inclusive_frame *frame, bool enters);

/* inclusive-calls.cc.  */

/* Whether the call may come to what adds to inclusive counts, and is no tail call;
   whether it is one.  */
bool inclusive_wants_call(const gcall *call);
bool inclusive_is_tail(const gcall *call);

/* inclusive-reach.cc.  */

/* Whether a call of the function may come to what adds to inclusive counts, as far as
   inclusive_note_reach has seen.  */
bool inclusive_may_add(tree function);

/* inclusive-moves.cc.  */

/* Code for each kind of action, and statements for one on an edge.  IS_CALL: it is made
   by calling the stub, whatever it is.  */
void inclusive_do_move(const struct inclusive_action *action,
                       const struct inclusive_frame *frame, bool is_call);
gimple_seq inclusive_move_statements(const struct inclusive_action *action,
                                     const struct inclusive_frame *frame, bool is_call);
void inclusive_do_leave(const struct inclusive_action *action,
                        const struct inclusive_frame *frame, bool is_call);
void inclusive_do_check(const struct inclusive_action *action,
                        const struct inclusive_frame *frame);
void inclusive_do_land(const struct inclusive_action *action,
                       const struct inclusive_frame *frame);

/* Behind them all: branches at what CHECK and LEAVE found to be left.  */
void inclusive_branch_checks(const struct inclusive_frame *frame);

/* Behind a call, which has a block behind it if it ends its own.  */
void inclusive_insert_behind(gimple *call, gimple_seq statements);

/* inclusive-step.cc.  */

/* Code for a STEP, and for a move on an edge, by calls that change no register
   (inclusive_step.h).  ROW is of storage.h.  */
void inclusive_do_step(const struct inclusive_action *action,
                       const struct inclusive_actions *actions,
                       const struct inclusive_frame *frame, unsigned row);
gimple_seq inclusive_step_statements(const struct inclusive_action *move,
                                     const struct inclusive_frame *frame);

/* inclusive-add.cc.  */

/* The counter of calls that the statement stores to; NULL_TREE if to none.  Whether it is
   what inclusive_add has appended.  */
tree inclusive_stored_counter(const gimple *stmt);
bool inclusive_is_amount(const gimple *stmt);

/* The local stack of what counts a call of the source COUNTED in SCOPE, and what is
   around that source there.  */
struct inclusive_list *inclusive_list_of_counter(tree scope, tree counted);
struct inclusive_list *inclusive_list_around_counter(tree scope, tree counted);

/* Whether what an addition adds is a number; whether it adds to nothing else, so that a
   counter that is added to once for several of them can stand for it.  */
bool inclusive_is_constant(const struct inclusive_addition *addition);
unsigned HOST_WIDE_INT inclusive_constant(const struct inclusive_addition *addition);
bool inclusive_fits_counter(const struct inclusive_addition *addition);

/* A sum, and what of it is for the pairs that are not entered.  */
struct inclusive_sum {
    unsigned HOST_WIDE_INT number; /* what is added, as far as it is one */
    tree amount;                   /* what else */
    auto_vec<std::pair<const struct inclusive_list *, unsigned HOST_WIDE_INT>> shares;
};

/* How many shares that of the action would have.  */
unsigned inclusive_count_shares(const struct inclusive_action *action,
                                const vec<inclusive_addition> &additions);

/* Of the action's additions; the tables get to know what its counter counts.  TO gets
   statements that find the amount.  */
void inclusive_find_sum(struct inclusive_sum *sum, gimple_seq *to,
                        const struct inclusive_action *action,
                        const vec<inclusive_addition> &additions, unsigned row);

/* The additions that the sum stands for go.  */
void inclusive_replace_additions(const struct inclusive_action *action,
                                 const vec<inclusive_addition> &additions);

/* The sum in place of its additions.  ROW is of storage.h.  */
void inclusive_do_sum(const struct inclusive_action *action,
                      const vec<inclusive_addition> &additions,
                      const struct inclusive_frame *frame, unsigned row);

/* Of an action without shares, and without an amount that is no number.  */
void inclusive_append_sum(gimple_seq *to, const struct inclusive_sum *sum,
                          const struct inclusive_action *action,
                          const struct inclusive_frame *frame, unsigned row);

/* Takes out a store of inclusive_add that nothing comes of.  */
void inclusive_drop_amount(gimple *stmt);

/* inclusive-pairs.cc.  */

/* In plugin_init.  */
void inclusive_pairs_register(const char *plugin);

/* The number of the source's pair in the unit, from 0; -1 if it is excluded.  */
int inclusive_pair(tree function);
unsigned inclusive_pairs_count(void); /* so far */

/* Where the pairs of the unit are, and the address of a list in read-only memory: the
   number of pairs, and each of those of LIST that AROUND lacks.  */
tree inclusive_pairs(void);
tree inclusive_pairs_list(const struct inclusive_list *list,
                          const struct inclusive_list *around);

/* The offset of a list of such words (inclusive_step.h), of which the second one is
   COUNTER unless that is null.  */
unsigned inclusive_pairs_words(const vec<unsigned> &words, const char *counter);

/* What the counter of a row counts also counts: a call of the source, or for its
   inclusive count.  */
void inclusive_pairs_calls(unsigned row, unsigned counter, tree function);
void inclusive_pairs_inclusive(unsigned row, unsigned counter, unsigned pair);

#endif
