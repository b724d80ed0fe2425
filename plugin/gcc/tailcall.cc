// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/tailcall.h"
#include "plugin/gcc/options.h"

#define FURTHEST 16 // blocks from a call to the return

static hash_set<gimple *> *calls, *recursions;
static hash_set<edge> *passed;

namespace
{
// Where one is on the path from a call to the return.
struct path {
    tree value;       // of the call, or NULL
    bool accumulates; // something has been made of the value
    edge edges[FURTHEST];
    unsigned count;
};

enum step { STEP_ON, STEP_RETURNS, STEP_NO };
} // namespace

static bool is_nothing(gimple *statement)
{
    switch (gimple_code(statement)) {
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_DEBUG:
        return true;
    default:
        return gimple_clobber_p(statement);
    }
}

static bool keeps_bits(const gassign *assign)
{
    tree to = TREE_TYPE(gimple_assign_lhs(assign));
    tree from = TREE_TYPE(gimple_assign_rhs1(assign));

    return gimple_assign_single_p(assign) ||
           (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(assign)) &&
            TYPE_MODE(to) == TYPE_MODE(from));
}

// What GCC makes a loop of, if the value is that of a recursive call (tree-tailcall.cc).
static bool is_sum_or_product(const gassign *assign, tree value)
{
    enum tree_code code = gimple_assign_rhs_code(assign);

    return (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR ||
            code == NEGATE_EXPR) &&
           (gimple_assign_rhs1(assign) == value || gimple_assign_rhs2(assign) == value);
}

static enum step pass_statement(struct path *path, gimple *statement)
{
    if (is_nothing(statement))
        return STEP_ON;
    if (const greturn *back = dyn_cast<const greturn *>(statement)) {
        tree value = gimple_return_retval(back);
        return !value || value == path->value ? STEP_RETURNS : STEP_NO;
    }
    const gassign *assign = dyn_cast<const gassign *>(statement);
    if (!assign || !path->value)
        return STEP_NO;
    if (is_sum_or_product(assign, path->value))
        path->accumulates = true;
    else if (!keeps_bits(assign) || gimple_assign_rhs1(assign) != path->value)
        return STEP_NO;
    path->value = gimple_assign_lhs(assign);
    return STEP_ON;
}

static enum step pass_statements(struct path *path, gimple_stmt_iterator gsi)
{
    for (; !gsi_end_p(gsi); gsi_next(&gsi)) {
        enum step step = pass_statement(path, gsi_stmt(gsi));
        if (step != STEP_ON)
            return step;
    }
    return STEP_ON;
}

// What the value is called where the edge leads.
static void pass_edge(struct path *path, edge e)
{
    path->edges[path->count++] = e;
    for (gphi_iterator gsi = gsi_start_phis(e->dest); !gsi_end_p(gsi); gsi_next(&gsi)) {
        if (!path->value || PHI_ARG_DEF_FROM_EDGE(gsi.phi(), e) != path->value)
            continue;
        path->value = gimple_phi_result(gsi.phi());
        return;
    }
}

static bool leads_to_return(struct path *path, gimple *call)
{
    basic_block bb = gimple_bb(call);
    gimple_stmt_iterator gsi = gsi_for_stmt(call);

    gsi_next(&gsi);
    for (;;) {
        enum step step = pass_statements(path, gsi);
        if (step != STEP_ON)
            return step == STEP_RETURNS;
        if (path->count == FURTHEST || !single_succ_p(bb) ||
            single_succ_edge(bb)->flags & (EDGE_COMPLEX | EDGE_FAKE))
            return false;
        pass_edge(path, single_succ_edge(bb));
        bb = single_succ(bb);
        if (bb == EXIT_BLOCK_PTR_FOR_FN(cfun))
            return false;
        gsi = gsi_start_bb(bb);
    }
}

static bool may_be_jump(const gcall *call)
{
    if (gimple_call_must_tail_p(call))
        return true;
    switch (options.tail_calls) {
    case OPTIONS_TAIL_CALLS_NEVER:
        return false;
    case OPTIONS_TAIL_CALLS_SELF_ONLY:
        return gimple_call_fndecl(call) == current_function_decl;
    default:
        return true;
    }
}

static void look_at(gcall *call)
{
    struct path path = {gimple_call_lhs(call), false, {}, 0};

    if (gimple_call_internal_p(call) ||
        gimple_call_flags(call) & (ECF_NORETURN | ECF_RETURNS_TWICE) ||
        stmt_can_throw_internal(cfun, call) || !leads_to_return(&path, call) ||
        (path.accumulates && gimple_call_fndecl(call) != current_function_decl))
        return;
    if (path.accumulates)
        recursions->add(call);
    else if (may_be_jump(call))
        calls->add(call);
    else
        return;
    for (unsigned i = 0; i < path.count; i++)
        passed->add(path.edges[i]);
}

// The frame must stay where a callee might look into it.
static bool needs_frame(void)
{
    tree variable;
    unsigned i;

    if (cfun->calls_setjmp || cfun->calls_alloca || cfun->has_nonlocal_label)
        return true;
    FOR_EACH_LOCAL_DECL (cfun, i, variable)
        if (TREE_ADDRESSABLE(variable) && auto_var_p(variable))
            return true;
    return false;
}

void tailcall_find(void)
{
    basic_block bb;

    calls = new hash_set<gimple *>;
    recursions = new hash_set<gimple *>;
    passed = new hash_set<edge>;
    bool looks_for_them = optimize && flag_optimize_sibling_calls && !needs_frame();
    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            // Those with the attribute musttail become jumps at -O0, too.
            if (call && (looks_for_them || gimple_call_must_tail_p(call)))
                look_at(call);
        }
    }
}

void tailcall_forget(void)
{
    delete calls;
    delete recursions;
    delete passed;
    calls = recursions = NULL;
    passed = NULL;
}

bool tailcall_is(gimple *statement)
{
    gcc_assert(calls); // between tailcall_find and tailcall_forget
    return calls->contains(statement);
}

bool tailcall_is_recursion(gimple *statement)
{
    return recursions->contains(statement);
}

bool tailcall_passes(edge e)
{
    return passed->contains(e);
}
