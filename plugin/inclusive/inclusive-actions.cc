// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the actions of a plan. Walks each block from its planned start. If the sources
// that are entered differ from the sources that a point requires, adds a move before the
// point.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"

namespace
{
struct walk {
    struct inclusive_actions *out;
    const struct inclusive_block *blocks;
    struct inclusive_list *state; // the sources that are entered
    unsigned first;               // first addition that is not in a sum yet
};
} // namespace

static struct inclusive_action make_action(enum inclusive_action_kind kind,
                                           gimple *statement, basic_block bb,
                                           struct inclusive_list *from,
                                           struct inclusive_list *to)
{
    return {kind, statement, bb, from, to, 0, 0, -1, from, false, false};
}

static void push_action(struct walk *walk, enum inclusive_action_kind kind,
                        gimple *statement, struct inclusive_list *to)
{
    walk->out->actions.safe_push(make_action(kind, statement, NULL, walk->state, to));
    walk->state = to;
}

static void end_sum(struct walk *walk)
{
    struct inclusive_action sum =
        make_action(INCLUSIVE_SUM, NULL, NULL, walk->state, walk->state);
    unsigned end = walk->out->additions.length();

    if (end == walk->first)
        return;
    sum.first = walk->first;
    sum.count = end - walk->first;
    for (unsigned i = walk->first; i < end && sum.counter < 0; i++)
        if (walk->out->additions[i].fits)
            sum.counter = walk->out->counters++;
    walk->out->actions.safe_push(sum);
    walk->first = end;
}

static void move_to(struct walk *walk, gimple *statement, struct inclusive_list *to)
{
    end_sum(walk);
    if (walk->state != to)
        push_action(walk, INCLUSIVE_MOVE, statement, to);
}

// A variable amount gets its own sum.
static void push_addition(struct walk *walk, gimple *statement,
                          struct inclusive_list *list)
{
    struct inclusive_list *to = inclusive_list_common(walk->state, list);
    struct inclusive_addition addition = inclusive_addition_of(statement, list);

    if (to != walk->state)
        move_to(walk, statement, to);
    if (!addition.is_number)
        end_sum(walk);
    walk->out->additions.safe_push(addition);
    if (!addition.is_number)
        end_sum(walk);
}

// Handles the point after a call, point I of the block. Sources that the next point or
// one of the next blocks does not have are left at once, together with the check. Such
// sources stay entered if an exception may leave the block, and in a trace, because a
// trace does not enter them again.
static void pass_call(struct walk *walk, basic_block bb, unsigned i)
{
    const auto_vec<inclusive_point> &points = walk->blocks[bb->index].points;
    edge e;
    edge_iterator ei;

    walk->state = inclusive_list_common(walk->state, points[i].list);
    struct inclusive_list *to = walk->state;
    if (i + 1 < points.length())
        to = inclusive_list_common(to, points[i + 1].list);
    else
        FOR_EACH_EDGE (e, ei, bb->succs)
            if (options.trace || e->flags & (EDGE_EH | EDGE_ABNORMAL)) {
                to = walk->state;
                break;
            } else if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
                to = inclusive_list_common(to, walk->blocks[e->dest->index].start);
    push_action(walk, to == walk->state ? INCLUSIVE_CHECK : INCLUSIVE_LEAVE,
                points[i].statement, to);
}

static void walk_block(struct walk *walk, basic_block bb)
{
    const struct inclusive_block *block = &walk->blocks[bb->index];

    walk->state = block->start;
    if (block->cuts)
        walk->out->actions.safe_push(
            make_action(INCLUSIVE_LAND, NULL, bb, walk->state, walk->state));
    for (unsigned i = 0; i < block->points.length(); i++) {
        const struct inclusive_point *point = &block->points[i];
        gimple *statement = point->statement;
        switch (point->kind) {
        case INCLUSIVE_ADD:
            push_addition(walk, statement, point->list);
            break;
        case INCLUSIVE_EXACT:
            move_to(walk, statement, point->list);
            break;
        case INCLUSIVE_NO_MORE:
            move_to(walk, statement, inclusive_list_common(walk->state, point->list));
            break;
        case INCLUSIVE_CALLED:
            // Two moves, so that the trace contains a function that is left and entered
            // again.
            move_to(walk, statement, inclusive_list_common(walk->state, point->list));
            move_to(walk, statement, inclusive_list_within(walk->state, point->function));
            push_addition(walk, statement, walk->state);
            break;
        case INCLUSIVE_BEHIND:
            pass_call(walk, bb, i);
            break;
        }
    }
    end_sum(walk);
}

// Adds the moves after the last point of the block. On each edge the move leads to the
// start of the next block. Before a jump to an address it leads to the start of the
// targets, which is the same for all targets.
static void walk_edges(struct walk *walk, basic_block bb)
{
    gimple *last = compat_last_stmt(bb);
    edge e;
    edge_iterator ei;

    if (last && computed_goto_p(last))
        FOR_EACH_EDGE (e, ei, bb->succs)
            if (walk->blocks[e->dest->index].is_target)
                move_to(walk, last, walk->blocks[e->dest->index].start);
    FOR_EACH_EDGE (e, ei, bb->succs) {
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ||
            e->flags & (EDGE_EH | EDGE_ABNORMAL))
            continue;
        struct inclusive_list *to = walk->blocks[e->dest->index].start;
        if (to != walk->state)
            walk->out->edges.safe_push(
                {e, make_action(INCLUSIVE_MOVE, NULL, NULL, walk->state, to)});
    }
}

void inclusive_find_actions(struct inclusive_actions *actions,
                            const struct inclusive_block *blocks)
{
    struct walk walk = {actions, blocks, NULL, 0};
    basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)), bb;

    // This move must be inserted after the loads of the frame.
    if (struct inclusive_list *entered = blocks[first->index].start)
        actions->edges.safe_push(
            {single_succ_edge(first),
             make_action(INCLUSIVE_MOVE, NULL, NULL, NULL, entered)});
    FOR_EACH_BB_FN (bb, cfun) {
        walk_block(&walk, bb);
        walk_edges(&walk, bb);
    }
}

bool inclusive_actions_enter(const struct inclusive_actions *actions)
{
    for (const inclusive_action &action : actions->actions)
        if (action.kind != INCLUSIVE_SUM)
            return true;
    return !actions->edges.is_empty();
}

namespace
{
struct join {
    struct inclusive_actions *out;
    bool open;
    struct inclusive_action step; // if OPEN: can still grow
    basic_block bb;
    gimple *last;            // end of the step; NULL: the start of BB
    unsigned number, shares; // upper bounds
};
} // namespace

// Returns true if the statement may read counts, perhaps by a signal handler.
static bool may_read_counts(gimple *stmt)
{
    gcall *call = dyn_cast<gcall *>(stmt);
    tree function = call ? gimple_call_fndecl(call) : NULL_TREE;

    if (!call)
        return gimple_code(stmt) == GIMPLE_ASM;
    return !leaf_is_call(call) || !function || !fndecl_built_in_p(function);
}

// Returns true if nothing can read counts between the end of the step and BEFORE.
static bool is_unread_until(const struct join *join, gimple *before)
{
    gimple_stmt_iterator gsi =
        join->last ? gsi_for_stmt(join->last) : gsi_start_bb(join->bb);

    if (join->last == before)
        return true;
    if (join->last)
        gsi_next(&gsi);
    for (; !gsi_end_p(gsi) && gsi_stmt(gsi) != before; gsi_next(&gsi))
        if (may_read_counts(gsi_stmt(gsi)))
            return false;
    return !gsi_end_p(gsi);
}

static void close_step(struct join *join)
{
    if (join->open)
        join->out->actions.safe_push(join->step);
    join->open = false;
}

static void open_step(struct join *join, basic_block bb, gimple *last,
                      struct inclusive_list *from)
{
    close_step(join);
    join->open = true;
    join->step = make_action(INCLUSIVE_STEP, NULL, bb, from, from);
    join->bb = bb;
    join->last = last;
    join->number = join->shares = 0;
}

// Extends the step up to STATEMENT, or opens a new step there.
static void extend_step(struct join *join, gimple *statement, struct inclusive_list *from)
{
    if (!join->open || gimple_bb(statement) != join->bb ||
        !is_unread_until(join, statement))
        open_step(join, gimple_bb(statement), statement, from);
    join->last = join->step.statement = statement;
    join->step.is_behind = false;
}

static void move_in_step(struct join *join, struct inclusive_list *to)
{
    join->step.to = to;
    join->step.least = inclusive_list_common(join->step.least, to);
    join->step.cuts |= join->step.least != join->step.from;
}

// Opens a step after the call. The step cuts off entries that the call has left on the
// stack.
static void open_behind_call(struct join *join, const struct inclusive_action *action)
{
    gimple *call = action->statement;
    basic_block bb = gimple_bb(call);

    if (stmt_ends_bb_p(call))
        open_step(join, find_fallthru_edge(bb->succs)->dest, NULL, action->from);
    else
        open_step(join, bb, call, action->from);
    join->step.statement = call;
    join->step.is_behind = join->step.cuts = true;
    move_in_step(join, action->to);
}

// Adds addition I to the step. A step adds when only the sources of LEAST are entered.
// Sources of the addition that are not entered then get a share.
static void join_addition(struct join *join, unsigned i, struct inclusive_list *state)
{
    const struct inclusive_addition *addition = &join->out->additions[i];
    unsigned shares = inclusive_list_depth(addition->list);
    bool is_small = addition->is_number && addition->number < INCLUSIVE_STEP_NUMBER;

    if (join->open &&
        (!is_small || join->number + addition->number >= INCLUSIVE_STEP_NUMBER ||
         join->shares + shares > INCLUSIVE_STEP_SHARES))
        close_step(join);
    extend_step(join, addition->statement, state);
    join->number += addition->number;
    join->shares += shares;
    if (!join->step.count++)
        join->step.first = i;
    if (join->step.counter < 0 && addition->fits)
        join->step.counter = join->out->counters++;
    if (!is_small)
        close_step(join);
}

void inclusive_join_actions(struct inclusive_actions *actions)
{
    struct join join = {actions, false, {}, NULL, NULL, 0, 0};
    auto_vec<inclusive_action> before;

    before.safe_splice(actions->actions);
    actions->actions.truncate(0);
    actions->counters = 0;
    for (const inclusive_action &action : before)
        switch (action.kind) {
        case INCLUSIVE_MOVE:
            extend_step(&join, action.statement, action.from);
            move_in_step(&join, action.to);
            if (is_gimple_call(action.statement))
                close_step(&join);
            break;
        case INCLUSIVE_LEAVE:
        case INCLUSIVE_CHECK:
            open_behind_call(&join, &action);
            break;
        case INCLUSIVE_LAND:
            open_step(&join, action.bb, NULL, action.to);
            join.step.cuts = true;
            break;
        case INCLUSIVE_SUM:
            for (unsigned i = 0; i < action.count; i++)
                join_addition(&join, action.first + i, action.from);
            break;
        case INCLUSIVE_STEP:
            gcc_unreachable();
        }
    close_step(&join);
}
