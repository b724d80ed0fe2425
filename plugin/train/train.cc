// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/counter.h"
#include "plugin/gcc/passes.h"
#include "plugin/train/train-graph.h"
#include "plugin/train/train-values.h"
#include "plugin/train/train.h"

static bool is_builtin(cgraph_node *node)
{
    return DECL_SOURCE_LOCATION(node->decl) == BUILTINS_LOCATION;
}

// Whether GCC would profile the function (GCC: tree-profile.cc, tree_profiling).
static bool is_profiled(cgraph_node *node)
{
    return (gimple_has_body_p(node->decl) || node->thunk) && !is_builtin(node) &&
           !(node->thunk && stdarg_p(TREE_TYPE(node->decl))) &&
           !lookup_attribute("no_profile_instrument_function",
                             DECL_ATTRIBUTES(node->decl)) &&
           counter_wants(node->decl);
}

static void put_marks(struct train_function *told, const vec<edge> &counted)
{
    train_values_find(told);
    train_positions_find(&told->positions, told->indirect);
    uint64_t flow = train_keep(told);

    train_values_mark(flow, told);
    for (unsigned i = 0; i < counted.length(); i++)
        gsi_insert_seq_on_edge(
            counted[i],
            counter_addition(counter_make_for_edge(flow, i, false), UNKNOWN_LOCATION));
    gsi_commit_edge_inserts();
}

// Of a thunk, which the second build reads before it is a function with a graph, calls
// alone are counted, and there are no checksums.
static void mark(cgraph_node *node, bool is_thunk)
{
    struct train_function told = {};
    auto_vec<edge> counted;

    // What is known to be pure now may have other ways out than before.
    if (execute_fixup_cfg() & TODO_cleanup_cfg)
        cleanup_tree_cfg();
    told.ident = node->profile_id;
    if (is_thunk) {
        counted.safe_push(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    } else {
        told.checksum = train_graph_make(&counted, &told.arcs);
        told.blocks = n_basic_blocks_for_fn(cfun);
        told.lineno = coverage_compute_lineno_checksum();
    }
    told.counters = counted.length();
    if (told.counters)
        put_marks(&told, counted);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}

// No call of what counts may be saved.
static void forget_purity(cgraph_node *node)
{
    node->set_const_flag(false, false);
    node->set_pure_flag(false, false);
}

// What calls are known to do has changed, and blocks that were split may be joined.
static void update(void)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (is_gimple_call(gsi_stmt(gsi)))
                update_stmt(gsi_stmt(gsi));
    cleanup_tree_cfg();
    update_ssa(TODO_update_ssa);
    cgraph_edge::rebuild_edges();
}

static bool has_own_body(cgraph_node *node)
{
    return gimple_has_body_p(node->decl) &&
           (!node->clone_of || node->decl != node->clone_of->decl) && !is_builtin(node);
}

static void execute(function *)
{
    cgraph_node *node;

    init_node_map(true);
    FOR_EACH_DEFINED_FUNCTION (node) {
        if (!is_profiled(node)) {
            // Nor is it told as a callee.
            node->profile_id = 0;
            continue;
        }
        bool is_thunk = node->thunk;
        if (is_thunk)
            expand_thunk(node, false, true);
        push_cfun(DECL_STRUCT_FUNCTION(node->decl));
        mark(node, is_thunk);
        pop_cfun();
    }
    del_node_map();
    FOR_EACH_DEFINED_FUNCTION (node)
        if (has_own_body(node))
            forget_purity(node);
    FOR_EACH_DEFINED_FUNCTION (node) {
        if (!has_own_body(node))
            continue;
        push_cfun(DECL_STRUCT_FUNCTION(node->decl));
        update();
        pop_cfun();
    }
}

opt_pass *passes_make_train(void)
{
    return pass_make("ccprof_train", PASS_UNIT, execute);
}

// Functions are split before they are inlined, but not where GCC takes a profile (GCC:
// ipa-split.cc, pass_split_functions::gate): the graphs would be others.
static void keep_whole(void *result, void *)
{
    if (!strcmp(current_pass->name, "fnsplit"))
        *(bool *)result = false;
}

void train_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_OVERRIDE_GATE, keep_whole, NULL);
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, train_take, NULL);
}
