// SPDX-License-Identifier: GPL-3.0-or-later
// Finds leaf calls and tail calls, and corrects GCC's assumptions that a function is
// pure or that a call changes no memory.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"

// Returns true for functions of the exception runtime that call nothing of the program.
static bool is_exception_runtime(tree function)
{
    static const char *const names[] = {"_Unwind_Resume", "__cxa_begin_catch",
                                        "__cxa_get_exception_ptr"};
    tree name = DECL_NAME(function);

    if (fndecl_built_in_p(function, BUILT_IN_UNWIND_RESUME))
        return true;
    for (const char *known : names)
        if (name && id_equal(name, known) && DECL_EXTERNAL(function))
            return true;
    return false;
}

static bool is_leaf(tree function, int flags)
{
    if (is_exception_runtime(function))
        return true;
    return flags & ECF_LEAF && (fndecl_built_in_p(function) ||
                                in_system_header_at(DECL_SOURCE_LOCATION(function)));
}

bool leaf_is_function(tree function)
{
    return is_leaf(function, flags_from_decl_or_type(function));
}

bool leaf_is_call(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (gimple_call_internal_p(call))
        return true;
    return function && is_leaf(function, gimple_call_flags(call));
}

#define BLOCKS_MOST 16 // maximum number of blocks between a call and the return

static hash_set<gimple *> *calls, *recursions;
static hash_set<edge> *passed_edges;

namespace
{
// The path from a call to the return.
struct path {
    tree value;       // the present name of the call's result, or NULL
    bool accumulates; // a sum or product of the result was computed
    edge edges[BLOCKS_MOST];
    unsigned count;
};

enum step { STEP_ON, STEP_RETURNS, STEP_NO };
} // namespace

static bool does_nothing(gimple *statement)
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

static bool copies_value(const gassign *assign)
{
    tree to = TREE_TYPE(gimple_assign_lhs(assign));
    tree from = TREE_TYPE(gimple_assign_rhs1(assign));

    return gimple_assign_single_p(assign) ||
           (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(assign)) &&
            TYPE_MODE(to) == TYPE_MODE(from));
}

// If VALUE is the result of a recursive call, GCC turns the recursion into a loop, which
// computes such a sum or product (tree-tailcall.cc).
static bool is_sum_or_product(const gassign *assign, tree value)
{
    enum tree_code code = gimple_assign_rhs_code(assign);

    return (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR ||
            code == NEGATE_EXPR) &&
           (gimple_assign_rhs1(assign) == value || gimple_assign_rhs2(assign) == value);
}

static enum step pass_statement(struct path *path, gimple *statement)
{
    if (does_nothing(statement))
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
    else if (!copies_value(assign) || gimple_assign_rhs1(assign) != path->value)
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

// Follows the edge. After the edge the result may have another name.
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
        if (path->count == BLOCKS_MOST || !single_succ_p(bb) ||
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

static void classify_call(gcall *call)
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
        passed_edges->add(path.edges[i]);
}

// Returns true if a callee might read the function's frame. In this case no call can
// become a jump.
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
    passed_edges = new hash_set<edge>;
    bool has_jumps = optimize && flag_optimize_sibling_calls && !needs_frame();
    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            // Calls with the attribute musttail become jumps without optimisation too.
            if (call && (has_jumps || gimple_call_must_tail_p(call)))
                classify_call(call);
        }
    }
}

void tailcall_forget(void)
{
    delete calls;
    delete recursions;
    delete passed_edges;
    calls = recursions = NULL;
    passed_edges = NULL;
}

bool tailcall_is(gimple *statement)
{
    gcc_assert(calls); // called between tailcall_find and tailcall_forget
    return calls->contains(statement);
}

bool tailcall_is_recursion(gimple *statement)
{
    return recursions->contains(statement);
}

bool tailcall_passes(edge e)
{
    return passed_edges->contains(e);
}

typedef hash_set<int_hash<unsigned, (unsigned)-1, (unsigned)-2>> number_set;

// The functions whose purity was removed, by DECL_UID.
static number_set *pure;

void purity_forget(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    if (!pure)
        pure = new number_set;
    if ((TREE_READONLY(function) || DECL_PURE_P(function)) &&
        !DECL_LOOPING_CONST_OR_PURE_P(function))
        pure->add(DECL_UID(function));
    node->set_const_flag(false, false);
    node->set_pure_flag(false, false);
}

void purity_forget_of_call(gcall *call)
{
    tree type = gimple_call_fntype(call);

    gimple_call_set_fntype(
        call, build_qualified_type(type, TYPE_QUALS(type) & ~TYPE_QUAL_CONST));
}

bool purity_was(const_tree function)
{
    return pure && pure->contains(DECL_UID(function));
}

bool purity_holds(const_tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    return !(node && node->definition) &&
           (fndecl_built_in_p(function) || DECL_ARTIFICIAL(function) ||
            in_system_header_at(DECL_SOURCE_LOCATION(function)));
}

void modref_may_change(tree type)
{
    alias_set_type set = flag_strict_aliasing ? get_alias_set(type) : 0;
    modref_access_node any = {0, -1, -1, 0, MODREF_GLOBAL_MEMORY_PARM, false, 0};
    cgraph_node *node;

    FOR_EACH_FUNCTION (node) {
        modref_summary *summary = get_modref_function_summary(node);
        if (!summary)
            continue;
        summary->loads->insert(node->decl, set, set, any, false);
        summary->stores->insert(node->decl, set, set, any, false);
        summary->global_memory_read = summary->global_memory_written = true;
    }
}
