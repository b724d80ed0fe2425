/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin that loads the one in $OTHER_PLUGIN and tells it of another compiler than
   it is in: of version $OTHER_VERSION, configured with $OTHER_CONFIGURATION. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* As in gcc-plugin.h. */
struct version {
    const char *basever, *datestamp, *devphase, *revision, *configuration_arguments;
};

typedef int init_function(void *, struct version *);

extern int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;
init_function plugin_init;

int plugin_init(void *args, struct version *version)
{
    struct version other = *version;
    void *plugin = dlopen(getenv("OTHER_PLUGIN"), RTLD_NOW);
    init_function *init;

    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    *(void **)&init = dlsym(plugin, "plugin_init");
    if (getenv("OTHER_VERSION"))
        other.basever = getenv("OTHER_VERSION");
    if (getenv("OTHER_CONFIGURATION"))
        other.configuration_arguments = getenv("OTHER_CONFIGURATION");
    return init(args, &other);
}
