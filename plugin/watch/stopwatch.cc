// SPDX-License-Identifier: GPL-3.0-or-later
// The passes that insert calls of the runtime where functions with a stopwatch, and
// inlined copies of them, are entered and left. They run after the last optimisation.
//
// The pass in GIMPLE calls the stub where the set of open scopes changes (watch.h). At a
// landing pad, or after a longjmp, it may be unknown which scopes were open. So for each
// such copy a local variable, the flag, remembers whether it is open. If the function is
// quiet (watch.h), the pass in RTL inserts the calls instead, after the last pass that
// analyses the effects of an instruction.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/watch.h"

static basic_block make_block(eh_landing_pad pad)
{
    basic_block bb = create_empty_bb(EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb);

    bb->count = profile_count::zero();
    if (current_loops)
        add_bb_to_loop(bb, current_loops->tree_root);
    pad->post_landing_pad = create_artificial_label(UNKNOWN_LOCATION);
    EH_LANDING_PAD_NR(pad->post_landing_pad) = pad->index;
    return bb;
}

static void fill_landing(basic_block bb, eh_landing_pad pad, gimple_seq code)
{
    gimple_seq all = NULL;
    gcall *pointer =
        gimple_build_call(builtin_decl_implicit(BUILT_IN_EH_POINTER), 1,
                          build_int_cst(integer_type_node, pad->region->index));
    tree exception = make_ssa_name(ptr_type_node, pointer);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);

    gimple_call_set_lhs(pointer, exception);
    gimple_seq_add_stmt(&all, gimple_build_label(pad->post_landing_pad));
    gimple_seq_add_stmt(&all, pointer);
    gimple_seq_add_seq(&all, code);
    gimple_seq_add_stmt(
        &all,
        gimple_build_call(builtin_decl_implicit(BUILT_IN_UNWIND_RESUME), 1, exception));
    gsi_insert_seq_after(&gsi, all, GSI_CONTINUE_LINKING);
}

static void lead_to_landing(gimple *statement, eh_landing_pad pad)
{
    add_stmt_to_eh_lp(statement, pad->index);
    if (gsi_stmt(gsi_last_bb(gimple_bb(statement))) != statement)
        split_block(gimple_bb(statement), statement);
    compat_make_eh_edge(statement);
}

// If a statement of STATEMENTS throws an exception that leaves the function, CODE is
// executed first. This is a cleanup, in the form that GCC's passes that lower exceptions
// make (GCC: tree-eh.cc, lower_resx).
static void catch_exceptions(const vec<gimple *> &statements, gimple_seq code)
{
    eh_landing_pad pad = gen_eh_landing_pad(gen_eh_region_cleanup(NULL));
    basic_block bb = make_block(pad);

    fill_landing(bb, pad, code);
    for (gimple *statement : statements)
        lead_to_landing(statement, pad);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}

namespace
{
struct change {
    gimple *before; // the statement where the state changes
    tree from, to;
};

// All that will be inserted into the current function.
struct plan {
    struct open_block *blocks;
    auto_vec<change> changes;
    auto_vec<std::pair<edge, change>> edges;
    hash_map<tree, tree> flags; // by scope: result of WATCHED_ENTER; 0: not open
    // By state: statements whose exceptions leave the function.
    hash_map<tree, vec<gimple *>> throwing;
    // The keys of both maps in the order of insertion. The order of trees in a map
    // depends on their addresses, which differ from run to run.
    auto_vec<tree> flagged, thrown_from;
    auto_vec<tree> copies; // all watched scopes except the root, inner ones first
};
} // namespace

static tree quiet_function; // the current function if it is quiet, or NULL_TREE

static bool is_quiet(void)
{
    return quiet_function == current_function_decl;
}

// Returns true if the function itself has a stopwatch. Returns false for a part that GCC
// has split off, and for an entry that only calls the function: they belong to a call
// that has a stopwatch already.
static bool watches_root(tree function)
{
    return scopes_root() && filter_watches(function) && names_role(function) == 0;
}

// Returns true if callers must assume the worst of the current function because of this
// call: that it changes all registers and needs all the stack that a call may (GCC:
// final.cc, collect_fn_hard_reg_usage; calls.cc, expand_call). A call that can throw
// calls unknown functions.
static bool is_loud_call(gcall *call)
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
                if (is_loud_call(call))
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

static void add_ends(gimple_seq *to, struct plan *plan, tree from, tree until)
{
    for (tree scope = from; scope != until; scope = copies_around(scope)) {
        clear_flag(to, plan, scope);
        gimple_seq_add_stmt(to, watched_build(WATCHED_END, scope, NULL_TREE));
    }
}

static void add_enters(gimple_seq *to, struct plan *plan, tree from, tree until)
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

    add_ends(&statements, plan, change->from, common);
    add_enters(&statements, plan, common, change->to);
    return statements;
}

// Returns code that ends the open scopes among SCOPES. SCOPES has inner scopes first.
static gimple_seq end_if_open(struct plan *plan, const vec<tree> &scopes)
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

// Finds the scopes that may still be open where control lands in BB, innermost first.
static void find_maybe_open(const struct plan *plan, basic_block bb,
                            auto_vec<tree> *scopes)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds) {
        if (!(e->flags & EDGE_EH) || !plan->blocks[e->src->index].reached)
            continue;
        tree start = plan->blocks[bb->index].start;
        unsigned index = 0;
        for (tree scope = plan->blocks[e->src->index].end; scope && scope != start;
             scope = copies_around(scope))
            if (!scopes->contains(scope))
                scopes->safe_insert(index++, scope);
    }
}

// Returns true if a nested function jumps to the block.
static bool is_nonlocal(basic_block bb)
{
    gimple *first = first_stmt(bb);
    glabel *label = first ? dyn_cast<glabel *>(first) : NULL;
    return label && DECL_NONLOCAL(gimple_label_label(label));
}

// Returns the statement at a target of __builtin_longjmp that restores the frame, or
// NULL.
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
        find_maybe_open(plan, bb, &scopes);
        if (receiver || is_nonlocal(bb))
            scopes.safe_splice(plan->copies);
        if (scopes.is_empty())
            continue;
        gimple_stmt_iterator gsi =
            receiver ? gsi_for_stmt(receiver) : gsi_after_labels(bb);
        if (receiver)
            gsi_next(&gsi);
        gsi_insert_seq_before(&gsi, end_if_open(plan, scopes), GSI_SAME_STMT);
    }
}

// Inserts code after setjmp. A longjmp may have left scopes that were not open when
// setjmp was called. If the runtime has seen the longjmp, it has ended them.
static void insert_after_setjmp(struct plan *plan, basic_block bb)
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
        gsi_insert_seq_on_edge(e, end_if_open(plan, scopes));
}

// Inserts landings first, because they decide which copies have flags.
static void insert_plan(struct plan *plan)
{
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    gimple_seq initial = NULL;
    basic_block bb;

    insert_landings(plan);
    FOR_EACH_BB_FN (bb, cfun)
        insert_after_setjmp(plan, bb);
    for (const change &change : plan->changes) {
        gimple_stmt_iterator gsi = gsi_for_stmt(change.before);
        gsi_insert_seq_before(&gsi, statements_of(plan, &change), GSI_SAME_STMT);
    }
    for (tree scope : plan->flagged)
        clear_flag(&initial, plan, scope);
    add_enters(&initial, plan, NULL_TREE, plan->blocks[entry->dest->index].start);
    gsi_insert_seq_on_edge(entry, initial);
    for (const auto &edge : plan->edges)
        gsi_insert_seq_on_edge(edge.first, statements_of(plan, &edge.second));
    for (tree state : plan->thrown_from) {
        gimple_seq code = NULL;
        add_ends(&code, plan, state, NULL_TREE);
        catch_exceptions(*plan->throwing.get(state), code);
    }
    gsi_commit_edge_inserts();
}

static void watch_function(struct plan *plan)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        if (plan->blocks[bb->index].reached) {
            plan_block(plan, bb);
            plan_edges(plan, bb);
        }
    insert_plan(plan);
}

static bool release_statements(tree const &, vec<gimple *> const &statements, void *)
{
    const_cast<vec<gimple *> &>(statements).release();
    return true;
}

static void execute_stopwatch(function *fun)
{
    struct plan plan;

    quiet_function = NULL_TREE;
    if (!scopes_root() || filter_forbids_code(fun->decl))
        return;
    bool with_root = watches_root(fun->decl);
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
    watch_function(&plan);
    free(plan.blocks);
    plan.throwing.traverse<void *, release_statements>(NULL);
}

opt_pass *passes_make_stopwatch(void)
{
    return pass_make("ccprof_stopwatch", PASS_SSA_MEMORY, execute_stopwatch);
}

static void insert_switch_before(rtx_insn *next, bool enters)
{
    char *text =
        quiet_text(watched_number(current_function_decl), enters, dwarf2out_do_cfi_asm());
    rtx code = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), BUILTINS_LOCATION);
    rtx_insn *insn = emit_insn_before_noloc(code, next, NULL);

    MEM_VOLATILE_P(code) = 1;
    INSN_LOCATION(insn) =
        set_block(DECL_SOURCE_LOCATION(current_function_decl), scopes_root());
    free(text);
}

static bool is_exit(const rtx_insn *insn)
{
    return CALL_P(insn) ? SIBLING_CALL_P(insn) : JUMP_P(insn) && returnjump_p(insn);
}

// Returns the first insn after an instruction that marks the function as a target of
// indirect jumps, which must stay first.
static rtx_insn *find_start(void)
{
    rtx_insn *insn = get_insns();

    while (insn && !(NONDEBUG_INSN_P(insn) && GET_CODE(PATTERN(insn)) != UNSPEC_VOLATILE))
        insn = NEXT_INSN(insn);
    return insn;
}

static void watch_quiet(function *)
{
    rtx_insn *start = find_start();

    if (!is_quiet() || !start)
        return;
    for (rtx_insn *insn = start; insn; insn = NEXT_INSN(insn))
        if (INSN_P(insn) && is_exit(insn))
            insert_switch_before(insn, false);
    insert_switch_before(start, true);
}

opt_pass *passes_make_quiet(void)
{
    return pass_make("ccprof_quiet", PASS_RTL, watch_quiet);
}
