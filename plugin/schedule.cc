// SPDX-License-Identifier: GPL-3.0-or-later
// Of several passes behind one of GCC's the one that is added last runs first.

#include "plugin/gcc/compat.h"
#include "plugin/schedule.h"
#include "plugin/gcc/asked.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/macro.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/untouched.h"
#include "plugin/mark/check.h"
#include "plugin/mark/delay.h"
#include "plugin/mark/keep_tailcalls.h"
#include "plugin/label/emit.h"
#include "plugin/count/count.h"
#include "plugin/count/condense.h"
#include "plugin/count/storage.h"
#include "plugin/count/flow.h"
#include "plugin/count/targets.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/alloc/alloc.h"
#include "plugin/field/field.h"
#include "plugin/train/train.h"
#include "plugin/watch/anchor.h"
#include "plugin/watch/stopwatch.h"
#include "plugin/watch/watched.h"
#include "plugin/attach.h"
#include "plugin/machines.h"

static const char *name; // the plugin's

// INSTANCE: of those at which the anchor stands the first one, or 0, all.
static void add(opt_pass *pass, const char *anchor, enum pass_positioning_ops where,
                int instance = 1)
{
    struct register_pass_info info = {pass, anchor, instance, where};
    register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

static void add_before(const char *anchor, opt_pass *pass)
{
    add(pass, anchor, PASS_POS_INSERT_BEFORE);
}

static void add_behind(const char *anchor, opt_pass *pass)
{
    add(pass, anchor, PASS_POS_INSERT_AFTER);
}

static void add_front(void)
{
    if (delay_is_set())
        add_before("cfg", passes_make_delay());
    add_behind("*build_cgraph_edges", passes_make_name());
}

// mark puts its Enter in front of what count has put at the function's start.
static void add_mark(void)
{
    if (!markers_are_on() && !(filter_watches_any() && markers_can_watch()))
        return;
    markers_keep_in_clones();
    add_behind("ssa", passes_make_mark());
    add_before("profile", passes_make_hide_unit());
    add_behind("profile", passes_make_show_unit());
    add_behind("loopinit", passes_make_hide());
    add_before("loopdone", passes_make_show());
}

static bool counts_source(void)
{
    return options_measures(CCPROF_KIND_COUNT) && options.mark == OPTIONS_MARK_SOURCE;
}

static void add_targets(void)
{
    bool asked = counts_source() && options.targets;

    if (!asked && !options.train)
        return;
    targets_register(name);
    if (asked)
        add_behind("ssa", passes_make_targets_mark());
    add_behind("optimized", passes_make_targets());
}

static void add_train(void)
{
    train_register(name);
    condense_register(name);
    add_before("profile", passes_make_train());
    if (options.train_order)
        add_behind("ehdisp", passes_make_train_first());
    add_behind("ehdisp", passes_make_condense());
}

static void add_count(void)
{
    if (options.train)
        return add_train();
    if (!counts_source()) {
        if (options.branch) {
            add_behind("*build_cgraph_edges", passes_make_branches_prepare());
            add_behind("ssa", passes_make_branches());
        }
        return;
    }
    count_register(name);
    if (options.blocks || options.branch)
        add_before("cfg", passes_make_statements());
    add_behind("*build_cgraph_edges", passes_make_count_prepare());
    add_behind("ssa", passes_make_count());
    add_behind("build_ssa_passes", passes_make_absent());
    if (options_marks_counts()) {
        condense_register(name);
        if (condense_joins_marks())
            add_behind("einline", passes_make_joined());
        add_behind("ehdisp", passes_make_condense());
    }
    if (options.mispredicted) {
        predict_register(name);
        add_behind("ehdisp", passes_make_predict());
    }
}

static void add_tailcalls(void)
{
    if (!keep_tailcalls_has_pass())
        return;
    add_before("tailc", passes_make_note_tailcalls());
    add_behind("tailc", passes_make_keep_tailcalls());
}

static void add_storage(void)
{
    add_behind("optimized", passes_make_storage());
    if (options_measures(CCPROF_KIND_COUNT) && options.mark != OPTIONS_MARK_SOURCE)
        add_behind("optimized", passes_make_count_late());
}

static void add_inclusive(void)
{
    if (!options_adds_inclusive())
        return;
    inclusive_register(name);
    add_behind("optimized", passes_make_inclusive());
}

static void add_stopwatch(void)
{
    if (options.profile != OPTIONS_PROFILE_MEASURE || !filter_watches_any())
        return;
    watched_register(name);
    anchor_register(name);
    add_behind("einline", passes_make_returned());
    add_behind("inline", passes_make_anchor());
    add_behind("optimized", passes_make_stopwatch());
    add_before("shorten", passes_make_quiet());
}

static void add_alloc(void)
{
    if (!options_measures(CCPROF_KIND_ALLOC))
        return;
    alloc_register(name);
    alloc_path_register(name);
    add_behind("ssa", passes_make_alloc_type());
    add_behind("optimized", passes_make_alloc());
}

// Of what the runtime can tell the call stack.
static void add_blocktype(void)
{
    if (!options_measures(CCPROF_KIND_TIME) || options.mark != OPTIONS_MARK_SOURCE ||
        !options.position)
        return;
    blocktype_register(name);
    add_behind("ssa", passes_make_blocktype());
}

static void add_check(void)
{
    if (!options.check)
        return;
    register_callback(name, PLUGIN_PASS_EXECUTION, check_before_pass, NULL);
    register_callback(name, PLUGIN_FINISH_UNIT, check_summary, NULL);
}

static void add_field(void)
{
    if (!options_measures(CCPROF_KIND_FIELD))
        return;
    add_behind("optimized", passes_make_callback());
    add_before("alignments", passes_make_field());
}

// What infer has charged.
static void add_hide_insns(void)
{
    add_behind("loop2_init", passes_make_hide_insns());
    add_before("loop2_done", passes_make_show_insns());
}

static void add_products(void)
{
    add_before("combine", passes_make_product_note());
    add_behind("combine", passes_make_product_charge());
}

static void add_moves(void)
{
    const char *anchor = compat_late_combine();

    if (!anchor)
        return;
    add(passes_make_moves_note(), anchor, PASS_POS_INSERT_BEFORE, 0);
    add(passes_make_moves_charge(), anchor, PASS_POS_INSERT_AFTER, 0);
}

// A target is told by its address.
static void add_label(void)
{
    if (!options_measures(CCPROF_KINDS_LABELLED) && !options.targets)
        return;
    add_before("shorten", passes_make_label());
    add_behind("final", passes_make_emit());
}

// What the kinds have to write, in the order of the sections.
static const struct emit_table tables[] = {
    {storage_collect, storage_emit},
    {NULL, count_emit},
    {flow_any, flow_emit},
    {train_any, train_emit},
    {train_values_any, train_values_emit},
    {field_any, field_emit},
    {alloc_table_any, alloc_table_emit},
    {inclusive_any, inclusive_emit},
    {blocktype_any, blocktype_emit},
    {watched_any, watched_emit},
};

// Neither the first half of an LTO compilation nor the planning of its second writes
// functions; a compilation with errors has no output.
static void finish_unit(void *, void *)
{
    if (seen_error() || flag_wpa)
        return;
    if (emit_unit(tables, ARRAY_SIZE(tables)))
        attach_emit();
    asked_emit();
}

static void add_output(void)
{
    if (options_measures(CCPROF_KINDS_LABELLED | CCPROF_KIND_FIELD)) {
        add_hide_insns();
        add_products();
        add_moves();
    }
    add_field();
    add_label();
    add_behind("final", passes_make_sites());
    if (options_measures(CCPROF_KINDS_MEASURED))
        register_callback(name, PLUGIN_PRAGMAS, macro_define, NULL);
    register_callback(name, PLUGIN_START_UNIT, machines_check, NULL);
    asked_register(name, filter_meet);
    register_callback(name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}

void schedule_all(const char *plugin)
{
    name = plugin;
    add_front();
    add_mark();
    add_targets();
    add_count();
    add_tailcalls();
    add_storage();
    add_behind("optimized", passes_make_infer());
    add_stopwatch();
    add_inclusive();
    add_alloc();
    add_blocktype();
    add_check();
    if (options.profile != OPTIONS_PROFILE_DROP)
        add_output();
    untouched_register(name);
}
