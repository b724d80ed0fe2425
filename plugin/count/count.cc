// SPDX-License-Identifier: GPL-3.0-or-later
// count: makes each source function count its calls, for the kind count.  The function's
// first statement adds 1 to a counter (counter.h), before anything is inlined: so every
// inlined copy counts, and what the optimisers delete leaves a counter behind.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/callers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/callsite.h"
#include "plugin/count/absent.h"
#include "plugin/count/counter.h"
#include "plugin/count/edges.h"

static const char *assembler_name(tree function)
{
    return DECL_ASSEMBLER_NAME_SET_P(function)
               ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function))
               : "";
}

// Where a constructor or destructor is C1 or C2, D1 or D2, the common body is C4 or D4;
// of an inherited constructor CI1, CI2 and CI4.
static bool is_common_body(const char *body, const char *name)
{
    size_t i = 0;

    while (body[i] && body[i] == name[i])
        i++;
    bool inherits = i > 1 && body[i - 2] == 'C' && body[i - 1] == 'I';
    return i > 0 && (inherits || strchr("CD", body[i - 1])) && body[i] == '4' &&
           name[i] && !strcmp(body + i + 1, name + i + 1);
}

// Instead of several bodies of a constructor or destructor there may be calls of one that
// they have in common (GCC: cp/optimize.cc, maybe_thunk_body).
static bool calls_common_body(function *fun)
{
    const char *name = assembler_name(fun->decl);
    basic_block bb;

    if (!DECL_CXX_CONSTRUCTOR_P(fun->decl) && !DECL_CXX_DESTRUCTOR_P(fun->decl))
        return false;
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
            if (callee && is_common_body(assembler_name(callee), name))
                return true;
        }
    }
    return false;
}

static bool calls_counted(const gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

    return node && node->definition && counter_wants(callee);
}

// A coroutine resumes another one by a call that the front end marks as a tail call.  A
// counter in the code where an exception of the call lands would keep that code, and GCC
// stops at a tail call that has such code (GCC: cp/coroutines.cc, build_actor_fn).
static void forget_landing(function *fun)
{
    basic_block bb;
    bool changed = false;

    FOR_EACH_BB_FN (bb, fun) {
        gimple *last = compat_last_stmt(bb);
        const gcall *call = last ? dyn_cast<const gcall *>(last) : NULL;
        if (call && gimple_call_tail_p(call) && remove_stmt_from_eh_lp(last))
            changed |= gimple_purge_dead_eh_edges(bb);
    }
    if (changed)
        delete_unreachable_blocks();
}

static void prepare(function *fun)
{
    basic_block bb;

    absent_note();
    returns_note();
    if (options_adds_inclusive())
        recursion_note();
    if (counter_wants(fun->decl)) {
        purity_forget(fun->decl);
        forget_landing(fun);
    }
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                if (calls_counted(call))
                    purity_forget_of_call(call);
    }
}

opt_pass *passes_make_count_prepare(void)
{
    return pass_make("ccprof_count_prepare", PASS_CFG, prepare);
}

static void execute(function *fun)
{
    bool calls = !names_is_entry(fun->decl) && !calls_common_body(fun);

    if (!counter_wants(fun->decl))
        return;
    if (calls)
        absent_forget(fun->decl);
    if (options.blocks || options.branch)
        edges_count(calls);
    else if (calls)
        gsi_insert_seq_on_edge_immediate(
            single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
            counter_addition(counter_make(), UNKNOWN_LOCATION));
}

// What has branches whose time or bytes are to be told, and no counts.
static void tell(function *fun)
{
    if (counter_wants(fun->decl))
        edges_tell();
}

opt_pass *passes_make_branches(void)
{
    return pass_make("ccprof_branches", PASS_CFG, tell);
}

static void note(function *)
{
    returns_note();
}

opt_pass *passes_make_branches_prepare(void)
{
    return pass_make("ccprof_branches_prepare", PASS_CFG, note);
}

opt_pass *passes_make_count(void)
{
    return pass_make("ccprof_count", PASS_SSA_MEMORY, execute);
}
