// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses which functions have the code in line, which is fast, and which have steps,
// which are small: it is in line as long as it is little, or not more than what the
// function itself does. Of functions that are not the program's own, such as the
// templates of a library, it is to be less.

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
