// SPDX-License-Identifier: GPL-3.0-or-later
// The pass in GIMPLE calls the stub where what is open changes (open.h).  Where an
// exception or a longjmp lands, what was open may not be known; then a variable of the
// function's tells for each copy in question.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"
#include "plugin/watch/open.h"
#include "plugin/watch/quiet.h"
#include "plugin/watch/stopwatch.h"
#include "plugin/watch/throws.h"
#include "plugin/watch/watched.h"

namespace
{
struct change {
    gimple *before; // a statement
    tree from, to;
};

// What is to be put into the current function.
struct plan {
    struct open_block *blocks;
    auto_vec<change> changes;
    auto_vec<std::pair<edge, change>> edges;
    hash_map<tree, tree> flags;             // by scope: which call is open, 0: none
    hash_map<tree, vec<gimple *>> throwing; // by what is open: what may throw out
    // The keys of both in the order in which they came, since the order in which a map
    // has trees depends on where these lie in memory, which is elsewhere each time.
    auto_vec<tree> flagged, thrown_from;
    auto_vec<tree> copies; // all watched scopes but the root, inner ones first
};
} // namespace

static tree quiet_function; // NULL_TREE: none

bool stopwatch_is_quiet(void)
{
    return quiet_function == current_function_decl;
}

// What GCC has split off a function, or what only leads to it, is a part of a call.
static bool wants_root(tree function)
{
    return scopes_root() && filter_watches(function) && names_role(function) == 0;
}

// Whether the call changes all registers that any call may change, and wants a stack as
// any call may want it, as far as callers are told (GCC: final.cc,
// collect_fn_hard_reg_usage; calls.cc, expand_call).  One that can throw
// calls what nothing is known of.
static bool is_loud(gcall *call)
{
    tree callee = gimple_call_fndecl(call);

    if (stmt_can_throw_external(cfun, call))
        return true;
    if (gimple_call_internal_p(call) || (callee && fndecl_built_in_p(callee)) ||
        callee == current_function_decl)
        return false;
    cgraph_rtl_info *known = callee ? cgraph_node::rtl_info(callee) : NULL;
    return !known ||
           (known->preferred_incoming_stack_boundary >= PREFERRED_STACK_BOUNDARY &&
            hard_reg_set_subset_p(fndecl_abi(current_function_decl)
                                      .base_abi()
                                      .full_and_partial_reg_clobbers(),
                                  known->function_used_regs));
}

static bool has_loud_call(void)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                if (is_loud(call))
                    return true;
    }
    return false;
}

static tree flag_of(struct plan *plan, tree scope)
{
    bool known;
    tree &flag = plan->flags.get_or_insert(scope, &known);

    if (!known) {
        plan->flagged.safe_push(scope);
        flag = create_tmp_var(WATCHED_TYPE, "ccprof_open");
        TREE_ADDRESSABLE(flag) = 1;
        TREE_THIS_VOLATILE(flag) = 1;
    }
    return flag;
}

static void clear_flag(gimple_seq *to, struct plan *plan, tree scope)
{
    tree *flag = plan->flags.get(scope);

    if (flag)
        gimple_seq_add_stmt(to,
                            gimple_build_assign(*flag, build_int_cst(WATCHED_TYPE, 0)));
}

static void end(gimple_seq *to, struct plan *plan, tree from, tree until)
{
    for (tree scope = from; scope != until; scope = copies_around(scope)) {
        clear_flag(to, plan, scope);
        gimple_seq_add_stmt(to, watched_build(WATCHED_END, scope, NULL_TREE));
    }
}

static void enter(gimple_seq *to, struct plan *plan, tree from, tree until)
{
    auto_vec<tree> scopes;

    for (tree scope = until; scope != from; scope = copies_around(scope))
        scopes.safe_push(scope);
    while (!scopes.is_empty()) {
        tree scope = scopes.pop(), *flag = plan->flags.get(scope);
        gcall *call = watched_build(WATCHED_ENTER, scope, NULL_TREE);
        if (flag)
            gimple_call_set_lhs(call, *flag);
        gimple_seq_add_stmt(to, call);
    }
}

static gimple_seq statements_of(struct plan *plan, const struct change *change)
{
    gimple_seq statements = NULL;
    tree common = copies_common(change->from, change->to);

    end(&statements, plan, change->from, common);
    enter(&statements, plan, common, change->to);
    return statements;
}

// Ends what was open of SCOPES, innermost first.
static gimple_seq leave(struct plan *plan, const vec<tree> &scopes)
{
    gimple_seq statements = NULL;

    for (tree scope : scopes) {
        tree entered = make_ssa_name(WATCHED_TYPE), flag = flag_of(plan, scope);
        gimple_seq_add_stmt(&statements, gimple_build_assign(entered, flag));
        clear_flag(&statements, plan, scope);
        gimple_seq_add_stmt(&statements, watched_build(WATCHED_LEFT, scope, entered));
    }
    return statements;
}

static void plan_block(struct plan *plan, basic_block bb)
{
    tree state = plan->blocks[bb->index].start;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        tree next = open_at(stmt, state, plan->blocks);
        if (next != state)
            plan->changes.safe_push({stmt, state, next});
        state = next;
        if (!state || !stmt_can_throw_external(cfun, stmt))
            continue;
        bool known;
        vec<gimple *> &throwing = plan->throwing.get_or_insert(state, &known);
        if (!known)
            plan->thrown_from.safe_push(state);
        throwing.safe_push(stmt);
    }
}

static void plan_edges(struct plan *plan, basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        tree from = plan->blocks[bb->index].end;
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) || copies_is_landing(e))
            continue;
        tree to = plan->blocks[e->dest->index].start;
        if (from != to)
            plan->edges.safe_push({e, {NULL, from, to}});
    }
}

// What may be open where control lands, and shall not be: innermost first.
static void find_doubtful(const struct plan *plan, basic_block bb, auto_vec<tree> *scopes)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        if (!(e->flags & EDGE_EH) || !plan->blocks[e->src->index].reached)
            continue;
        tree start = plan->blocks[bb->index].start;
        unsigned at = 0;
        for (tree scope = plan->blocks[e->src->index].end; scope && scope != start;
             scope = copies_around(scope))
            if (!scopes->contains(scope))
                scopes->safe_insert(at++, scope);
    }
}

// Where a function inside this one jumps to.
static bool is_nonlocal(basic_block bb)
{
    gimple *first = first_stmt(bb);
    glabel *label = first ? dyn_cast<glabel *>(first) : NULL;
    return label && DECL_NONLOCAL(gimple_label_label(label));
}

// Where __builtin_longjmp jumps to: what finds the frame again.
static gimple *receiver_in(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        if (gimple_call_builtin_p(gsi_stmt(gsi), BUILT_IN_SETJMP_RECEIVER))
            return gsi_stmt(gsi);
    return NULL;
}

static void insert_landings(struct plan *plan)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        auto_vec<tree> scopes;
        gimple *receiver = receiver_in(bb);
        find_doubtful(plan, bb, &scopes);
        if (receiver || is_nonlocal(bb))
            scopes.safe_splice(plan->copies);
        if (scopes.is_empty())
            continue;
        gimple_stmt_iterator gsi =
            receiver ? gsi_for_stmt(receiver) : gsi_after_labels(bb);
        if (receiver)
            gsi_next(&gsi);
        gsi_insert_seq_before(&gsi, leave(plan, scopes), GSI_SAME_STMT);
    }
}

// Behind setjmp, where a longjmp may have left what was not open when it was called.
// Where the runtime has seen the longjmp nothing of this is open any more.
static void insert_behind_setjmp(struct plan *plan, basic_block bb)
{
    gimple *last = compat_last_stmt(bb);
    gcall *call = last ? dyn_cast<gcall *>(last) : NULL;
    edge e = find_fallthru_edge(bb->succs);
    auto_vec<tree> scopes;

    if (!call || !e || !(gimple_call_flags(call) & ECF_RETURNS_TWICE))
        return;
    for (tree scope : plan->copies)
        if (copies_common(scope, plan->blocks[bb->index].end) != scope)
            scopes.safe_push(scope);
    if (!scopes.is_empty())
        gsi_insert_seq_on_edge(e, leave(plan, scopes));
}

// Landings come first: they find out which copies have flags.
static void insert(struct plan *plan)
{
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    gimple_seq initial = NULL;
    basic_block bb;

    insert_landings(plan);
    FOR_EACH_BB_FN (bb, cfun)
        insert_behind_setjmp(plan, bb);
    for (const change &change : plan->changes) {
        gimple_stmt_iterator gsi = gsi_for_stmt(change.before);
        gsi_insert_seq_before(&gsi, statements_of(plan, &change), GSI_SAME_STMT);
    }
    for (tree scope : plan->flagged)
        clear_flag(&initial, plan, scope);
    enter(&initial, plan, NULL_TREE, plan->blocks[entry->dest->index].start);
    gsi_insert_seq_on_edge(entry, initial);
    for (const auto &edge : plan->edges)
        gsi_insert_seq_on_edge(edge.first, statements_of(plan, &edge.second));
    for (tree state : plan->thrown_from) {
        gimple_seq code = NULL;
        end(&code, plan, state, NULL_TREE);
        throws_catch(*plan->throwing.get(state), code);
    }
    gsi_commit_edge_inserts();
}

static void watch(struct plan *plan)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        if (plan->blocks[bb->index].reached) {
            plan_block(plan, bb);
            plan_edges(plan, bb);
        }
    insert(plan);
}

static bool release(tree const &, vec<gimple *> const &statements, void *)
{
    const_cast<vec<gimple *> &>(statements).release();
    return true;
}

static void execute(function *fun)
{
    struct plan plan;

    quiet_function = NULL_TREE;
    if (!scopes_root() || filter_forbids_code(fun->decl))
        return;
    bool with_root = wants_root(fun->decl);
    copies_start(with_root);
    copies_find(BLOCK_SUBBLOCKS(scopes_root()), &plan.copies);
    plan.copies.reverse();
    if (!with_root && plan.copies.is_empty())
        return;
    if (plan.copies.is_empty() && quiet_is_possible() && !has_loud_call()) {
        quiet_function = fun->decl;
        return;
    }
    plan.blocks = open_find(false);
    watch(&plan);
    free(plan.blocks);
    plan.throwing.traverse<void *, release>(NULL);
}

opt_pass *passes_make_stopwatch(void)
{
    return pass_make("ccprof_stopwatch", PASS_SSA_MEMORY, execute);
}
