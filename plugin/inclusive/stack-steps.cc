// SPDX-License-Identifier: GPL-3.0-or-later
// MLton's enter and leave as statements: calls of the stub, or, of one source, in line.

#include "plugin/gcc/compat.h"
#include "plugin/inclusive/stack-inside.h"

#define DEPTH     0
#define INCLUSIVE 8

static unsigned offset_of(const struct stack_list *list)
{
    return sizeof(struct ccprof_pair) * list->pair;
}

static tree load_number(gimple_seq *to, tree from, unsigned offset)
{
    return stack_load(to, stack_number_type(),
                      stack_memory(stack_number_type(), from, offset));
}

static void store_top(gimple_seq *to, const struct stack_frame *frame, tree top)
{
    stack_store(to, stack_memory(ptr_type_node, frame->thread, STACK_THREAD_FIELD(top)),
                top);
}

// What the pair has is changed by the thread's total if DEPTH is 0.
static void close_or_open(gimple_seq *to, const struct stack_frame *frame,
                          const struct stack_list *list, tree depth, enum tree_code code)
{
    tree total = load_number(to, frame->thread, STACK_THREAD_FIELD(total));
    tree part = gimple_build(to, BIT_AND_EXPR, stack_number_type(), total,
                             stack_if_first(to, depth));

    stack_change(to, frame->own, offset_of(list) + INCLUSIVE, code, part);
}

static tree change_depth(gimple_seq *to, const struct stack_frame *frame,
                         const struct stack_list *list, tree depth, int by)
{
    tree now = gimple_build(to, PLUS_EXPR, stack_number_type(), depth, stack_number(by));

    stack_store(
        to, stack_memory(stack_number_type(), frame->own, offset_of(list) + DEPTH), now);
    return now;
}

static void enter_one(gimple_seq *to, const struct stack_frame *frame,
                      const struct stack_list *list)
{
    tree pair = make_ssa_name(ptr_type_node);

    store_top(to, frame, stack_top_at(to, frame, list->depth));
    gimple_seq_add_stmt(to, gimple_build_assign(pair, POINTER_PLUS_EXPR, frame->own,
                                                size_int(offset_of(list))));
    stack_store(to, stack_memory(ptr_type_node, frame->top, 8 * (list->depth - 1)), pair);
    tree depth = load_number(to, frame->own, offset_of(list) + DEPTH);
    close_or_open(to, frame, list, depth, MINUS_EXPR);
    change_depth(to, frame, list, depth, 1);
}

static void leave_one(gimple_seq *to, const struct stack_frame *frame,
                      const struct stack_list *list)
{
    store_top(to, frame, stack_top_at(to, frame, list->depth - 1));
    tree depth = load_number(to, frame->own, offset_of(list) + DEPTH);
    tree less = change_depth(to, frame, list, depth, -1);
    close_or_open(to, frame, list, less, PLUS_EXPR);
}

static void append_leave(gimple_seq *to, const struct stack_frame *frame,
                         const struct stack_list *from, const struct stack_list *list)
{
    tree top = stack_top_at(to, frame, from->depth);
    gimple_seq_add_stmt(to, stack_call_leave(frame, stack_pairs_list(from, list), top));
}

// LIST is around FROM.
static void leave(gimple_seq *to, const struct stack_frame *frame,
                  const struct stack_list *from, const struct stack_list *list,
                  bool is_call)
{
    if (from == list)
        return;
    if (!is_call && from->around == list)
        leave_one(to, frame, from);
    else
        append_leave(to, frame, from, list);
    stack_append_tell(to, frame);
}

// FROM is around LIST.
static void enter(gimple_seq *to, const struct stack_frame *frame,
                  const struct stack_list *from, const struct stack_list *list,
                  bool is_call)
{
    if (from == list)
        return;
    if (!is_call && list->around == from)
        enter_one(to, frame, list);
    else
        gimple_seq_add_stmt(to, stack_call_enter(frame, stack_pairs_list(list, from)));
    stack_append_tell(to, frame);
}

gimple_seq stack_move_statements(const struct stack_action *action,
                                 const struct stack_frame *frame, bool is_call)
{
    gimple_seq statements = NULL;
    struct stack_list *common = stack_list_common(action->from, action->to);

    leave(&statements, frame, action->from, common, is_call);
    enter(&statements, frame, common, action->to, is_call);
    return statements;
}

void stack_do_move(const struct stack_action *action, const struct stack_frame *frame,
                   bool is_call)
{
    gimple_seq statements = stack_move_statements(action, frame, is_call);
    gimple_stmt_iterator gsi = gsi_for_stmt(action->statement);

    annotate_all_with_location(statements, gimple_location(action->statement));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void stack_insert_behind(gimple *call, gimple_seq statements)
{
    annotate_all_with_location(statements, gimple_location(call));
    if (stmt_ends_bb_p(call)) {
        edge e = find_fallthru_edge(gimple_bb(call)->succs);
        gimple_stmt_iterator gsi = gsi_after_labels(e->dest);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    } else {
        gimple_stmt_iterator gsi = gsi_for_stmt(call);
        gsi_insert_seq_after(&gsi, statements, GSI_CONTINUE_LINKING);
    }
}

// Behind the call, that it has left nothing behind so many; returns the block that comes
// then.
static basic_block check(gimple *call, const struct stack_frame *frame, unsigned depth)
{
    gimple_seq statements = NULL;
    tree top = stack_top_at(&statements, frame, depth);
    tree now =
        stack_load(&statements, ptr_type_node,
                   stack_memory(ptr_type_node, frame->thread, STACK_THREAD_FIELD(top)));
    gimple *last = gimple_seq_last_stmt(statements);

    stack_insert_behind(call, statements);
    gcond *more = gimple_build_cond(NE_EXPR, now, top, NULL_TREE, NULL_TREE);
    basic_block bb =
        insert_cond_bb(gimple_bb(last), last, more, profile_probability::very_unlikely());
    gimple_seq cut = NULL;
    gimple_stmt_iterator gsi = gsi_start_bb(bb);
    gimple_seq_add_stmt(&cut, stack_call_cut(frame, top));
    stack_append_tell(&cut, frame);
    gimple_set_location(more, gimple_location(call));
    annotate_all_with_location(cut, gimple_location(call));
    gsi_insert_seq_after(&gsi, cut, GSI_CONTINUE_LINKING);
    return single_succ(bb);
}

void stack_do_check(const struct stack_action *action, const struct stack_frame *frame)
{
    check(action->statement, frame, stack_list_depth(action->to));
}

void stack_do_leave(const struct stack_action *action, const struct stack_frame *frame,
                    bool is_call)
{
    gimple_seq statements = NULL;

    if (is_call || action->from->around != action->to) {
        append_leave(&statements, frame, action->from, action->to);
        stack_append_tell(&statements, frame);
        stack_insert_behind(action->statement, statements);
        return;
    }
    gimple_stmt_iterator gsi =
        gsi_after_labels(check(action->statement, frame, action->from->depth));
    leave_one(&statements, frame, action->from);
    stack_append_tell(&statements, frame);
    annotate_all_with_location(statements, gimple_location(action->statement));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void stack_do_land(const struct stack_action *action, const struct stack_frame *frame)
{
    gimple_seq statements = NULL;
    gimple_stmt_iterator gsi = gsi_after_labels(action->bb);
    tree top = stack_top_at(&statements, frame, stack_list_depth(action->to));

    gimple_seq_add_stmt(&statements, stack_call_cut(frame, top));
    stack_append_tell(&statements, frame);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}
