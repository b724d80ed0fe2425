/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of stack.h share; nobody else includes it.  All but stack.cc and
   stack-pairs.cc add to the function that is being compiled.  */

#ifndef CCPROF_STACK_INSIDE_H
#define CCPROF_STACK_INSIDE_H

#include "rt/format.h"

/* Of what is counted, 64 bits without a sign.  */
static inline tree stack_number_type(void)
{
    return long_long_unsigned_type_node;
}

/* stack-lists.cc.  */

/* The sources of a local stack, each once: its innermost one, and the list of those
   around it.  Equal lists of a function are one; NULL is the empty one.  */
struct stack_list {
    struct stack_list *around, *inner,
        *next; /* first of the lists it is around; sibling */
    unsigned pair;
    unsigned depth; /* at least 1 */
    bool once;      /* the innermost source never stands twice on a stack */
};

/* That of the scope (scopes.h), NULL_TREE for the function's own; and the list with a
   source more, which may be excluded, or there already, and then is there twice in a
   trace alone.  Valid until stack_lists_end.  */
struct stack_list *stack_list_of(tree scope);
struct stack_list *stack_list_within(struct stack_list *around, tree function);
void stack_lists_end(void);

static inline unsigned stack_list_depth(const struct stack_list *list)
{
    return list ? list->depth : 0;
}

/* Stands for the longest list, longer than any other: where it is not known which.  */
extern struct stack_list stack_list_any;

/* The longest list that both start with.  */
struct stack_list *stack_list_common(struct stack_list *a, struct stack_list *b);

/* stack-points.cc.  */

/* What a statement wants of what the function has entered there.  */
enum stack_point_kind {
    STACK_ADD,     /* no more than the list; then something is added */
    STACK_EXACT,   /* the list */
    STACK_BEHIND,  /* has the list, where what a call may have left is cut off */
    STACK_NO_MORE, /* than the list */
    STACK_CALLED, /* no more than the list; then FUNCTION is entered, whatever there is */
};

struct stack_point {
    enum stack_point_kind kind;
    gimple *statement; /* of BEHIND: the call */
    struct stack_list *list;
    tree function; /* of CALLED */
};

/* Those of a basic block, in order; where control comes in from elsewhere, so that what
   was entered must be cut back; and what stack_plan has found to be entered where the
   block starts and ends.  */
struct stack_block {
    auto_vec<stack_point> points;
    bool lands;     /* by an exception */
    bool receives;  /* by a longjmp or a non-local goto: nothing is entered */
    bool cuts;      /* and there it is to be cut back */
    bool is_target; /* of a jump to an address */
    struct stack_list *start, *end;
};

/* For a trace (the argument `trace') nothing is entered but by CALLED, at what counts the
   calls of each function, so that as many are told as are counted.

   By the numbers of basic blocks.  Behind calls that end a block there is one of their
   own from now on.  Freed by delete[].  */
struct stack_block *stack_find_points(void);

/* stack-plan.cc: sets start and end.  */
void stack_plan(struct stack_block *blocks);

/* stack-actions.cc.  */

/* Something that is added: by the store STATEMENT, of the counter COUNTER, NULL_TREE if
   it is none.  */
struct stack_addition {
    gimple *statement;
    tree counter;
    struct stack_list *list;
};

enum stack_action_kind {
    STACK_MOVE,  /* from what is entered to what shall be, before the statement */
    STACK_LEAVE, /* the same behind the call STATEMENT, cut off what it has left, too */
    STACK_CHECK, /* cut off what the call STATEMENT may have left */
    STACK_LAND,  /* where BB starts, cut back to TO */
    STACK_SUM,   /* the additions, before the last of them; FROM is entered */
    STACK_STEP,  /* several of these in one: cut back to FROM if CUTS, leave what LEAST
                    lacks, add, enter TO; before STATEMENT, or behind it if IS_BEHIND, or
                    where BB starts */
};

struct stack_action {
    enum stack_action_kind kind;
    gimple *statement;
    basic_block bb;
    struct stack_list *from, *to;
    unsigned first, count; /* additions */
    int cell;              /* that counts the sum, -1: none */
    struct stack_list *least;
    bool cuts, is_behind;
};

/* What is to be done in the function, and on its edges, in an order that may be kept.
   Those of a basic block follow each other.  */
struct stack_actions {
    auto_vec<stack_action> actions;
    auto_vec<stack_addition> additions;
    auto_vec<std::pair<edge, stack_action>> edges;
    unsigned cells;
};
void stack_find_actions(struct stack_actions *actions, struct stack_block *blocks);

/* stack-choose.cc: whether the function is to be one of steps.  */
bool stack_wants_steps(const struct stack_actions *actions);

/* stack-join.cc: makes steps of them: what nobody can look at in between is one.  */
void stack_join_actions(struct stack_actions *actions);

/* What a function has for all this, loaded where it begins.  In one of steps OWN is
   NULL_TREE, and THREAD is what sums need that are in line.  */
struct stack_frame {
    tree thread;
    tree own; /* the thread's copy of the unit's pairs */
    tree top; /* NULL_TREE in a function that enters nothing */
};

/* stack-code.cc.  Those that take TO append statements to it.  */

/* In plugin_init.  */
void stack_code_register(const char *plugin);

#define STACK_THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

/* A constant of that type.  */
tree stack_number(HOST_WIDE_INT value);

/* What is of TYPE, OFFSET bytes behind POINTER.  */
tree stack_memory(tree type, tree pointer, unsigned offset);
tree stack_load(gimple_seq *to, tree type, tree reference);
void stack_store(gimple_seq *to, tree reference, tree value);

/* Adds to, or subtracts from, a number in memory.  */
void stack_change(gimple_seq *to, tree pointer, unsigned offset, enum tree_code code,
                  tree amount);

/* The thread's struct ccprof_stack_thread.  Only for functions with pairs.  */
tree stack_thread(gimple_seq *to);

/* How far the stack of the function is filled if DEPTH sources are entered.  */
tree stack_top_at(gimple_seq *to, const struct stack_frame *frame, unsigned depth);

/* All ones if the depth is 0, otherwise 0.  */
tree stack_if_first(gimple_seq *to, tree depth);

/* What stack_add's statements store to, until they are replaced.  */
tree stack_amount_place(void);

/* Calls of the stub (rt/attach.c).  LIST is the address of a stack_pairs_list.  */
gcall *stack_call_cut(const struct stack_frame *frame, tree top);
gcall *stack_call_enter(const struct stack_frame *frame, tree list);
gcall *stack_call_leave(const struct stack_frame *frame, tree list, tree top);

/* With a trace: a call that has it told what was entered or left.  */
void stack_append_tell(gimple_seq *to, const struct stack_frame *frame);

/* Puts the loads of a frame where the function begins; with ENTERS makes room on the
   stack; the other for one of steps.  */
void stack_make_frame(struct stack_frame *frame, bool enters);
void stack_make_frame_of_steps(struct stack_frame *frame, bool enters);

/* stack-calls.cc.  */

/* Whether the call may come to profiled code, and is no tail call; whether it is one.  */
bool stack_wants_call(const gcall *call);
bool stack_is_tail(const gcall *call);

/* stack-steps.cc.  */

/* Code for each kind of action, and statements for one on an edge.  IS_CALL: it is made
   by calling the stub, whatever it is.  */
void stack_do_move(const struct stack_action *action, const struct stack_frame *frame,
                   bool is_call);
gimple_seq stack_move_statements(const struct stack_action *action,
                                 const struct stack_frame *frame, bool is_call);
void stack_do_leave(const struct stack_action *action, const struct stack_frame *frame,
                    bool is_call);
void stack_do_check(const struct stack_action *action, const struct stack_frame *frame);
void stack_do_land(const struct stack_action *action, const struct stack_frame *frame);

/* Behind a call, which has a block behind it if it ends its own.  */
void stack_insert_behind(gimple *call, gimple_seq statements);

/* stack-step.cc.  */

/* Code for a STEP, and for a move on an edge, by calls that change no register
   (stack_step.h).  ROW is of cells.h.  */
void stack_do_step(const struct stack_action *action, const struct stack_actions *actions,
                   const struct stack_frame *frame, unsigned row);
gimple_seq stack_step_statements(const struct stack_action *move,
                                 const struct stack_frame *frame);

/* stack-add.cc.  */

/* The counter of calls that the statement stores to; NULL_TREE if to none.  Whether it is
   what stack_add has appended.  */
tree stack_stored_counter(const gimple *stmt);
bool stack_is_amount(const gimple *stmt);

/* The local stack of what counts a call of the source COUNTED in SCOPE, and what is
   around that source there.  */
struct stack_list *stack_list_of_counter(tree scope, tree counted);
struct stack_list *stack_list_around_counter(tree scope, tree counted);

/* Whether what an addition adds is a number; whether it adds to nothing else, so that a
   cell that is counted once for several of them can stand for it.  */
bool stack_is_constant(const struct stack_addition *addition);
unsigned HOST_WIDE_INT stack_constant(const struct stack_addition *addition);
bool stack_fits_cell(const struct stack_addition *addition);

/* A sum, and what of it is for the pairs that are not entered.  */
struct stack_sum {
    unsigned HOST_WIDE_INT number; /* what is added, as far as it is one */
    tree amount;                   /* what else */
    auto_vec<std::pair<const struct stack_list *, unsigned HOST_WIDE_INT>> parts;
};

/* How many parts that of the action would have.  */
unsigned stack_count_parts(const struct stack_action *action,
                           const vec<stack_addition> &additions);

/* Of the action's additions; the tables get to know what its cell counts.  TO gets
   statements that find the amount.  */
void stack_find_sum(struct stack_sum *sum, gimple_seq *to,
                    const struct stack_action *action,
                    const vec<stack_addition> &additions, unsigned row);

/* The additions that the sum stands for go.  */
void stack_replace_additions(const struct stack_action *action,
                             const vec<stack_addition> &additions);

/* The sum in place of its additions.  ROW is of cells.h.  */
void stack_do_sum(const struct stack_action *action, const vec<stack_addition> &additions,
                  const struct stack_frame *frame, unsigned row);

/* Of an action without parts, and without an amount that is no number.  */
void stack_append_sum(gimple_seq *to, const struct stack_sum *sum,
                      const struct stack_action *action, const struct stack_frame *frame,
                      unsigned row);

/* Takes out a store of stack_add that nothing comes of.  */
void stack_drop_amount(gimple *stmt);

/* stack-pairs.cc.  */

/* In plugin_init.  */
void stack_pairs_register(const char *plugin);

/* The number of the source's pair in the unit, from 0; -1 if it is excluded.  */
int stack_pair(tree function);
unsigned stack_pairs_count(void); /* so far */

/* Where the pairs of the unit are, and the address of a list in read-only memory: the
   number of pairs, and each of those of LIST that AROUND lacks.  */
tree stack_pairs(void);
tree stack_pairs_list(const struct stack_list *list, const struct stack_list *around);

/* The offset of a list of such words (stack_step.h), of which the second one is CELL
   unless that is null.  */
unsigned stack_pairs_words(const vec<unsigned> &words, const char *cell);

/* What the cell of a row counts also counts: a call of the source, or for its inclusive
   count.  */
void stack_pairs_calls(unsigned row, unsigned cell, tree function);
void stack_pairs_inclusive(unsigned row, unsigned cell, unsigned pair);

#endif
