/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chooser, installed as LIBDIR/ccprof.so: GCC gives -fplugin=ccprof.so, a name
   with a dot and no slash, to dlopen, which finds only this one file for every
   compiler (GCC: plugin.cc, add_new_plugin).  It loads the plugin that was installed
   for the compiler's own major version and hands everything on: the one that its own
   installation put elsewhere, or else the one in the compiler's folder for plugins, so
   that plugins can be added without it.  It is the same for all versions, so it sees
   none of GCC's headers: the two structures are those of gcc-plugin.h, unchanged since
   GCC 4.5.  */

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* What was installed elsewhere than in the compilers' own folders; ends with a zero.  */
static const struct {
    int major;
    const char *path;
} installed[] = {CHOOSER_INSTALLED{0, NULL}};

EXPORTED extern int plugin_is_GPL_compatible;
EXPORTED init_function plugin_init;

int plugin_is_GPL_compatible;

/* The compiler's folder for plugins into FOLDER, of PATH_MAX bytes, by the driver's
   -iplugindir=; false if that is not among the words.  */
static int folder_told(char *folder)
{
    static const char option[] = "-iplugindir=";
    FILE *words = fopen("/proc/self/cmdline", "r");
    char *word = NULL;
    size_t size = 0;
    int found = 0;

    if (!words)
        return 0;
    while (getdelim(&word, &size, '\0', words) > 0)
        if (!strncmp(word, option, sizeof option - 1))
            found = snprintf(folder, PATH_MAX, "%s", word + sizeof option - 1) < PATH_MAX;
    free(word);
    fclose(words);
    return found;
}

/* The same by where the compiler proper is: GCC's driver tells Ada's nothing.  Plugins
   are below lib where programs are below libexec.  */
static int folder_inferred(char *folder)
{
    static const char plugin[] = "/plugin";
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *end;

    if (length <= 0)
        return 0;
    folder[length] = '\0';
    end = strrchr(folder, '/');
    if (!end || (size_t)(end - folder) + sizeof plugin > PATH_MAX)
        return 0;
    memcpy(end, plugin, sizeof plugin);
    end = strstr(folder, "/libexec/gcc");
    if (end)
        memmove(end + 4, end + 8, strlen(end + 8) + 1);
    return 1;
}

/* The plugin into PATH, of PATH_MAX bytes; false if there is none.  FOLDER is where to
   look last.  */
static int find(char *path, int major, const char *folder)
{
    for (size_t i = 0; installed[i].path; i++)
        if (installed[i].major == major) {
            snprintf(path, PATH_MAX, "%s", installed[i].path);
            if (!access(path, R_OK))
                return 1;
        }
    return snprintf(path, PATH_MAX, "%s/ccprof.so", folder) < PATH_MAX &&
           !access(path, R_OK);
}

/* Which others there are: those beside FOLDER, whose name ends with /MAJOR/plugin, and
   the installed ones.  */
static void refuse(const char *compiler, const char *folder)
{
    const char *before = ": it is installed for";
    char pattern[PATH_MAX];
    glob_t others = {0};

    fprintf(stderr, "ccprof: no plugin for GCC %s in %s", compiler, folder);
    if (snprintf(pattern, sizeof pattern, "%s/../../*/plugin/ccprof.so", folder) <
            PATH_MAX &&
        !glob(pattern, 0, NULL, &others))
        for (size_t i = 0; i < others.gl_pathc; i++, before = ",")
            fprintf(stderr, "%s GCC %d", before,
                    atoi(others.gl_pathv[i] + strlen(folder) + sizeof "/../../" - 1));
    for (size_t i = 0; installed[i].path; i++, before = ",")
        fprintf(stderr, "%s GCC %d", before, installed[i].major);
    fputc('\n', stderr);
    globfree(&others);
}

int plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
    /* GCC and the plugin keep the name.  */
    static char path[PATH_MAX];
    char folder[PATH_MAX] = "";
    void *plugin;
    init_function *init;

    if (!folder_told(folder) && !folder_inferred(folder))
        folder[0] = '\0';
    if (!find(path, atoi(version->basever), folder)) {
        refuse(version->basever, folder);
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
