// SPDX-License-Identifier: GPL-3.0-or-later
// The pass that puts marks on the arcs of a function. Also stops GCC from splitting
// functions before this pass.

#include "plugin/gcc/compat.h"
#include "plugin/count/counter.h"
#include "plugin/gcc/passes.h"
#include "plugin/train/train.h"

static bool is_builtin(cgraph_node *node)
{
    return DECL_SOURCE_LOCATION(node->decl) == BUILTINS_LOCATION;
}

// Returns true if GCC would profile the function (GCC: tree-profile.cc, tree_profiling).
static bool is_profiled(cgraph_node *node)
{
    return (gimple_has_body_p(node->decl) || node->thunk) && !is_builtin(node) &&
           !(node->thunk && stdarg_p(TREE_TYPE(node->decl))) &&
           !lookup_attribute("no_profile_instrument_function",
                             DECL_ATTRIBUTES(node->decl)) &&
           counter_wants(node->decl);
}

static void put_marks(struct train_function *profile, const vec<edge> &counted)
{
    train_values_find(profile);
    train_positions_find(&profile->positions, profile->indirect);
    uint64_t flow = train_keep(profile);

    train_values_mark(flow, profile);
    for (unsigned i = 0; i < counted.length(); i++)
        gsi_insert_seq_on_edge(
            counted[i],
            counter_addition(counter_make_for_edge(flow, i, false), UNKNOWN_LOCATION));
    gsi_commit_edge_inserts();
}

// Marks the current function. The second build reads the profile of a thunk before the
// thunk becomes a function with a graph. So only the calls of a thunk are counted,
// without checksums.
static void mark_function(cgraph_node *node, bool is_thunk)
{
    struct train_function profile = {};
    auto_vec<edge> counted;

    // GCC has found more pure functions since the graph was made. Their calls may need
    // fewer edges now.
    if (execute_fixup_cfg() & TODO_cleanup_cfg)
        cleanup_tree_cfg();
    profile.ident = node->profile_id;
    if (is_thunk) {
        counted.safe_push(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    } else {
        profile.checksum = train_graph_make(&counted, &profile.arcs);
        profile.blocks = n_basic_blocks_for_fn(cfun);
        profile.lineno = coverage_compute_lineno_checksum();
    }
    profile.counters = counted.length();
    if (profile.counters)
        put_marks(&profile, counted);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}

// A function that counts is not pure. Its calls must not be removed.
static void forget_purity(cgraph_node *node)
{
    node->set_const_flag(false, false);
    node->set_pure_flag(false, false);
}

// Updates the function, because the effects of calls have changed and blocks that were
// split can be joined.
static void update_function(void)
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

static void execute_train(function *)
{
    cgraph_node *node;

    init_node_map(true);
    FOR_EACH_DEFINED_FUNCTION (node) {
        if (!is_profiled(node)) {
            // Exclude the function from the table of callees.
            node->profile_id = 0;
            continue;
        }
        bool is_thunk = node->thunk;
        if (is_thunk)
            expand_thunk(node, false, true);
        push_cfun(DECL_STRUCT_FUNCTION(node->decl));
        mark_function(node, is_thunk);
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
        update_function();
        pop_cfun();
    }
}

opt_pass *passes_make_train(void)
{
    return pass_make("ccprof_train", PASS_UNIT, execute_train);
}

// GCC does not split functions early if it uses a profile (GCC: ipa-split.cc,
// pass_split_functions::gate). This build must not split them either, because the graphs
// would differ.
static void suppress_splitting(void *result, void *)
{
    if (!strcmp(current_pass->name, "fnsplit"))
        *(bool *)result = false;
}

void train_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_OVERRIDE_GATE, suppress_splitting, NULL);
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, train_take, NULL);
}
