// SPDX-License-Identifier: GPL-3.0-or-later
// check: checks on request that markers nest, for tests of the plugin (like MLton's
// checkProf, type-check.fun). Before each pass the checker examines the result of the
// previous pass. It checks one function, or all functions with a body if the pass runs on
// the whole unit.
//
// Directly after mark, the markers must nest strictly. Later GCC may drop or move a
// marker, and the next marker corrects the state. The checker counts such repairs. If
// dropped and moved markers cannot explain the state, it reports a fault with function
// and block. A marker that remains after infer is a fault too.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/mark/mark.h"

static struct {
    unsigned long functions, markers, repairs, faults;
} counts;

// The last pass of each function, by DECL_UID. A pass over the whole unit counts as the
// last pass of all functions. The transformations that such passes plan are done after
// the last one of them.
typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, const opt_pass *>
    pass_map;

static pass_map *last_passes;
static const opt_pass *last_pass; // of the function being checked; NULL: none

static bool comes_from(const char *pass)
{
    return last_pass && !strcmp(last_pass->name, pass);
}

static void report_fault(basic_block bb, const char *what)
{
    char *name = longnames_printable(current_function_decl, 1);

    counts.faults++;
    warning_at(DECL_SOURCE_LOCATION(current_function_decl), 0,
               "ccprof: after pass %qs: function %qs, block %d: %s",
               last_pass ? last_pass->name : "?", name, bb->index, what);
    free(name);
}

static void report_mismatch(basic_block bb, const char *what)
{
    if (comes_from(PASSES_MARK_NAME))
        report_fault(bb, what);
    else
        counts.repairs++;
}

static void check_marker(basic_block bb, const gimple *marker, tree state)
{
    tree scope = scopes_of_block(gimple_block(marker));

    counts.markers++;
    if (comes_from(PASSES_INFER_NAME))
        report_fault(bb, "a marker that should be erased");
    else if (!scope)
        report_fault(bb, "a marker whose scope is not in this function");
    else if (!scopes_function(scope))
        report_fault(bb, "a marker whose scope has no function");
    else if (markers_kind_of(marker) == MARKERS_ENTER && scopes_parent(scope) != state)
        report_mismatch(bb, "Enter where the scope around it is not the innermost one");
    else if (markers_kind_of(marker) == MARKERS_LEAVE && scope != state)
        report_mismatch(bb, "Leave of a scope that is not the innermost one");
}

// Returns true if the block starts with Enter. If a function starts with a loop, Enter is
// at the loop's head.
static bool starts_with_enter(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    return !gsi_end_p(gsi) && markers_kind_of(gsi_stmt(gsi)) == MARKERS_ENTER;
}

static void check_block(basic_block bb, const struct dataflow_state *states)
{
    tree state = states[bb->index].at_start;

    if (!states[bb->index].reached)
        return;
    if (states[bb->index].joined && !starts_with_enter(bb))
        report_mismatch(bb, "paths meet here with different local stacks");
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        const gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt))
            check_marker(bb, stmt, state);
        else if (gimple_code(stmt) == GIMPLE_RETURN && state)
            report_mismatch(bb, "return where the local stack is not empty");
        state = dataflow_after(stmt, state);
    }
}

static void check_function(void)
{
    struct dataflow_state *states = dataflow_compute();
    basic_block bb;

    counts.functions++;
    FOR_EACH_BB_FN (bb, cfun)
        check_block(bb, states);
    free(states);
}

// For the checker's own test: the argument FUNCTION@PASS. Returns true if a wrong marker
// shall be made as if PASS had made it.
static bool is_fault_of(const opt_pass *pass)
{
    const char *separator = options.fault ? strchr(options.fault, '@') : NULL;

    if (!separator || strcmp(separator + 1, pass->name))
        return false;
    const char *name = lang_hooks.decl_printable_name(current_function_decl, 1);
    return (size_t)(separator - options.fault) == strlen(name) &&
           startswith(options.fault, name);
}

static void seed_fault(void)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (markers_kind_of(gsi_stmt(gsi))) {
                gimple_set_block(gsi_stmt(gsi), make_node(BLOCK));
                return;
            }
    }
}

// Returns true between mark and expansion to RTL, if the function has a body.
static bool can_check(void)
{
    return cfun->cfg && cfun->gimple_df && scopes_root() &&
           !(cfun->curr_properties & PROP_rtl);
}

// Checks the current function before PASS.
static void check_current(const opt_pass *pass)
{
    bool known;
    const opt_pass *&last =
        last_passes->get_or_insert(DECL_UID(current_function_decl), &known);

    last_pass = known ? last : NULL;
    last = pass;
    if (!can_check())
        return;
    check_function();
    if (is_fault_of(pass))
        seed_fault();
}

static void check_all(const opt_pass *pass)
{
    cgraph_node *node;

    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        // At link time GCC reads a body only when it needs the body, and a clone may be
        // planned but not yet made.
        function *fun = DECL_STRUCT_FUNCTION(node->decl);
        if (!fun || !fun->cfg)
            continue;
        push_cfun(fun);
        check_current(pass);
        pop_cfun();
    }
}

void check_before_pass(void *event_data, void *)
{
    const opt_pass *pass = (const opt_pass *)event_data;

    if (!last_passes)
        last_passes = new pass_map;
    if (cfun)
        check_current(pass);
    else
        check_all(pass);
}

void check_summary(void *, void *)
{
    inform(UNKNOWN_LOCATION,
           "ccprof: checked %lu functions between passes: %lu markers, %lu faults, "
           "%lu states repaired",
           counts.functions, counts.markers, counts.faults, counts.repairs);
}
