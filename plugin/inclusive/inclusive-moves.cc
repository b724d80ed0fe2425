// SPDX-License-Identifier: GPL-3.0-or-later
// Puts in MLton's enter and leave: calls of the stub, or, for one source, in line.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"

#define DEPTH     0
#define INCLUSIVE 8

static unsigned offset_of(const struct inclusive_list *list)
{
    return sizeof(struct ccprof_pair) * list->pair;
}

static tree load_number(gimple_seq *to, tree from, unsigned offset)
{
    return inclusive_load(to, inclusive_number_type(),
                          inclusive_memory(inclusive_number_type(), from, offset));
}

static void store_top(gimple_seq *to, const struct inclusive_frame *frame, tree top)
{
    inclusive_store(
        to, inclusive_memory(ptr_type_node, frame->thread, INCLUSIVE_THREAD_FIELD(top)),
        top);
}

// What the pair has is changed by the thread's total if DEPTH is 0.
static void close_or_open(gimple_seq *to, const struct inclusive_frame *frame,
                          const struct inclusive_list *list, tree depth,
                          enum tree_code code)
{
    tree total = load_number(to, frame->thread, INCLUSIVE_THREAD_FIELD(total));
    tree share = gimple_build(to, BIT_AND_EXPR, inclusive_number_type(), total,
                              inclusive_if_first(to, depth));

    inclusive_change(to, frame->own, offset_of(list) + INCLUSIVE, code, share);
}

static tree change_depth(gimple_seq *to, const struct inclusive_frame *frame,
                         const struct inclusive_list *list, tree depth, int by)
{
    tree now =
        gimple_build(to, PLUS_EXPR, inclusive_number_type(), depth, inclusive_number(by));

    inclusive_store(
        to,
        inclusive_memory(inclusive_number_type(), frame->own, offset_of(list) + DEPTH),
        now);
    return now;
}

static void enter_one(gimple_seq *to, const struct inclusive_frame *frame,
                      const struct inclusive_list *list)
{
    tree pair = make_ssa_name(ptr_type_node);

    store_top(to, frame, inclusive_top_at(to, frame, list->depth));
    gimple_seq_add_stmt(to, gimple_build_assign(pair, POINTER_PLUS_EXPR, frame->own,
                                                size_int(offset_of(list))));
    inclusive_store(
        to, inclusive_memory(ptr_type_node, frame->top, 8 * (list->depth - 1)), pair);
    tree depth = load_number(to, frame->own, offset_of(list) + DEPTH);
    close_or_open(to, frame, list, depth, MINUS_EXPR);
    change_depth(to, frame, list, depth, 1);
}

static void leave_one(gimple_seq *to, const struct inclusive_frame *frame,
                      const struct inclusive_list *list)
{
    store_top(to, frame, inclusive_top_at(to, frame, list->depth - 1));
    tree depth = load_number(to, frame->own, offset_of(list) + DEPTH);
    tree less = change_depth(to, frame, list, depth, -1);
    close_or_open(to, frame, list, less, PLUS_EXPR);
}

static void append_leave(gimple_seq *to, const struct inclusive_frame *frame,
                         const struct inclusive_list *from,
                         const struct inclusive_list *list)
{
    tree top = inclusive_top_at(to, frame, from->depth);
    gimple_seq_add_stmt(
        to, inclusive_call_leave(frame, inclusive_pairs_list(from, list), top));
}

// LIST is around FROM.
static void leave(gimple_seq *to, const struct inclusive_frame *frame,
                  const struct inclusive_list *from, const struct inclusive_list *list,
                  bool is_call)
{
    if (from == list)
        return;
    if (!is_call && from->around == list)
        leave_one(to, frame, from);
    else
        append_leave(to, frame, from, list);
    inclusive_append_tell(to, frame);
}

// FROM is around LIST.
static void enter(gimple_seq *to, const struct inclusive_frame *frame,
                  const struct inclusive_list *from, const struct inclusive_list *list,
                  bool is_call)
{
    if (from == list)
        return;
    if (!is_call && list->around == from)
        enter_one(to, frame, list);
    else
        gimple_seq_add_stmt(
            to, inclusive_call_enter(frame, inclusive_pairs_list(list, from)));
    inclusive_append_tell(to, frame);
}

gimple_seq inclusive_move_statements(const struct inclusive_action *action,
                                     const struct inclusive_frame *frame, bool is_call)
{
    gimple_seq statements = NULL;
    struct inclusive_list *common = inclusive_list_common(action->from, action->to);

    leave(&statements, frame, action->from, common, is_call);
    enter(&statements, frame, common, action->to, is_call);
    return statements;
}

void inclusive_do_move(const struct inclusive_action *action,
                       const struct inclusive_frame *frame, bool is_call)
{
    gimple_seq statements = inclusive_move_statements(action, frame, is_call);
    gimple_stmt_iterator gsi = gsi_for_stmt(action->statement);

    annotate_all_with_location(statements, gimple_location(action->statement));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

void inclusive_insert_behind(gimple *call, gimple_seq statements)
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

namespace
{
// A check that is not branched at yet.
struct pending_check {
    gimple *last; // of its statements
    tree now, top;
    location_t location;
};
} // namespace

static auto_vec<pending_check> pending;

// Behind the call, that it has left nothing behind so many; returns the last statement.
static gimple *check(gimple *call, const struct inclusive_frame *frame, unsigned depth)
{
    gimple_seq statements = NULL;
    tree top = inclusive_top_at(&statements, frame, depth);
    tree now = inclusive_load(
        &statements, ptr_type_node,
        inclusive_memory(ptr_type_node, frame->thread, INCLUSIVE_THREAD_FIELD(top)));
    gimple *last = gimple_seq_last_stmt(statements);

    inclusive_insert_behind(call, statements);
    pending.safe_push({last, now, top, gimple_location(call)});
    return last;
}

// Statements that cut off what is behind the top.
static gimple_seq cut_statements(const struct pending_check *check,
                                 const struct inclusive_frame *frame)
{
    gimple_seq cut = NULL;

    gimple_seq_add_stmt(&cut, inclusive_call_cut(frame, check->top));
    inclusive_append_tell(&cut, frame);
    annotate_all_with_location(cut, check->location);
    return cut;
}

static void branch(const struct pending_check *check, const struct inclusive_frame *frame)
{
    gcond *more =
        gimple_build_cond(NE_EXPR, check->now, check->top, NULL_TREE, NULL_TREE);
    basic_block bb = insert_cond_bb(gimple_bb(check->last), check->last, more,
                                    profile_probability::very_unlikely());
    gimple_stmt_iterator gsi = gsi_start_bb(bb);

    gimple_set_location(more, check->location);
    gsi_insert_seq_after(&gsi, cut_statements(check, frame), GSI_CONTINUE_LINKING);
}

// In place of the load of what would be compared.
static void cut_always(const struct pending_check *check,
                       const struct inclusive_frame *frame)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(check->last);

    gsi_insert_seq_before(&gsi, cut_statements(check, frame), GSI_SAME_STMT);
    gsi_remove(&gsi, true);
    release_ssa_name(check->now);
}

// Each branch moves what is behind it in its block to another one: from the end each
// statement is moved but once. A trace checks behind every call, and with -g the time of
// GCC's var-tracking grows faster than the square of the number of blocks, since it hands
// the values of each on to all that follow: the stub is called there without a branch.
void inclusive_branch_checks(const struct inclusive_frame *frame)
{
    while (!pending.is_empty()) {
        struct pending_check last = pending.pop();
        if (options.trace)
            cut_always(&last, frame);
        else
            branch(&last, frame);
    }
}

void inclusive_do_check(const struct inclusive_action *action,
                        const struct inclusive_frame *frame)
{
    check(action->statement, frame, inclusive_list_depth(action->to));
}

void inclusive_do_leave(const struct inclusive_action *action,
                        const struct inclusive_frame *frame, bool is_call)
{
    gimple_seq statements = NULL;

    if (is_call || action->from->around != action->to) {
        append_leave(&statements, frame, action->from, action->to);
        inclusive_append_tell(&statements, frame);
        inclusive_insert_behind(action->statement, statements);
        return;
    }
    gimple_stmt_iterator gsi =
        gsi_for_stmt(check(action->statement, frame, action->from->depth));
    leave_one(&statements, frame, action->from);
    inclusive_append_tell(&statements, frame);
    annotate_all_with_location(statements, gimple_location(action->statement));
    gsi_insert_seq_after(&gsi, statements, GSI_SAME_STMT);
}

void inclusive_do_land(const struct inclusive_action *action,
                       const struct inclusive_frame *frame)
{
    gimple_seq statements = NULL;
    gimple_stmt_iterator gsi = gsi_after_labels(action->bb);
    tree top = inclusive_top_at(&statements, frame, inclusive_list_depth(action->to));

    gimple_seq_add_stmt(&statements, inclusive_call_cut(frame, top));
    inclusive_append_tell(&statements, frame);
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}
