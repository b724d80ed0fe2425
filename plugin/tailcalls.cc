// SPDX-License-Identifier: GPL-3.0-or-later
// GCC makes loops of a function's calls of itself (the passes tailr) and, late, marks the
// calls that may become jumps (tailc).  Neither runs if no call may; otherwise the pass
// behind tailc takes the marks away again that are not wanted.

#include "compat.h"
#include "options.h"
#include "passes.h"
#include "tailcalls.h"

bool tailcalls_has_pass(void)
{
    return options.tail_calls == OPTIONS_TAIL_CALLS_SELF_ONLY;
}

// Not -fno-optimize-sibling-calls, which functions with options of their own forget.
static void decide_gate(void *runs, void *)
{
    if (!strcmp(current_pass->name, "tailr") || !strcmp(current_pass->name, "tailc"))
        *(bool *)runs = false;
}

void tailcalls_register(const char *plugin)
{
    if (options.tail_calls == OPTIONS_TAIL_CALLS_NEVER)
        register_callback(plugin, PLUGIN_OVERRIDE_GATE, decide_gate, NULL);
}

static bool may_jump(const gcall *call)
{
    return gimple_call_must_tail_p(call) ||
           gimple_call_fndecl(call) == current_function_decl;
}

static const pass_data tailcalls_data = {
    GIMPLE_PASS, "ccprof_tailcalls", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

class tailcalls_pass : public gimple_opt_pass
{
  public:
    tailcalls_pass() : gimple_opt_pass(tailcalls_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        basic_block bb;

        FOR_EACH_BB_FN(bb, fun)
        {
            for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
                 gsi_next(&gsi)) {
                gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
                if (call && !may_jump(call))
                    gimple_call_set_tail(call, false);
            }
        }
        return 0;
    }
};

opt_pass *passes_make_tailcalls(void)
{
    return new tailcalls_pass;
}
