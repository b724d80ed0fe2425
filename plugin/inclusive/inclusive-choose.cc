// SPDX-License-Identifier: GPL-3.0-or-later
// Tells how long the code of a function takes, and chooses which functions have it in
// line, which is fast, and which have steps, which are small: it is in line as long as it
// is little, or not more than what the function itself does. Of functions that are not
// the program's own, such as the templates of a library, it is to be less.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive_step.h"

// In bytes, as on x86-64.
#define LITTLE      4000
#define LITTLE_OUT  400 // of others' functions
#define OF_MOVE     25
#define OF_LEAVE    40
#define OF_CHECK    29
#define OF_LAND     15
#define OF_SUM      15
#define OF_SHARE    18
#define INSTRUCTION 4

// In instructions: of one source, and of each more.
#define TIME_OF_MOVE  12
#define TIME_OF_MORE  10
#define TIME_OF_CHECK 3
#define TIME_OF_SUM   2
#define TIME_OF_SHARE 4

static unsigned size_of(const struct inclusive_action *action,
                        const struct inclusive_actions *actions)
{
    switch (action->kind) {
    case INCLUSIVE_MOVE:
        return OF_MOVE;
    case INCLUSIVE_LEAVE:
        return OF_LEAVE;
    case INCLUSIVE_CHECK:
        return OF_CHECK;
    case INCLUSIVE_LAND:
        return OF_LAND;
    case INCLUSIVE_SUM:
        return OF_SUM + OF_SHARE * inclusive_count_shares(action, actions->additions);
    case INCLUSIVE_STEP:
        break;
    }
    return 0;
}

static unsigned size_in_line(const struct inclusive_actions *actions)
{
    unsigned size = OF_MOVE * actions->edges.length();

    for (const inclusive_action &action : actions->actions)
        size += size_of(&action, actions);
    return size;
}

// Without what counts, which goes.
static unsigned size_of_function(const struct inclusive_actions *actions)
{
    unsigned instructions = 0;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (!is_gimple_debug(gsi_stmt(gsi)))
                instructions += estimate_num_insns(gsi_stmt(gsi), &eni_size_weights);
    unsigned counting = 3 * actions->additions.length();
    return INSTRUCTION * (instructions > counting ? instructions - counting : 0);
}

// A call before the asm that reads such a variable would change it (GCC: the manual,
// "Local Register Variables").
static bool has_register_variable(void)
{
    unsigned i;
    tree variable;

    FOR_EACH_LOCAL_DECL (cfun, i, variable)
        if (VAR_P(variable) && DECL_HARD_REGISTER(variable))
            return true;
    return false;
}

bool inclusive_wants_steps(const struct inclusive_actions *actions)
{
    bool is_own = !in_system_header_at(DECL_SOURCE_LOCATION(current_function_decl));
    unsigned size = size_in_line(actions);

    if (options.trace || !inclusive_step_is_possible() || has_register_variable() ||
        inclusive_pairs_count() >= INCLUSIVE_STEP_PAIRS)
        return false;
    return optimize_function_for_size_p(cfun) ||
           (size > (is_own ? LITTLE : LITTLE_OUT) && size > size_of_function(actions));
}

static unsigned time_of_move(const struct inclusive_list *from,
                             const struct inclusive_list *to)
{
    unsigned a = inclusive_list_depth(from), b = inclusive_list_depth(to);

    return a == b ? 2 * TIME_OF_MOVE
                  : TIME_OF_MOVE + TIME_OF_MORE * (MAX(a, b) - MIN(a, b) - 1);
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

static basic_block block_of(const struct inclusive_action *action,
                            const struct inclusive_actions *actions)
{
    if (action->kind == INCLUSIVE_SUM)
        return gimple_bb(actions->additions[action->first].statement);
    return action->bb ? action->bb : gimple_bb(action->statement);
}

double inclusive_expect_time(const struct inclusive_actions *actions)
{
    double sum = 0;

    for (const inclusive_action &action : actions->actions)
        sum += double(time_of(&action, actions)) *
               block_of(&action, actions)->count.to_frequency(cfun);
    for (const auto &move : actions->edges)
        sum += double(time_of_move(move.second.from, move.second.to)) *
               move.first->count().to_frequency(cfun);
    return sum;
}
