// SPDX-License-Identifier: GPL-3.0-or-later
// The pass: plans, chooses and has the code put in.

#include "plugin/gcc/compat.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/untouched.h"
#include "plugin/count/storage.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "rt/format.h"

// So many moves of a function, of one source each, are in line.
#define IN_LINE 4

// What is expected to gain less is often slower, since what GCC expects is a guess, and a
// way through a function that enters nothing needs fewer registers.
#define GAINS_MUCH 0.6

static bool enters(const struct inclusive_actions *actions)
{
    for (const inclusive_action &action : actions->actions)
        if (action.kind != INCLUSIVE_SUM)
            return true;
    return !actions->edges.is_empty();
}

static unsigned count_moves(const struct inclusive_actions *actions)
{
    unsigned count = actions->edges.length();

    for (const inclusive_action &action : actions->actions)
        count += action.kind == INCLUSIVE_MOVE || action.kind == INCLUSIVE_LEAVE;
    return count;
}

static void act(const struct inclusive_action *action,
                const struct inclusive_actions *actions,
                const struct inclusive_frame *frame, unsigned row, bool is_call)
{
    switch (action->kind) {
    case INCLUSIVE_MOVE:
        return inclusive_do_move(action, frame, is_call);
    case INCLUSIVE_LEAVE:
        return inclusive_do_leave(action, frame, is_call);
    case INCLUSIVE_CHECK:
        return inclusive_do_check(action, frame);
    case INCLUSIVE_LAND:
        return inclusive_do_land(action, frame);
    case INCLUSIVE_SUM:
        return inclusive_do_sum(action, actions->additions, frame, row);
    case INCLUSIVE_STEP:
        return inclusive_do_step(action, actions, frame, row);
    }
}

static void instrument(struct inclusive_actions *actions)
{
    bool is_call = count_moves(actions) > IN_LINE;
    bool does_enter = enters(actions), in_steps = inclusive_wants_steps(actions);
    struct inclusive_frame frame;

    if (actions->actions.is_empty() && actions->edges.is_empty())
        return;
    if (in_steps)
        inclusive_join_actions(actions);
    unsigned row = actions->counters ? storage_make_row(actions->counters) : 0;
    if (in_steps)
        inclusive_make_frame_of_steps(&frame, does_enter);
    else
        inclusive_make_frame(&frame, does_enter);
    for (const inclusive_action &action : actions->actions)
        act(&action, actions, &frame, row, is_call);
    inclusive_branch_checks(&frame);
    for (const auto &move : actions->edges)
        gsi_insert_seq_on_edge(
            move.first, in_steps
                            ? inclusive_step_statements(&move.second, &frame)
                            : inclusive_move_statements(&move.second, &frame, is_call));
    gsi_commit_edge_inserts();
}

// Whether the function's own source had better be entered where it begins, and stay so.
static bool is_better(const struct inclusive_actions *early,
                      const struct inclusive_actions *late)
{
    return optimize && !options.trace && enters(late) &&
           cfun->cfg->count_max.initialized_p() &&
           inclusive_expect_time(early) < GAINS_MUCH * inclusive_expect_time(late);
}

static void find_actions(struct inclusive_actions *actions,
                         struct inclusive_block *blocks, struct inclusive_list *entered)
{
    inclusive_plan(blocks, entered);
    inclusive_find_actions(actions, blocks);
}

static void instrument_function(void)
{
    struct inclusive_actions late = {}, early = {};
    struct inclusive_block *blocks = inclusive_find_points();

    find_actions(&late, blocks, NULL);
    find_actions(&early, blocks, inclusive_list_of(scopes_root()));
    instrument(is_better(&early, &late) ? &early : &late);
    delete[] blocks;
    inclusive_lists_end();
}

// Nothing is measured of it.
static void drop_amounts(void)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
            gimple *stmt = gsi_stmt(gsi);
            gsi_next(&gsi);
            if (inclusive_is_amount(stmt))
                inclusive_drop_amount(stmt);
        }
    }
}

static void execute(function *fun)
{
    if (untouched_is(fun->decl))
        drop_amounts();
    else
        instrument_function();
}

opt_pass *passes_make_inclusive(void)
{
    return pass_make("ccprof_inclusive", PASS_SSA_MEMORY, execute);
}

void inclusive_register(const char *plugin)
{
    inclusive_code_register(plugin);
    inclusive_pairs_register(plugin);
}
