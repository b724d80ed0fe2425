/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chooser, installed as LIBDIR/ccprof.so: GCC gives -fplugin=ccprof.so, a name
   with a dot and no slash, to dlopen, which finds only this one file for every
   compiler (GCC: plugin.cc, add_new_plugin).  It loads the plugin that was installed
   for the compiler's own major version and hands everything on.  It is the same for
   all versions, so it sees none of GCC's headers: the two structures are those of
   gcc-plugin.h, unchanged since GCC 4.5.  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

struct plugin_name_args {
    char *base_name;
    const char *full_name;
    int argc;
    void *argv;
    const char *version;
    const char *help;
};

struct plugin_gcc_version {
    const char *basever;
    const char *datestamp;
    const char *devphase;
    const char *revision;
    const char *configuration_arguments;
};

typedef int init_function(struct plugin_name_args *, struct plugin_gcc_version *);

static const struct {
    int major;
    const char *path;
} installed[] = {CHOOSER_INSTALLED};

EXPORTED extern int plugin_is_GPL_compatible;
EXPORTED init_function plugin_init;

int plugin_is_GPL_compatible;

static const char *path_for(int major)
{
    for (size_t i = 0; i < sizeof installed / sizeof installed[0]; i++)
        if (installed[i].major == major)
            return installed[i].path;
    return NULL;
}

static void refuse(const char *compiler)
{
    fprintf(stderr, "ccprof: no plugin for GCC %s: it is installed for", compiler);
    for (size_t i = 0; i < sizeof installed / sizeof installed[0]; i++)
        fprintf(stderr, "%s GCC %d", i ? "," : "", installed[i].major);
    fputc('\n', stderr);
}

int plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
    const char *path = path_for(atoi(version->basever));
    void *plugin;
    init_function *init;

    if (!path) {
        refuse(version->basever);
        return 1;
    }
    plugin = dlopen(path, RTLD_NOW);
    *(void **)&init = plugin ? dlsym(plugin, "plugin_init") : NULL;
    if (!init) {
        fprintf(stderr, "ccprof: %s\n", dlerror());
        return 1;
    }
    args->full_name = path;
    return init(args, version);
}
