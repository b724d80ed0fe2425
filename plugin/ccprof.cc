// SPDX-License-Identifier: GPL-3.0-or-later
// ccprof: the entry of the plugin. GCC calls plugin_init, which checks the compiler,
// reads the arguments, starts the modules, and registers the passes and callbacks that
// the arguments require. Each pass is placed relative to a pass of GCC. If several passes
// are placed after the same pass of GCC, the one that is added last runs first.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/attach.h"
#include "plugin/mark/mark.h"
#include "plugin/label/emit.h"
#include "plugin/label/sites.h"
#include "plugin/count/count.h"
#include "plugin/count/condense.h"
#include "plugin/count/counter.h"
#include "plugin/count/storage.h"
#include "plugin/count/targets.h"
#include "plugin/train/train.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/alloc/alloc.h"
#include "plugin/field/field.h"
#include "plugin/machine/machine.h"
#include "plugin/watch/watch.h"
#include "plugin/remarks/loops.h"
#include "plugin/arguments.h"

static const char *name; // the plugin's name

// Places PASS before or after the pass ANCHOR of GCC. INSTANCE selects one of several
// passes with this name; 0 selects all.
static void register_pass(opt_pass *pass, const char *anchor,
                          enum pass_positioning_ops where, int instance = 1)
{
    struct register_pass_info info = {pass, anchor, instance, where};
    register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

static void add_before(const char *anchor, opt_pass *pass)
{
    register_pass(pass, anchor, PASS_POS_INSERT_BEFORE);
}

static void add_after(const char *anchor, opt_pass *pass)
{
    register_pass(pass, anchor, PASS_POS_INSERT_AFTER);
}

static void add_front(void)
{
    if (delay_is_set())
        add_before("cfg", passes_make_delay());
    add_after("*build_cgraph_edges", passes_make_name());
}

// mark must run after count, so that its Enter is before the code that count puts at the
// function's start.
static void add_mark(void)
{
    if (!markers_are_on() && !(filter_watches_any() && markers_can_watch()))
        return;
    markers_keep_in_clones();
    add_after("ssa", passes_make_mark());
    add_before("profile", passes_make_hide_unit());
    add_after("profile", passes_make_show_unit());
    add_after("loopinit", passes_make_hide());
    add_before("loopdone", passes_make_show());
}

static bool counts_source(void)
{
    return options_measures(CCPROF_KIND_COUNT) && options.mark == OPTIONS_MARK_SOURCE;
}

static void add_targets(void)
{
    bool counts_targets = counts_source() && options.targets;

    if (!counts_targets && !options.train)
        return;
    targets_register(name);
    if (counts_targets)
        add_after("ssa", passes_make_targets_mark());
    add_after("optimized", passes_make_targets());
}

static void add_train(void)
{
    train_register(name);
    condense_register(name);
    add_before("profile", passes_make_train());
    if (options.train_order)
        add_after("ehdisp", passes_make_train_first());
    add_after("ehdisp", passes_make_condense());
}

static void add_count(void)
{
    if (options.train)
        return add_train();
    if (!counts_source()) {
        if (options.branch) {
            add_after("*build_cgraph_edges", passes_make_branches_prepare());
            add_after("ssa", passes_make_branches());
        }
        return;
    }
    count_register(name);
    if (options.blocks || options.branch)
        add_before("cfg", passes_make_statements());
    add_after("*build_cgraph_edges", passes_make_count_prepare());
    add_after("ssa", passes_make_count());
    add_after("build_ssa_passes", passes_make_absent());
    if (options_marks_counts()) {
        condense_register(name);
        if (condense_joins_marks())
            add_after("einline", passes_make_joined());
        add_after("ehdisp", passes_make_condense());
    }
    if (options.mispredicted) {
        predict_register(name);
        add_after("ehdisp", passes_make_predict());
    }
}

static void add_tailcalls(void)
{
    if (!keep_tailcalls_has_pass())
        return;
    add_before("tailc", passes_make_note_tailcalls());
    add_after("tailc", passes_make_keep_tailcalls());
}

static void add_storage(void)
{
    add_after("optimized", passes_make_storage());
    if (options_measures(CCPROF_KIND_COUNT) && options.mark != OPTIONS_MARK_SOURCE)
        add_after("optimized", passes_make_count_late());
}

static void add_inclusive(void)
{
    if (!options_adds_inclusive())
        return;
    inclusive_register(name);
    add_after("optimized", passes_make_inclusive());
}

static void add_stopwatch(void)
{
    if (options.profile != OPTIONS_PROFILE_MEASURE || !filter_watches_any())
        return;
    watched_register(name);
    anchor_register(name);
    add_after("einline", passes_make_claim_returns());
    add_after("inline", passes_make_anchor());
    add_after("optimized", passes_make_stopwatch());
    add_before("shorten", passes_make_quiet());
}

static void add_alloc(void)
{
    if (!options_measures(CCPROF_KIND_ALLOC))
        return;
    alloc_register(name);
    alloc_path_register(name);
    add_after("ssa", passes_make_alloc_type());
    add_after("optimized", passes_make_alloc());
}

// Types of memory blocks are only useful if the runtime can report call stacks.
static void add_blocktype(void)
{
    if (!options_measures(CCPROF_KIND_TIME) || options.mark != OPTIONS_MARK_SOURCE ||
        !options.position)
        return;
    blocktype_register(name);
    add_after("ssa", passes_make_blocktype());
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
    add_after("optimized", passes_make_callback());
    add_before("alignments", passes_make_field());
}

// The passes that keep the locations of insns correct.
static void add_insn_locations(void)
{
    const char *late_combine = compat_late_combine();

    if (!options_measures(CCPROF_KINDS_LABELLED | CCPROF_KIND_FIELD))
        return;
    add_after("loop2_init", passes_make_hide_insns());
    add_before("loop2_done", passes_make_show_insns());
    add_before("combine", passes_make_product_note());
    add_after("combine", passes_make_product_charge());
    if (late_combine) {
        register_pass(passes_make_moves_note(), late_combine, PASS_POS_INSERT_BEFORE, 0);
        register_pass(passes_make_moves_charge(), late_combine, PASS_POS_INSERT_AFTER, 0);
    }
}

// Targets are recorded by address, so they need labels too.
static void add_label(void)
{
    if (!options_measures(CCPROF_KINDS_LABELLED) && !options.targets)
        return;
    add_before("shorten", passes_make_label());
    add_after("final", passes_make_emit());
}

static void add_machine(void)
{
    if (!options_measures(CCPROF_KIND_INSTRUCTIONS))
        return;
    add_before("*free_cfg", passes_make_machine());
    add_before("shorten", passes_make_machine_segments());
    add_after("final", passes_make_machine_emit());
}

// loops runs before the pass hide, which removes positions from markers.
static void add_remarks(void)
{
    if (!loops_are_told())
        return;
    messages_register(name);
    add_after("loopinit", passes_make_loops());
    add_before("vect", passes_make_unseen());
    add_before("loop2_done", passes_make_unrolled());
    add_after("final", passes_make_remarks());
}

// The tables of the kinds, in the order of their sections.
static const struct emit_table tables[] = {
    {storage_collect, storage_emit},
    {NULL, count_emit},
    {flow_any, flow_emit},
    {train_any, train_emit},
    {train_values_any, train_values_emit},
    {field_any, field_emit},
    {alloc_table_any, alloc_table_emit},
    {inclusive_any, inclusive_emit},
    {NULL, machine_emit},
    {NULL, machine_calls_emit},
    {blocktype_any, blocktype_emit},
    {watched_any, watched_emit},
};

// Writes the tables. The first half of an LTO compilation and the planning of its second
// half write no functions. A compilation with errors has no output.
static void finish_unit(void *, void *)
{
    if (seen_error() || flag_wpa)
        return;
    if (emit_unit(tables, ARRAY_SIZE(tables)))
        attach_emit();
    filter_emit();
}

static void add_output(void)
{
    add_insn_locations();
    add_field();
    add_label();
    add_machine();
    add_remarks();
    add_after("final", passes_make_sites());
    if (options_adds_inclusive_instructions()) {
        add_before("final", passes_make_machine_text());
        add_after("final", passes_make_machine_amounts());
    }
    if (options_measures(CCPROF_KINDS_MEASURED))
        register_callback(name, PLUGIN_PRAGMAS, attach_define_macros, NULL);
    register_callback(name, PLUGIN_START_UNIT, attach_check_target, NULL);
    filter_register(name);
    register_callback(name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}

static void schedule_all(const char *plugin)
{
    name = plugin;
    add_front();
    add_mark();
    add_targets();
    add_count();
    add_tailcalls();
    add_storage();
    add_after("optimized", passes_make_infer());
    add_stopwatch();
    add_inclusive();
    add_alloc();
    add_blocktype();
    add_check();
    if (options.profile != OPTIONS_PROFILE_DROP)
        add_output();
    filter_register_early(name);
}

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int plugin_is_GPL_compatible;
EXPORTED int plugin_init(struct plugin_name_args *args,
                         struct plugin_gcc_version *version);
int plugin_is_GPL_compatible = 1;

// Copies the value of --target= in a configure line, up to the next blank or quote.
// Returns false if the line has no --target=.
static bool target_of(const char *configuration, char *target, size_t size)
{
    static const char option[] = "--target=";
    const char *p = strstr(configuration, option);

    if (!p)
        return false;
    p += strlen(option);
    size_t length = strcspn(p, " '\"");
    snprintf(target, size, "%.*s", (int)length, p);
    return true;
}

// Returns true if the plugin can be loaded into this compiler. Accepts any build of the
// same major version for the same target. GCC's plugin annobin has the same rule.
static bool compiler_fits(const struct plugin_gcc_version *version)
{
    char theirs[100], ours[100];

    if (atoi(version->basever) != GCCPLUGIN_VERSION_MAJOR) {
        error("ccprof: built for GCC %d and cannot be loaded into GCC %s: build it with "
              "%<make PLUGIN_GCC=gcc-%d%>",
              GCCPLUGIN_VERSION_MAJOR, version->basever, atoi(version->basever));
        return false;
    }
    if (target_of(version->configuration_arguments, theirs, sizeof theirs) &&
        target_of(gcc_version.configuration_arguments, ours, sizeof ours) &&
        strcmp(theirs, ours)) {
        error("ccprof: built for a compiler for %s and cannot be loaded into one for %s",
              ours, theirs);
        return false;
    }
    return true;
}

int plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
    static struct plugin_info info = {NULL, arguments_help()};

    info.version = concat(CCPROF_VERSION ", built for GCC ", gcc_version.basever, NULL);

    register_callback(args->base_name, PLUGIN_INFO, NULL, &info);
    if (!compiler_fits(version))
        return 1;
    filter_start(args->base_name);
    arguments_parse(args);
    if (options.profile == OPTIONS_PROFILE_NO)
        return 0;
    if (options.kinds != CCPROF_KIND_COUNT || options_adds_inclusive() ||
        filter_watches_any())
        markers_switch_on();
    attach_find_runtime(args->full_name);
    attach_name_plugin(args->base_name, args->full_name);
    counter_register(args->base_name);
    storage_register(args->base_name);
    flow_register(args->base_name);
    sites_register(args->base_name);
    if (options_measures(CCPROF_KIND_FIELD))
        callback_register(args->base_name);
    block_register(args->base_name);
    keep_tailcalls_register(args->base_name);
    schedule_all(args->base_name);
    return 0;
}
