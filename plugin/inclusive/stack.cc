// SPDX-License-Identifier: GPL-3.0-or-later
// The pass.

#include "plugin/gcc/compat.h"
#include "plugin/inclusive/stack.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/cells.h"
#include "plugin/inclusive/stack-inside.h"
#include "rt/format.h"

// So many moves of a function, of one source each, are in line.
#define IN_LINE 4

static bool enters(const struct stack_actions *actions)
{
    for (const stack_action &action : actions->actions)
        if (action.kind != STACK_SUM)
            return true;
    return !actions->edges.is_empty();
}

static unsigned count_moves(const struct stack_actions *actions)
{
    unsigned count = actions->edges.length();

    for (const stack_action &action : actions->actions)
        count += action.kind == STACK_MOVE || action.kind == STACK_LEAVE;
    return count;
}

static void act(const struct stack_action *action, const struct stack_actions *actions,
                const struct stack_frame *frame, unsigned row, bool is_call)
{
    switch (action->kind) {
    case STACK_MOVE:
        return stack_do_move(action, frame, is_call);
    case STACK_LEAVE:
        return stack_do_leave(action, frame, is_call);
    case STACK_CHECK:
        return stack_do_check(action, frame);
    case STACK_LAND:
        return stack_do_land(action, frame);
    case STACK_SUM:
        return stack_do_sum(action, actions->additions, frame, row);
    case STACK_STEP:
        return stack_do_step(action, actions, frame, row);
    }
}

static void instrument(struct stack_actions *actions)
{
    bool is_call = count_moves(actions) > IN_LINE;
    bool does_enter = enters(actions), in_steps = stack_wants_steps(actions);
    struct stack_frame frame;

    if (actions->actions.is_empty() && actions->edges.is_empty())
        return;
    if (in_steps)
        stack_join_actions(actions);
    unsigned row = actions->cells ? cells_make(actions->cells) : 0;
    if (in_steps)
        stack_make_frame_of_steps(&frame, does_enter);
    else
        stack_make_frame(&frame, does_enter);
    for (const stack_action &action : actions->actions)
        act(&action, actions, &frame, row, is_call);
    for (const auto &move : actions->edges)
        gsi_insert_seq_on_edge(
            move.first, in_steps ? stack_step_statements(&move.second, &frame)
                                 : stack_move_statements(&move.second, &frame, is_call));
    gsi_commit_edge_inserts();
}

static void instrument_function(void)
{
    struct stack_actions actions = {};
    struct stack_block *blocks = stack_find_points();

    stack_plan(blocks);
    stack_find_actions(&actions, blocks);
    instrument(&actions);
    delete[] blocks;
    stack_lists_end();
}

// Nothing is measured of it.
static void drop_amounts(void)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
            gimple *stmt = gsi_stmt(gsi);
            gsi_next(&gsi);
            if (stack_is_amount(stmt))
                stack_drop_amount(stmt);
        }
    }
}

static void execute(function *fun)
{
    if (lookup_attribute("naked", DECL_ATTRIBUTES(fun->decl)))
        drop_amounts();
    else
        instrument_function();
}

opt_pass *passes_make_stack(void)
{
    return pass_make("ccprof_stack", PASS_SSA_MEMORY, execute);
}

void stack_register(const char *plugin)
{
    stack_code_register(plugin);
    stack_pairs_register(plugin);
}
