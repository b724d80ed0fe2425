// SPDX-License-Identifier: GPL-3.0-or-later
// keep_tailcalls: on request, prevents GCC from turning calls into jumps. Then the caller
// stays on the stack, and its column `stack' contains the callee's costs.
//
// GCC turns recursive calls into loops (the passes tailr). Later it marks the calls that
// may become jumps (the pass tailc). If no call may become a jump, these passes are
// disabled. If only recursive calls may become jumps, a pass after tailc removes the
// marks of the other calls. Marks made before tailc remain: the language requires a jump
// where a coroutine continues with another one.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/mark/mark.h"

bool keep_tailcalls_has_pass(void)
{
    return options.tail_calls == OPTIONS_TAIL_CALLS_SELF_ONLY;
}

// Disables the passes. -fno-optimize-sibling-calls would not be enough: it has no effect
// on functions with options of their own.
static void decide_gate(void *runs, void *)
{
    if (!strcmp(current_pass->name, "tailr") || !strcmp(current_pass->name, "tailc"))
        *(bool *)runs = false;
}

void keep_tailcalls_register(const char *plugin)
{
    if (options.tail_calls == OPTIONS_TAIL_CALLS_NEVER)
        register_callback(plugin, PLUGIN_OVERRIDE_GATE, decide_gate, NULL);
}

// The calls of the current function that were marked before tailc.
static hash_set<gcall *> *marked;

static bool may_jump(gcall *call)
{
    return gimple_call_must_tail_p(call) || marked->contains(call) ||
           gimple_call_fndecl(call) == current_function_decl;
}

static void note_marked(gcall *call)
{
    if (gimple_call_tail_p(call))
        marked->add(call);
}

static void remove_mark(gcall *call)
{
    if (!may_jump(call))
        gimple_call_set_tail(call, false);
}

static void for_each_call(function *fun, void (*act)(gcall *call))
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                act(call);
    }
}

static void execute_before(function *fun)
{
    delete marked;
    marked = new hash_set<gcall *>;
    for_each_call(fun, note_marked);
}

opt_pass *passes_make_note_tailcalls(void)
{
    return pass_make("ccprof_tailcalls_before", PASS_CFG, execute_before);
}

static void execute_after(function *fun)
{
    for_each_call(fun, remove_mark);
}

opt_pass *passes_make_keep_tailcalls(void)
{
    return pass_make("ccprof_tailcalls", PASS_CFG, execute_after);
}
