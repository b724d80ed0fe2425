// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "check.h"
#include "flow.h"
#include "markers.h"
#include "passes.h"
#include "scopes.h"

static struct {
    unsigned long functions, markers, repairs, faults;
} counts;

static const opt_pass *previous_pass;
static bool strict; // the function comes straight from mark

static void report(basic_block bb, const char *what)
{
    counts.faults++;
    warning_at(DECL_SOURCE_LOCATION(current_function_decl), 0,
               "ccprof: after pass %qs: function %qs, block %d: %s",
               previous_pass ? previous_pass->name : "?",
               lang_hooks.decl_printable_name(current_function_decl, 1), bb->index, what);
}

static void mismatch(basic_block bb, const char *what)
{
    if (strict)
        report(bb, what);
    else
        counts.repairs++;
}

static void check_marker(basic_block bb, const gimple *marker, tree state)
{
    tree scope = scopes_of_block(gimple_block(marker));

    counts.markers++;
    if (!scope)
        report(bb, "a marker whose scope is not in this function");
    else if (!scopes_function(scope))
        report(bb, "a marker whose scope has no function");
    else if (markers_kind_of(marker) == MARKERS_ENTER && scopes_parent(scope) != state)
        mismatch(bb, "Enter where the scope around it is not the innermost one");
    else if (markers_kind_of(marker) == MARKERS_LEAVE && scope != state)
        mismatch(bb, "Leave of a scope that is not the innermost one");
}

// A function may start with a loop: then Enter stands where the loop comes back to.
static bool starts_with_enter(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    return !gsi_end_p(gsi) && markers_kind_of(gsi_stmt(gsi)) == MARKERS_ENTER;
}

static void check_block(basic_block bb, const struct flow_state *states)
{
    tree state = states[bb->index].at_start;

    if (!states[bb->index].reached)
        return;
    if (states[bb->index].joined && !starts_with_enter(bb))
        mismatch(bb, "paths meet here with different local stacks");
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        const gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt))
            check_marker(bb, stmt, state);
        else if (gimple_code(stmt) == GIMPLE_RETURN && state)
            mismatch(bb, "return where the local stack is not empty");
        state = flow_after(stmt, state);
    }
}

static void check_function(void)
{
    struct flow_state *states = flow_compute();
    basic_block bb;

    counts.functions++;
    FOR_EACH_BB_FN(bb, cfun)
    check_block(bb, states);
    free(states);
}

void check_before_pass(void *event_data, void *)
{
    opt_pass *pass = (opt_pass *)event_data;

    strict = previous_pass && !strcmp(previous_pass->name, PASSES_MARK_NAME);
    if (pass->type == GIMPLE_PASS && cfun && cfun->cfg && cfun->gimple_df &&
        scopes_root() && !(cfun->curr_properties & PROP_rtl))
        check_function();
    previous_pass = pass;
}

void check_summary(void *, void *)
{
    inform(UNKNOWN_LOCATION,
           "ccprof: checked %lu functions between passes: %lu markers, %lu faults, "
           "%lu states repaired",
           counts.functions, counts.markers, counts.faults, counts.repairs);
}
