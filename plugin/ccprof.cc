// SPDX-License-Identifier: GPL-3.0-or-later
// plugin_init, which GCC calls, checks the compiler, reads the arguments and starts the
// modules.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/origin.h"
#include "plugin/mark/keep_tailcalls.h"
#include "plugin/label/sites.h"
#include "plugin/count/counter.h"
#include "plugin/count/storage.h"
#include "plugin/count/flow.h"
#include "plugin/field/callback.h"
#include "plugin/watch/block.h"
#include "plugin/arguments.h"
#include "plugin/attach.h"
#include "plugin/schedule.h"

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
    origin_register(args->base_name, args->full_name);
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
