// SPDX-License-Identifier: GPL-3.0-or-later
// hide: takes from markers, and from insns that infer has charged, the places that GCC
// would name to the user, and gives them back: one pair of passes stands around gcov's
// notes, one around the passes that optimise loops in GIMPLE, one around those in RTL.
// The notes (--coverage) name the file and line of every statement that has them (GCC:
// profile.cc, branch_prob), so that a marker would make a source file of its line map.
// GCC's messages (-fopt-info) name for a loop the place of its first statement that has
// one, which may be a marker (GCC: tree-vect-loop-manip.cc, find_loop_location), or the
// place of an insn, which may be from infer (GCC: cfgloop.cc, get_loop_location).

#include "plugin/gcc/compat.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/passes.h"

static bool hidden; // something of the current function

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
