// SPDX-License-Identifier: GPL-3.0-or-later
// The pass: the walk over a function that finds what is to be done to it.

#include "compat.h"
#include "stack.h"
#include "flow.h"
#include "options.h"
#include "passes.h"
#include "scopes.h"
#include "stack-inside.h"
#include "../rt/format.h"

bool stack_is_measured(void)
{
    return options.stack && !options_measures(CCPROF_KINDS_SAMPLED);
}

// Bytes, if they are measured, otherwise calls.
static bool adds_calls(void)
{
    return !options_measures(CCPROF_KIND_ALLOC);
}

struct sites {
    auto_vec<stack_site> additions, calls;
    auto_vec<gcall *> twice;         // calls that may return again
    auto_vec<basic_block> receivers; // control may come in from elsewhere
};

static tree scope_of(const gimple *stmt, tree state)
{
    tree scope = scopes_of_block(LOCATION_BLOCK(gimple_location(stmt)));

    if (!scope)
        scope = state;
    return scope ? scope : scopes_root();
}

static void find_in_statement(struct sites *sites, gimple *stmt, tree state)
{
    gcall *call = dyn_cast<gcall *>(stmt);

    if (adds_calls() && stack_stored_counter(stmt))
        sites->additions.safe_push({stmt, scope_of(stmt, state)});
    else if (stack_is_receiver(stmt))
        sites->receivers.safe_push(gimple_bb(stmt));
    else if (call && gimple_call_flags(call) & ECF_RETURNS_TWICE)
        sites->twice.safe_push(call);
    else if (call && stack_wants_call(call))
        sites->calls.safe_push({stmt, scope_of(stmt, state)});
}

static void find_sites(struct sites *sites)
{
    struct flow_state *states = flow_compute();
    basic_block bb;

    FOR_EACH_BB_FN(bb, cfun)
    {
        tree state = states[bb->index].at_start;
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            state = flow_after(gsi_stmt(gsi), state);
            find_in_statement(sites, gsi_stmt(gsi), state);
        }
    }
    free(states);
}

static void instrument_function(void)
{
    struct sites sites;
    struct stack_frame frame;

    find_sites(&sites);
    for (const struct stack_site &addition : sites.additions)
        stack_instrument_addition(&addition);
    if (sites.calls.is_empty())
        return;
    stack_make_frame(&frame);
    for (basic_block receiver : sites.receivers)
        stack_receive_in(receiver, &frame);
    for (gcall *call : sites.twice)
        stack_receive_behind(call, &frame);
    for (const struct stack_site &call : sites.calls)
        stack_instrument_call(&call, &frame);
}

static const pass_data stack_data = {
    GIMPLE_PASS,
    "ccprof_stack",
    OPTGROUP_NONE,
    TV_NONE,
    PROP_cfg | PROP_ssa,
    0,
    0,
    0,
    TODO_update_ssa_only_virtuals,
};

class stack_pass : public gimple_opt_pass
{
  public:
    stack_pass() : gimple_opt_pass(stack_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        if (!lookup_attribute("naked", DECL_ATTRIBUTES(fun->decl)))
            instrument_function();
        return 0;
    }
};

opt_pass *passes_make_stack(void)
{
    return new stack_pass;
}
