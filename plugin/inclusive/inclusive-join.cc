// SPDX-License-Identifier: GPL-3.0-or-later
// Makes steps of actions: all that is done between two points of a basic block at which a
// handler, a callee or another function can look is one.
// All that is added there is added when the least of it is entered: the sources that are
// missing then get their share.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/inclusive/inclusive_step.h"

namespace
{
struct join {
    struct inclusive_actions *out;
    bool open;
    struct inclusive_action step; // that can still grow
    basic_block bb;
    gimple *last;            // nobody looks behind it; null: behind where BB starts
    unsigned number, shares; // at most
};
} // namespace

// Whether what has been counted can be read meanwhile, by a handler perhaps.
static bool may_look(gimple *stmt)
{
    gcall *call = dyn_cast<gcall *>(stmt);
    tree function = call ? gimple_call_fndecl(call) : NULL_TREE;

    if (!call)
        return gimple_code(stmt) == GIMPLE_ASM;
    return !leaf_is_call(call) || !function || !fndecl_built_in_p(function);
}

static bool nobody_looks(const struct join *join, gimple *before)
{
    gimple_stmt_iterator gsi =
        join->last ? gsi_for_stmt(join->last) : gsi_start_bb(join->bb);

    if (join->last == before)
        return true;
    if (join->last)
        gsi_next(&gsi);
    for (; !gsi_end_p(gsi) && gsi_stmt(gsi) != before; gsi_next(&gsi))
        if (may_look(gsi_stmt(gsi)))
            return false;
    return !gsi_end_p(gsi);
}

static void close(struct join *join)
{
    if (join->open)
        join->out->actions.safe_push(join->step);
    join->open = false;
}

static void open(struct join *join, basic_block bb, gimple *last,
                 struct inclusive_list *from)
{
    close(join);
    join->open = true;
    join->step = {INCLUSIVE_STEP, NULL, bb, from, from, 0, 0, -1, from, false, false};
    join->bb = bb;
    join->last = last;
    join->number = join->shares = 0;
}

// Until STATEMENT, where the step then is.
static void reach(struct join *join, gimple *statement, struct inclusive_list *from)
{
    if (!join->open || gimple_bb(statement) != join->bb || !nobody_looks(join, statement))
        open(join, gimple_bb(statement), statement, from);
    join->last = join->step.statement = statement;
    join->step.is_behind = false;
}

static void change(struct join *join, struct inclusive_list *to)
{
    join->step.to = to;
    join->step.least = inclusive_list_common(join->step.least, to);
    join->step.cuts |= join->step.least != join->step.from;
}

static void move(struct join *join, const struct inclusive_action *action)
{
    reach(join, action->statement, action->from);
    change(join, action->to);
    if (is_gimple_call(action->statement))
        close(join);
}

static void come_back(struct join *join, const struct inclusive_action *action)
{
    gimple *call = action->statement;
    basic_block bb = gimple_bb(call);

    if (stmt_ends_bb_p(call))
        open(join, find_fallthru_edge(bb->succs)->dest, NULL, action->from);
    else
        open(join, bb, call, action->from);
    join->step.statement = call;
    join->step.is_behind = join->step.cuts = true;
    change(join, action->to);
}

static bool is_small(const struct inclusive_addition *addition,
                     unsigned HOST_WIDE_INT *number)
{
    *number = inclusive_is_constant(addition) ? inclusive_constant(addition)
                                              : INCLUSIVE_STEP_NUMBER;
    return *number < INCLUSIVE_STEP_NUMBER;
}

static void add(struct join *join, unsigned i, struct inclusive_list *state)
{
    const struct inclusive_addition *addition = &join->out->additions[i];
    unsigned shares = inclusive_list_depth(addition->list);
    unsigned HOST_WIDE_INT number;
    bool small = is_small(addition, &number);

    if (join->open && (!small || join->number + number >= INCLUSIVE_STEP_NUMBER ||
                       join->shares + shares > INCLUSIVE_STEP_SHARES))
        close(join);
    reach(join, addition->statement, state);
    join->number += number;
    join->shares += shares;
    if (!join->step.count++)
        join->step.first = i;
    if (join->step.counter < 0 && inclusive_fits_counter(addition))
        join->step.counter = join->out->counters++;
    if (!small)
        close(join);
}

static void join_action(struct join *join, const struct inclusive_action *action)
{
    switch (action->kind) {
    case INCLUSIVE_MOVE:
        return move(join, action);
    case INCLUSIVE_LEAVE:
    case INCLUSIVE_CHECK:
        return come_back(join, action);
    case INCLUSIVE_LAND:
        open(join, action->bb, NULL, action->to);
        join->step.cuts = true;
        return;
    case INCLUSIVE_SUM:
        for (unsigned i = 0; i < action->count; i++)
            add(join, action->first + i, action->from);
        return;
    case INCLUSIVE_STEP:
        gcc_unreachable();
    }
}

void inclusive_join_actions(struct inclusive_actions *actions)
{
    struct join join = {actions, false, {}, NULL, NULL, 0, 0};
    auto_vec<inclusive_action> before;

    before.safe_splice(actions->actions);
    actions->actions.truncate(0);
    actions->counters = 0;
    for (const inclusive_action &action : before)
        join_action(&join, &action);
    close(&join);
}
