// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts the planned actions into the current function: entering and leaving sources,
// and the checks after calls.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/count/storage.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"

// If a function has more moves than this number, its code calls the stub for every move,
// even for a move of one source.
#define MAX_MOVES_IN_LINE 4

#define DEPTH     0
#define INCLUSIVE 8

namespace
{
// A check whose branch is not inserted yet.
struct pending_check {
    gimple *last; // last statement of the check
    tree now, top;
    location_t location;
};

// The state while code is inserted into a function.
struct insertion {
    const struct inclusive_actions *actions;
    struct inclusive_frame frame;
    unsigned row;  // row of storage.h with the counters of the sums
    bool in_steps; // steps are used, also for moves on edges
    bool is_call;  // all entering and leaving is done by calls of the stub
    auto_vec<pending_check> pending;
};
} // namespace

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

// If DEPTH is 0, adds the thread's total to the pair's count, or subtracts it, according
// to CODE.
static void change_inclusive(gimple_seq *to, const struct inclusive_frame *frame,
                             const struct inclusive_list *list, tree depth,
                             enum tree_code code)
{
    tree total = load_number(to, frame->thread, INCLUSIVE_THREAD_FIELD(total));
    tree share = gimple_build(to, BIT_AND_EXPR, inclusive_number_type(), total,
                              inclusive_if_first(to, depth));

    inclusive_change(to, frame->pairs, offset_of(list) + INCLUSIVE, code, share);
}

static tree change_depth(gimple_seq *to, const struct inclusive_frame *frame,
                         const struct inclusive_list *list, tree depth, int amount)
{
    tree now = gimple_build(to, PLUS_EXPR, inclusive_number_type(), depth,
                            inclusive_number(amount));

    inclusive_store(
        to,
        inclusive_memory(inclusive_number_type(), frame->pairs, offset_of(list) + DEPTH),
        now);
    return now;
}

static void enter_one(gimple_seq *to, const struct inclusive_frame *frame,
                      const struct inclusive_list *list)
{
    tree pair = make_ssa_name(ptr_type_node);

    store_top(to, frame, inclusive_top_at(to, frame, list->depth));
    gimple_seq_add_stmt(to, gimple_build_assign(pair, POINTER_PLUS_EXPR, frame->pairs,
                                                size_int(offset_of(list))));
    inclusive_store(
        to, inclusive_memory(ptr_type_node, frame->top, 8 * (list->depth - 1)), pair);
    tree depth = load_number(to, frame->pairs, offset_of(list) + DEPTH);
    change_inclusive(to, frame, list, depth, MINUS_EXPR);
    change_depth(to, frame, list, depth, 1);
}

static void leave_one(gimple_seq *to, const struct inclusive_frame *frame,
                      const struct inclusive_list *list)
{
    store_top(to, frame, inclusive_top_at(to, frame, list->depth - 1));
    tree depth = load_number(to, frame->pairs, offset_of(list) + DEPTH);
    tree less = change_depth(to, frame, list, depth, -1);
    change_inclusive(to, frame, list, less, PLUS_EXPR);
}

static void append_leave(gimple_seq *to, const struct inclusive_frame *frame,
                         const struct inclusive_list *from,
                         const struct inclusive_list *list)
{
    tree top = inclusive_top_at(to, frame, from->depth);
    gimple_seq_add_stmt(
        to, inclusive_call_leave(frame, inclusive_pairs_list(from, list), top));
}

// Returns the statements of a move. The common start of the two lists stays entered.
static gimple_seq move_statements(const struct insertion *insertion,
                                  const struct inclusive_action *action)
{
    const struct inclusive_frame *frame = &insertion->frame;
    const struct inclusive_list *from = action->from, *to = action->to;
    const struct inclusive_list *common = inclusive_list_common(action->from, action->to);
    gimple_seq statements = NULL;

    if (from != common) {
        if (!insertion->is_call && from->outer == common)
            leave_one(&statements, frame, from);
        else
            append_leave(&statements, frame, from, common);
        inclusive_append_report(&statements, frame);
    }
    if (to != common) {
        if (!insertion->is_call && to->outer == common)
            enter_one(&statements, frame, to);
        else
            gimple_seq_add_stmt(
                &statements,
                inclusive_call_enter(frame, inclusive_pairs_list(to, common)));
        inclusive_append_report(&statements, frame);
    }
    return statements;
}

static void insert_before_statement(gimple *statement, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(statement);

    annotate_all_with_location(statements, gimple_location(statement));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

// Inserts statements after the call. If the call ends its block, inclusive_find_points
// has made a block after it.
static void insert_behind_statement(gimple *call, gimple_seq statements)
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

static void insert_at_start(basic_block bb, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_after_labels(bb);

    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}

// Inserts a check after the call that no more than DEPTH sources are entered. Returns the
// last statement of the check.
static gimple *insert_check(struct insertion *insertion, gimple *call, unsigned depth)
{
    gimple_seq statements = NULL;
    tree top = inclusive_top_at(&statements, &insertion->frame, depth);
    tree now = inclusive_load(&statements, ptr_type_node,
                              inclusive_memory(ptr_type_node, insertion->frame.thread,
                                               INCLUSIVE_THREAD_FIELD(top)));
    gimple *last = gimple_seq_last_stmt(statements);

    insert_behind_statement(call, statements);
    insertion->pending.safe_push({last, now, top, gimple_location(call)});
    return last;
}

// Leaves sources after the call, even if the call has left entries on the stack.
static void leave_behind(struct insertion *insertion,
                         const struct inclusive_action *action)
{
    gimple *call = action->statement;
    gimple_seq statements = NULL;

    if (insertion->is_call || action->from->outer != action->to) {
        append_leave(&statements, &insertion->frame, action->from, action->to);
        inclusive_append_report(&statements, &insertion->frame);
        insert_behind_statement(call, statements);
        return;
    }
    gimple_stmt_iterator gsi =
        gsi_for_stmt(insert_check(insertion, call, action->from->depth));
    leave_one(&statements, &insertion->frame, action->from);
    inclusive_append_report(&statements, &insertion->frame);
    annotate_all_with_location(statements, gimple_location(call));
    gsi_insert_seq_after(&gsi, statements, GSI_SAME_STMT);
}

static void append_cut(gimple_seq *to, const struct inclusive_frame *frame, tree top)
{
    gimple_seq_add_stmt(to, inclusive_call_cut(frame, top));
    inclusive_append_report(to, frame);
}

// A list describes what a step does (inclusive_step.h). These macros give the parts of
// the first word of a list.
#define LEAVES(count) ((count) << 8)
#define ENTERS(count) ((count) << 15)
#define NUMBER(count) ((unsigned)(count) << 22)
#define HAS_COUNTER   (1u << 31)

// Makes the call for a step that adds nothing, or a small constant amount.
static gimple *make_step(const struct inclusive_action *action,
                         const struct inclusive_sum *sum,
                         const struct inclusive_frame *frame, unsigned row)
{
    auto_vec<unsigned> words;
    char *counter = action->counter >= 0
                        ? inclusive_step_counter(storage_variable(row), action->counter)
                        : NULL;
    unsigned from = inclusive_list_depth(action->from),
             least = inclusive_list_depth(action->least),
             entered = inclusive_list_depth(action->to) - least;

    words.safe_push(sum->shares.length() | LEAVES(from - least) | ENTERS(entered) |
                    NUMBER(sum->number) | (counter ? HAS_COUNTER : 0));
    if (action->cuts) {
        words.safe_push(from);
        for (const struct inclusive_list *l = action->from; l != action->least;
             l = l->outer)
            words.safe_push(l->pair);
    }
    for (const auto &share : sum->shares)
        words.safe_push(share.first->pair |
                        (unsigned)share.second * INCLUSIVE_STEP_PAIRS);
    // Outermost first.
    unsigned end = words.length() + entered;
    words.safe_grow(end);
    for (const struct inclusive_list *l = action->to; l != action->least; l = l->outer)
        words[--end] = l->pair;
    unsigned list = inclusive_pairs_words(words, counter);
    free(counter);
    return inclusive_step_call(action->cuts ? INCLUSIVE_STEP_CUT : INCLUSIVE_STEP_ADD,
                               list, action->cuts ? frame->top : NULL_TREE);
}

// Makes the call that adds a large or variable amount.
static gimple *make_amount(const struct inclusive_sum *sum)
{
    auto_vec<unsigned> words;
    tree amount = sum->amount ? sum->amount : inclusive_number(sum->number);

    words.safe_push(sum->shares.length());
    for (const auto &share : sum->shares)
        words.safe_push(share.first->pair);
    return inclusive_step_call(INCLUSIVE_STEP_AMOUNT, inclusive_pairs_words(words, NULL),
                               amount);
}

// Appends the code of ACTION, an INCLUSIVE_STEP. SUM is the sum of its additions.
static void append_step(gimple_seq *to, const struct inclusive_action *action,
                        const struct inclusive_sum *sum,
                        const struct inclusive_frame *frame, unsigned row)
{
    bool moves = action->from != action->least || action->from != action->to;

    if (action->cuts && !action->count && !moves)
        gimple_seq_add_stmt(to, inclusive_step_check(inclusive_top_at(
                                    to, frame, inclusive_list_depth(action->from))));
    else if (sum->amount || sum->number >= INCLUSIVE_STEP_NUMBER)
        gimple_seq_add_stmt(to, make_amount(sum));
    else if (!action->cuts && action->from == action->to && sum->shares.is_empty())
        inclusive_append_sum(to, sum, action, frame, row);
    else
        gimple_seq_add_stmt(to, make_step(action, sum, frame, row));
}

static void insert_action(struct insertion *insertion,
                          const struct inclusive_action *action)
{
    const vec<inclusive_addition> &additions = insertion->actions->additions;
    struct inclusive_sum sum = {};
    gimple_seq statements = NULL;

    switch (action->kind) {
    case INCLUSIVE_MOVE:
        return insert_before_statement(action->statement,
                                       move_statements(insertion, action));
    case INCLUSIVE_LEAVE:
        return leave_behind(insertion, action);
    case INCLUSIVE_CHECK:
        insert_check(insertion, action->statement, inclusive_list_depth(action->to));
        return;
    case INCLUSIVE_LAND: {
        unsigned depth = inclusive_list_depth(action->to);
        tree top = inclusive_top_at(&statements, &insertion->frame, depth);
        append_cut(&statements, &insertion->frame, top);
        return insert_at_start(action->bb, statements);
    }
    case INCLUSIVE_SUM:
        inclusive_find_sum(&sum, &statements, action, additions, insertion->row);
        inclusive_append_sum(&statements, &sum, action, &insertion->frame,
                             insertion->row);
        insert_before_statement(additions[action->first + action->count - 1].statement,
                                statements);
        break;
    case INCLUSIVE_STEP:
        if (action->count)
            inclusive_find_sum(&sum, &statements, action, additions, insertion->row);
        append_step(&statements, action, &sum, &insertion->frame, insertion->row);
        if (action->is_behind)
            insert_behind_statement(action->statement, statements);
        else if (action->statement)
            insert_before_statement(action->statement, statements);
        else
            insert_at_start(action->bb, statements);
        break;
    }
    inclusive_replace_additions(action, additions);
}

static void insert_on_edge(struct insertion *insertion, edge e,
                           const struct inclusive_action *move)
{
    struct inclusive_action step = *move;
    struct inclusive_sum sum = {};
    gimple_seq statements = NULL;

    if (!insertion->in_steps) {
        statements = move_statements(insertion, move);
    } else {
        step.least = inclusive_list_common(step.from, step.to);
        step.cuts = step.least != step.from;
        append_step(&statements, &step, &sum, &insertion->frame, 0);
    }
    gsi_insert_seq_on_edge(e, statements);
}

// Inserts the branches of the checks, starting with the last check. Each branch moves the
// statements after it to another block. In this order each statement is moved only once.
//
// A trace checks after every call. With -g the time of GCC's var-tracking grows faster
// than the square of the number of blocks. So a trace calls the stub without a branch,
// instead of the load for the comparison.
static void branch_checks(struct insertion *insertion)
{
    while (!insertion->pending.is_empty()) {
        struct pending_check check = insertion->pending.pop();
        gimple_seq cut = NULL;
        append_cut(&cut, &insertion->frame, check.top);
        annotate_all_with_location(cut, check.location);
        if (options.trace) {
            gimple_stmt_iterator gsi = gsi_for_stmt(check.last);
            gsi_insert_seq_before(&gsi, cut, GSI_SAME_STMT);
            gsi_remove(&gsi, true);
            release_ssa_name(check.now);
        } else {
            gcond *more =
                gimple_build_cond(NE_EXPR, check.now, check.top, NULL_TREE, NULL_TREE);
            basic_block bb = insert_cond_bb(gimple_bb(check.last), check.last, more,
                                            profile_probability::very_unlikely());
            gimple_stmt_iterator gsi = gsi_start_bb(bb);
            gimple_set_location(more, check.location);
            gsi_insert_seq_after(&gsi, cut, GSI_CONTINUE_LINKING);
        }
    }
}

void inclusive_insert(struct inclusive_actions *actions, bool in_steps)
{
    bool enters = inclusive_actions_enter(actions);
    unsigned moves = actions->edges.length();

    if (actions->actions.is_empty() && actions->edges.is_empty())
        return;
    for (const inclusive_action &action : actions->actions)
        moves += action.kind == INCLUSIVE_MOVE || action.kind == INCLUSIVE_LEAVE;
    if (in_steps)
        inclusive_join_actions(actions);
    struct insertion insertion = {actions, {}, 0, in_steps, moves > MAX_MOVES_IN_LINE,
                                  {}};
    if (actions->counters)
        insertion.row = storage_make_row(actions->counters);
    inclusive_make_frame(&insertion.frame, enters, in_steps);
    for (const inclusive_action &action : actions->actions)
        insert_action(&insertion, &action);
    branch_checks(&insertion);
    for (const auto &move : actions->edges)
        insert_on_edge(&insertion, move.first, &move.second);
    gsi_commit_edge_inserts();
}
