// SPDX-License-Identifier: GPL-3.0-or-later
// mark: puts Enter at each function's start, Leave before each return and Resume wherever
// control comes back by other ways than a return, for dataflow.  The pass runs on every
// function after SSA is built, before the first inlining.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
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

// For the checker's test: one function's Leaves are left out.
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

static bool starts_at_label_of(basic_block bb, bool (*wanted)(tree label))
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        glabel *label = dyn_cast<glabel *>(gsi_stmt(gsi));
        if (!label)
            break;
        if (wanted(gimple_label_label(label)))
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

static void execute(function *fun)
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
    return pass_make(PASSES_MARK_NAME, PASS_CFG, execute);
}
