// SPDX-License-Identifier: GPL-3.0-or-later
// The pass makes two plans for each function, and chooses one by the cost of their
// actions. In the first plan the function's own source is entered as late as possible. In
// the second plan it is entered at the start of the function. The second one is chosen if
// it is expected to be much faster.
//
// The actions are carried out in line, which is fast, if the code is small or not larger
// than the function itself. Otherwise they are carried out in steps, whose code is small.
// The limit is lower for library functions, such as templates.

#include "plugin/gcc/compat.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/filter.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"

// The early plan is chosen if it takes less than this fraction of the late plan's time. A
// smaller gain is often a loss, because GCC's expectation is a guess, and a path that
// enters nothing needs fewer registers.
#define MAX_TIME_RATIO 0.6

// Sizes in bytes, as on x86-64.
#define MAX_SIZE            4000
#define MAX_SIZE_OF_LIBRARY 400 // for library functions
#define SIZE_OF_MOVE        25
#define SIZE_OF_LEAVE       40
#define SIZE_OF_CHECK       29
#define SIZE_OF_LAND        15
#define SIZE_OF_SUM         15
#define SIZE_OF_SHARE       18
#define SIZE_OF_INSTRUCTION 4

// Times in instructions. A move has one time for its first source, and one for each
// further source.
#define TIME_OF_MOVE         12
#define TIME_OF_FURTHER_MOVE 10
#define TIME_OF_CHECK        3
#define TIME_OF_SUM          2
#define TIME_OF_SHARE        4

static unsigned size_of(const struct inclusive_action *action,
                        const struct inclusive_actions *actions)
{
    switch (action->kind) {
    case INCLUSIVE_MOVE:
        return SIZE_OF_MOVE;
    case INCLUSIVE_LEAVE:
        return SIZE_OF_LEAVE;
    case INCLUSIVE_CHECK:
        return SIZE_OF_CHECK;
    case INCLUSIVE_LAND:
        return SIZE_OF_LAND;
    case INCLUSIVE_SUM:
        return SIZE_OF_SUM +
               SIZE_OF_SHARE * inclusive_count_shares(action, actions->additions);
    case INCLUSIVE_STEP:
        break;
    }
    return 0;
}

// Returns the size of the function without the additions, which will be replaced.
static unsigned size_of_function(const struct inclusive_actions *actions)
{
    unsigned instructions = 0;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (!is_gimple_debug(gsi_stmt(gsi)))
                instructions += estimate_num_insns(gsi_stmt(gsi), &eni_size_weights);
    unsigned counting = 3 * actions->additions.length();
    return SIZE_OF_INSTRUCTION * (instructions > counting ? instructions - counting : 0);
}

// Returns true if the function has a variable in a fixed register. A call before the asm
// that reads the variable would change it (GCC: the manual, "Local Register Variables").
static bool has_register_variable(void)
{
    unsigned i;
    tree variable;

    FOR_EACH_LOCAL_DECL (cfun, i, variable)
        if (VAR_P(variable) && DECL_HARD_REGISTER(variable))
            return true;
    return false;
}

static bool needs_steps(const struct inclusive_actions *actions)
{
    bool is_own = !in_system_header_at(DECL_SOURCE_LOCATION(current_function_decl));
    unsigned size = SIZE_OF_MOVE * actions->edges.length();

    if (options.trace || !inclusive_step_is_possible() || has_register_variable() ||
        inclusive_pairs_count() >= INCLUSIVE_STEP_PAIRS)
        return false;
    if (optimize_function_for_size_p(cfun))
        return true;
    for (const inclusive_action &action : actions->actions)
        size += size_of(&action, actions);
    return size > (is_own ? MAX_SIZE : MAX_SIZE_OF_LIBRARY) &&
           size > size_of_function(actions);
}

static unsigned time_of_move(const struct inclusive_list *from,
                             const struct inclusive_list *to)
{
    unsigned a = inclusive_list_depth(from), b = inclusive_list_depth(to);

    return a == b ? 2 * TIME_OF_MOVE
                  : TIME_OF_MOVE + TIME_OF_FURTHER_MOVE * (MAX(a, b) - MIN(a, b) - 1);
}

static unsigned time_of(const struct inclusive_action *action,
                        const struct inclusive_actions *actions)
{
    switch (action->kind) {
    case INCLUSIVE_MOVE:
    case INCLUSIVE_LEAVE:
        return time_of_move(action->from, action->to);
    case INCLUSIVE_CHECK:
        return TIME_OF_CHECK;
    case INCLUSIVE_SUM:
        return TIME_OF_SUM +
               TIME_OF_SHARE * inclusive_count_shares(action, actions->additions);
    case INCLUSIVE_LAND:
    case INCLUSIVE_STEP:
        break;
    }
    return 0;
}

// Returns the number of instructions that the actions execute, based on GCC's expected
// frequencies of the blocks.
static double expect_time(const struct inclusive_actions *actions)
{
    double sum = 0;

    for (const inclusive_action &action : actions->actions) {
        basic_block bb = action.bb;
        if (action.kind == INCLUSIVE_SUM)
            bb = gimple_bb(actions->additions[action.first].statement);
        else if (!bb)
            bb = gimple_bb(action.statement);
        sum += double(time_of(&action, actions)) * bb->count.to_frequency(cfun);
    }
    for (const auto &move : actions->edges)
        sum += double(time_of_move(move.second.from, move.second.to)) *
               move.first->count().to_frequency(cfun);
    return sum;
}

static void instrument_function(void)
{
    struct inclusive_actions late = {}, early = {};
    struct inclusive_block *blocks = inclusive_find_points();

    inclusive_plan(blocks, NULL);
    inclusive_find_actions(&late, blocks);
    inclusive_plan(blocks, inclusive_list_of(scopes_root()));
    inclusive_find_actions(&early, blocks);
    bool is_early = optimize && !options.trace && inclusive_actions_enter(&late) &&
                    cfun->cfg->count_max.initialized_p() &&
                    expect_time(&early) < MAX_TIME_RATIO * expect_time(&late);
    struct inclusive_actions *chosen = is_early ? &early : &late;
    inclusive_insert(chosen, needs_steps(chosen));
    delete[] blocks;
    inclusive_lists_end();
}

static void drop_amounts(void)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
            gimple *stmt = gsi_stmt(gsi);
            gsi_next(&gsi);
            if (inclusive_is_amount(stmt))
                inclusive_remove(stmt);
        }
    }
}

// A function that must not be changed measures nothing.
static void execute_inclusive(function *fun)
{
    if (filter_forbids_code(fun->decl))
        drop_amounts();
    else
        instrument_function();
}

opt_pass *passes_make_inclusive(void)
{
    return pass_make("ccprof_inclusive", PASS_SSA_MEMORY, execute_inclusive);
}

void inclusive_register(const char *plugin)
{
    inclusive_code_register(plugin);
    inclusive_pairs_register(plugin);
}
