// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/branch.h"
#include "plugin/count/targets.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/label/sites.h"
#include "plugin/count/counter.h"

#define MARK  "# ccprof target"
#define EACH  "ccprof_attach_target"
#define FIRST "ccprof_attach_first"

// What is called at each call, and what where the target is not the first one.
static tree each_hook, first_hook;

static const struct ggc_root_tab roots[] = {
    {&each_hook, 1, sizeof each_hook, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&first_hook, 1, sizeof first_hook, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

static tree make_input(const char *constraint, tree value)
{
    tree list =
        build_tree_list(NULL_TREE, build_string(strlen(constraint) + 1, constraint));
    return build_tree_list(list, value);
}

void targets_mark(gimple_stmt_iterator *gsi, tree target, tree variable)
{
    vec<tree, va_gc> *inputs = NULL;

    vec_safe_push(inputs, make_input("r", target));
    if (variable)
        vec_safe_push(inputs, make_input("i", build_fold_addr_expr(variable)));
    gasm *mark = gimple_build_asm_vec(MARK, inputs, NULL, NULL, NULL);
    gimple_asm_set_volatile(mark, true);
    gimple_set_location(mark, gimple_location(gsi_stmt(*gsi)));
    gsi_insert_before(gsi, mark, GSI_SAME_STMT);
}

tree targets_of(const gcall *call)
{
    if (gimple_call_internal_p(call) || gimple_call_fndecl(call))
        return NULL_TREE;
    tree target = gimple_call_fn(call);
    if (target && TREE_CODE(target) == OBJ_TYPE_REF)
        target = OBJ_TYPE_REF_EXPR(target);
    return target && is_gimple_val(target) ? target : NULL_TREE;
}

static void mark_call(gimple_stmt_iterator *gsi)
{
    gcall *call = dyn_cast<gcall *>(gsi_stmt(*gsi));
    tree target = call ? targets_of(call) : NULL_TREE;

    if (target)
        targets_mark(gsi, target, NULL_TREE);
}

static void mark_calls(function *fun)
{
    basic_block bb;

    // No asm statement may be in a transaction.
    if (flag_tm || !counter_wants(fun->decl))
        return;
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            mark_call(&gsi);
    }
}

opt_pass *passes_make_targets_mark(void)
{
    return pass_make("ccprof_targets_mark", PASS_SSA_MEMORY, mark_calls);
}

static tree make_hook(const char *name)
{
    tree hook =
        build_fn_decl(name, build_function_type_list(void_type_node, ptr_type_node,
                                                     ptr_type_node, NULL_TREE));
    TREE_NOTHROW(hook) = 1;
    artificial_hide(hook);
    return hook;
}

static bool is_mark(const gimple *statement)
{
    const gasm *mark = dyn_cast<const gasm *>(statement);

    return mark && !strcmp(gimple_asm_string(mark), MARK) && gimple_asm_ninputs(mark);
}

static tree scope_of(const gimple *statement)
{
    tree scope = scopes_of_block(gimple_block(statement));
    return scope ? scope : scopes_root();
}

static void put_call(gimple_stmt_iterator *gsi, tree hook, tree site, const gasm *mark)
{
    tree target = TREE_VALUE(gimple_asm_input_op(mark, 0));
    gcall *call = gimple_build_call(hook, 2, site, target);

    gimple_set_location(call, gimple_location(mark));
    gsi_insert_before(gsi, call, GSI_SAME_STMT);
}

static void tell_each(gasm *mark)
{
    unsigned site = sites_find(scope_of(mark), gimple_location(mark));
    gimple_stmt_iterator gsi = gsi_for_stmt(mark);

    if (!each_hook)
        each_hook = make_hook(EACH);
    if (site)
        put_call(&gsi, each_hook, sites_address(site), mark);
}

static void tell_others(gasm *mark)
{
    tree target = TREE_VALUE(gimple_asm_input_op(mark, 0));
    tree site = TREE_VALUE(gimple_asm_input_op(mark, 1));
    gimple_stmt_iterator gsi =
        gsi_start_bb(branch_make(mark, TREE_OPERAND(site, 0), NE_EXPR, target));

    if (!first_hook)
        first_hook = make_hook(FIRST);
    put_call(&gsi, first_hook, site, mark);
}

static void lower_mark(gasm *mark)
{
    (gimple_asm_ninputs(mark) > 1 ? tell_others : tell_each)(mark);
    gimple_stmt_iterator gsi = gsi_for_stmt(mark);
    unlink_stmt_vdef(mark);
    gsi_remove(&gsi, true);
}

static void lower_marks(function *fun)
{
    auto_vec<gasm *> marks;
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (is_mark(gsi_stmt(gsi)))
                marks.safe_push(as_a<gasm *>(gsi_stmt(gsi)));
    if (!marks.length())
        return;
    for (gasm *mark : marks)
        lower_mark(mark);
    branch_end(fun);
}

opt_pass *passes_make_targets(void)
{
    return pass_make("ccprof_targets", PASS_SSA_MEMORY, lower_marks);
}

void targets_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
}
