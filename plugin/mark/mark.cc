// SPDX-License-Identifier: GPL-3.0-or-later
// mark: puts Enter at the start of each function, Leave before each return, and Resume
// wherever control arrives by another way than a call or a return. The pass runs on every
// function after SSA form is built, before the first inlining.
//
// Pairs of passes hide the positions of markers, and of insns that infer has charged,
// while GCC shows positions to the user. The first pair surrounds the pass that writes
// gcov's notes, the second pair the GIMPLE passes that optimise loops, and the third pair
// the RTL passes that optimise loops. The notes (--coverage) contain file and line of
// every statement with a position (GCC: profile.cc, branch_prob), so a marker would add
// <ccprof> as a source file. GCC's messages (-fopt-info) show a loop with the position of
// its first statement that has one, which may be a marker (GCC: tree-vect-loop-manip.cc,
// find_loop_location), or with the position of an insn, which may come from infer (GCC:
// cfgloop.cc, get_loop_location).

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"

static void insert_at_start(basic_block bb, enum markers_kind kind)
{
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    gimple *marker = markers_build(kind);

    if (marker)
        gsi_insert_before(&gsi, marker, GSI_SAME_STMT);
}

// For the checker's test: returns true if the Leaves of the current function shall be
// omitted.
static bool is_seeded_fault(void)
{
    return options.fault && !strcmp(options.fault, lang_hooks.decl_printable_name(
                                                       current_function_decl, 1));
}

static void insert_before_return(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_bb(bb);
    gimple *marker;

    if (!gsi_end_p(gsi) && gimple_code(gsi_stmt(gsi)) == GIMPLE_RETURN &&
        (marker = markers_build(MARKERS_LEAVE)))
        gsi_insert_before(&gsi, marker, GSI_SAME_STMT);
}

static bool starts_at_label_of(basic_block bb, bool (*matches)(tree label))
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        glabel *label = dyn_cast<glabel *>(gsi_stmt(gsi));
        if (!label)
            break;
        if (matches(gimple_label_label(label)))
            return true;
    }
    return false;
}

static bool is_landing_pad_or_receiver(tree label)
{
    return EH_LANDING_PAD_NR(label) || DECL_NONLOCAL(label);
}

static bool returns_twice(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
    return !gsi_end_p(gsi) && is_gimple_call(gsi_stmt(gsi)) &&
           gimple_call_flags(gsi_stmt(gsi)) & ECF_RETURNS_TWICE;
}

static bool is_resumed(basic_block bb)
{
    edge e;
    edge_iterator ei;

    if (starts_at_label_of(bb, is_landing_pad_or_receiver))
        return true;
    FOR_EACH_EDGE (e, ei, bb->preds)
        if (!(e->flags & EDGE_ABNORMAL) && e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) &&
            returns_twice(e->src))
            return true;
    return false;
}

static void insert_markers(void)
{
    edge e;
    edge_iterator ei;
    basic_block bb;

    FOR_EACH_EDGE (e, ei, ENTRY_BLOCK_PTR_FOR_FN(cfun)->succs)
        insert_at_start(e->dest, MARKERS_ENTER);
    if (!is_seeded_fault())
        FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN(cfun)->preds)
            insert_before_return(e->src);
    FOR_EACH_BB_FN (bb, cfun)
        if (is_resumed(bb))
            insert_at_start(bb, MARKERS_RESUME);
}

static void execute_mark(function *fun)
{
    if (markers_are_on())
        markers_remove_others();
    else if (!filter_watches(fun->decl))
        return;
    if (!scopes_root())
        return;
    insert_markers();
    if (filter_watches(fun->decl))
        scopes_keep();
}

opt_pass *passes_make_mark(void)
{
    return pass_make(PASSES_MARK_NAME, PASS_CFG, execute_mark);
}

static bool hidden; // the positions of the current function are hidden

static void change_unit(void (*change)(void))
{
    cgraph_node *node;

    if (!flag_test_coverage && !profile_arc_flag)
        return;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        push_cfun(DECL_STRUCT_FUNCTION(node->decl));
        change();
        pop_cfun();
    }
}

static void execute_hide_unit(function *)
{
    change_unit(markers_hide);
}

opt_pass *passes_make_hide_unit(void)
{
    return pass_make("ccprof_hide_unit", PASS_UNIT, execute_hide_unit);
}

static void execute_show_unit(function *)
{
    change_unit(markers_show);
}

opt_pass *passes_make_show_unit(void)
{
    return pass_make("ccprof_show_unit", PASS_UNIT, execute_show_unit);
}

static void execute_hide(function *fun)
{
    hidden = number_of_loops(fun) > 1;
    if (hidden)
        markers_hide();
}

opt_pass *passes_make_hide(void)
{
    return pass_make("ccprof_hide", PASS_SSA, execute_hide);
}

static void execute_show(function *)
{
    if (hidden)
        markers_show();
}

opt_pass *passes_make_show(void)
{
    return pass_make("ccprof_show", PASS_SSA, execute_show);
}

static void change_insns(location_t (*change)(location_t))
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        if (NONDEBUG_INSN_P(insn))
            INSN_LOCATION(insn) = change(INSN_LOCATION(insn));
}

static void execute_hide_insns(function *fun)
{
    hidden = number_of_loops(fun) > 1;
    if (hidden)
        change_insns(charge_hide);
}

opt_pass *passes_make_hide_insns(void)
{
    return pass_make("ccprof_hide_insns", PASS_RTL, execute_hide_insns);
}

static void execute_show_insns(function *)
{
    if (hidden)
        change_insns(charge_show);
}

opt_pass *passes_make_show_insns(void)
{
    return pass_make("ccprof_show_insns", PASS_RTL, execute_show_insns);
}
