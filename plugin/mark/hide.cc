// SPDX-License-Identifier: GPL-3.0-or-later
// hide: the two passes around those that optimise loops.  GCC's messages (-fopt-info) say
// of a loop that it stands where its first statement with a place does, and that may be a
// marker (GCC: tree-vect-loop-manip.cc, find_loop_location).

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"

static bool hidden; // the current function's markers

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
