// SPDX-License-Identifier: GPL-3.0-or-later
// plugin_init: the compiler is checked, arguments are read, passes are hung in.

#include "compat.h"
#include "alloc.h"
#include "attach.h"
#include "callback.h"
#include "cells.h"
#include "check.h"
#include "delay.h"
#include "emit.h"
#include "field.h"
#include "filter.h"
#include "flowtable.h"
#include "macro.h"
#include "markers.h"
#include "options.h"
#include "passes.h"
#include "sites.h"
#include "stack.h"
#include "tailcalls.h"
#include "machines.h"
#include "targets.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int plugin_is_GPL_compatible;
EXPORTED int plugin_init(struct plugin_name_args *args,
                         struct plugin_gcc_version *version);
int plugin_is_GPL_compatible = 1;

// The value of --target= in a configure line, up to the next blank or quote.
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

// Any build of the same major version and target will do: annobin's rule.
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

static void add_pass(opt_pass *pass, const char *anchor, enum pass_positioning_ops where,
                     const char *plugin)
{
    struct register_pass_info info = {pass, anchor, 1, where};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

// Neither the first half of an LTO compilation nor the planning of its second writes
// functions; a compilation with errors has no output.
static void finish_unit(void *, void *)
{
    if (!seen_error() && !flag_wpa && emit_unit())
        attach_emit();
}

static void add_targets(const char *plugin)
{
    targets_register(plugin);
    add_pass(passes_make_targets_mark(), "ssa", PASS_POS_INSERT_AFTER, plugin);
    add_pass(passes_make_targets(), "optimized", PASS_POS_INSERT_AFTER, plugin);
}

static void add_passes(const char *plugin)
{
    if (delay_is_set())
        add_pass(passes_make_delay(), "cfg", PASS_POS_INSERT_BEFORE, plugin);
    add_pass(passes_make_name(), "*build_cgraph_edges", PASS_POS_INSERT_AFTER, plugin);
    // Behind `ssa' the one that is added last runs first: so mark puts its Enter in front
    // of what count has put at the function's start.
    if (markers_are_on())
        add_pass(passes_make_mark(), "ssa", PASS_POS_INSERT_AFTER, plugin);
    if (options_measures(CCPROF_KIND_COUNT) && options.mark == OPTIONS_MARK_SOURCE) {
        if (options.targets)
            add_targets(plugin);
        add_pass(passes_make_count_prepare(), "*build_cgraph_edges",
                 PASS_POS_INSERT_AFTER, plugin);
        add_pass(passes_make_count(), "ssa", PASS_POS_INSERT_AFTER, plugin);
    }
    if (tailcalls_has_pass()) {
        add_pass(passes_make_tail_marks(), "tailc", PASS_POS_INSERT_BEFORE, plugin);
        add_pass(passes_make_tailcalls(), "tailc", PASS_POS_INSERT_AFTER, plugin);
    }
    add_pass(passes_make_cells(), "optimized", PASS_POS_INSERT_AFTER, plugin);
    if (options_measures(CCPROF_KIND_COUNT) && options.mark != OPTIONS_MARK_SOURCE)
        add_pass(passes_make_count_late(), "optimized", PASS_POS_INSERT_AFTER, plugin);
    add_pass(passes_make_infer(), "optimized", PASS_POS_INSERT_AFTER, plugin);
    if (stack_is_measured()) {
        stack_register(plugin);
        add_pass(passes_make_stack(), "optimized", PASS_POS_INSERT_AFTER, plugin);
    }
    if (options_measures(CCPROF_KIND_ALLOC)) {
        alloc_register(plugin);
        add_pass(passes_make_alloc_type(), "ssa", PASS_POS_INSERT_AFTER, plugin);
        add_pass(passes_make_alloc(), "optimized", PASS_POS_INSERT_AFTER, plugin);
    }
    if (options.check) {
        register_callback(plugin, PLUGIN_PASS_EXECUTION, check_before_pass, NULL);
        register_callback(plugin, PLUGIN_FINISH_UNIT, check_summary, NULL);
    }
    if (options.profile == OPTIONS_PROFILE_DROP)
        return;
    if (options_measures(CCPROF_KIND_FIELD)) {
        add_pass(passes_make_callback(), "optimized", PASS_POS_INSERT_AFTER, plugin);
        add_pass(passes_make_field(), "alignments", PASS_POS_INSERT_BEFORE, plugin);
    }
    // A target is told by its address.
    if (options_measures(CCPROF_KINDS_LABELLED) || options.targets) {
        add_pass(passes_make_label(), "shorten", PASS_POS_INSERT_BEFORE, plugin);
        add_pass(passes_make_emit(), "final", PASS_POS_INSERT_AFTER, plugin);
    }
    add_pass(passes_make_sites(), "final", PASS_POS_INSERT_AFTER, plugin);
    if (options_measures(CCPROF_KINDS_MEASURED))
        register_callback(plugin, PLUGIN_PRAGMAS, macro_define, NULL);
    register_callback(plugin, PLUGIN_START_UNIT, machines_check, NULL);
    register_callback(plugin, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}

int plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
    static struct plugin_info info = {NULL, options_help()};

    info.version = concat(CCPROF_VERSION ", built for GCC ", gcc_version.basever, NULL);

    register_callback(args->base_name, PLUGIN_INFO, NULL, &info);
    if (!compiler_fits(version))
        return 1;
    filter_start(args->base_name);
    options_parse(args);
    if (options.profile == OPTIONS_PROFILE_NO)
        return 0;
    if (options.kinds != CCPROF_KIND_COUNT || stack_is_measured())
        markers_switch_on();
    attach_find_runtime(args->full_name);
    cells_register(args->base_name);
    flowtable_register(args->base_name);
    sites_register(args->base_name);
    if (options_measures(CCPROF_KIND_FIELD))
        callback_register(args->base_name);
    tailcalls_register(args->base_name);
    add_passes(args->base_name);
    return 0;
}
