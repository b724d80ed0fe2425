// SPDX-License-Identifier: GPL-3.0-or-later
// Puts marks before indirect calls, and replaces them after optimisation by calls of
// the stub that count the targets.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"
#include "plugin/count/targets.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/label/sites.h"
#include "plugin/count/counter.h"

#define MARK  "# ccprof target"
#define EACH  "ccprof_attach_target"
#define FIRST "ccprof_attach_first"

// Functions of the stub: each_hook is called for each call, first_hook only for targets
// other than the first one.
static tree each_hook, first_hook;

static const struct ggc_root_tab roots[] = {
    {&each_hook, 1, sizeof each_hook, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&first_hook, 1, sizeof first_hook, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

void targets_mark(gimple_stmt_iterator *gsi, tree target, tree variable)
{
    gasm *mark = asmmark_make(MARK, target, variable);

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

static void mark_calls(function *fun)
{
    basic_block bb;

    // Asm statements are not allowed in a transaction.
    if (flag_tm || !counter_wants(fun->decl))
        return;
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            tree target = call ? targets_of(call) : NULL_TREE;
            if (target)
                targets_mark(&gsi, target, NULL_TREE);
        }
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

static void insert_call(gimple_stmt_iterator gsi, tree hook, tree site, const gasm *mark)
{
    gcall *call = gimple_build_call(hook, 2, site, asmmark_value(mark));

    gimple_set_location(call, gimple_location(mark));
    gsi_insert_before(&gsi, call, GSI_SAME_STMT);
}

static void lower_site_mark(gasm *mark)
{
    tree scope = scopes_of_block(gimple_block(mark));
    unsigned site = sites_find(scope ? scope : scopes_root(), gimple_location(mark));

    if (!each_hook)
        each_hook = make_hook(EACH);
    if (site)
        insert_call(gsi_for_stmt(mark), each_hook, sites_address(site), mark);
}

static void lower_variable_mark(gasm *mark)
{
    tree site = build_fold_addr_expr(asmmark_variable(mark));

    if (!first_hook)
        first_hook = make_hook(FIRST);
    insert_call(asmmark_branch(mark, NE_EXPR, asmmark_value(mark)), first_hook, site,
                mark);
}

static void lower_mark(gasm *mark)
{
    if (asmmark_variable(mark))
        lower_variable_mark(mark);
    else
        lower_site_mark(mark);
}

static void lower_marks(function *fun)
{
    asmmark_lower(fun, MARK, lower_mark);
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
