/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chooser, installed as LIBDIR/ccprof.so, loads the plugin for the compiler's
   major version. GCC passes -fplugin=ccprof.so, a name with a dot and without a slash,
   to dlopen, which finds the same file for every compiler (GCC: plugin.cc,
   add_new_plugin).

   It prefers a plugin that its own installation put elsewhere, and otherwise uses the
   plugin in the compiler's folder for plugins. So other packages can add plugins for
   further compilers.

   The chooser is the same for all versions of GCC and does not include GCC's headers.
   The two structures below are copies from gcc-plugin.h, which have not changed since
   GCC 4.5. */

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

/* The plugins that were installed outside the compilers' own folders, ended by a zero. */
static const struct {
    int major;
    const char *path;
} installed[] = {CHOOSER_INSTALLED{0, NULL}};

EXPORTED extern int plugin_is_GPL_compatible;
EXPORTED init_function plugin_init;

int plugin_is_GPL_compatible;

/* Copies the compiler's folder for plugins to FOLDER, of PATH_MAX bytes. Reads it from
   the option -iplugindir=, which the GCC driver adds to the command line. Returns
   false if there is no such option. */
static int folder_from_option(char *folder)
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

/* The same, but derived from the path of the compiler proper, because the driver
   passes no such option to the Ada compiler. If programs are under libexec, plugins
   are under lib. */
static int folder_from_compiler(char *folder)
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

/* Copies the path of the plugin to PATH, of PATH_MAX bytes. Returns false if there is
   none. FOLDER is searched last. */
static int find_plugin(char *path, int major, const char *folder)
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

/* Reports that there is no plugin, and for which versions there are plugins: those in
   folders like FOLDER, whose name ends with /MAJOR/plugin, and the installed ones. */
static void report_missing(const char *compiler, const char *folder)
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
    /* GCC and the plugin keep a pointer to this name. */
    static char path[PATH_MAX];
    char folder[PATH_MAX] = "";
    void *plugin;
    init_function *init;

    if (!folder_from_option(folder) && !folder_from_compiler(folder))
        folder[0] = '\0';
    if (!find_plugin(path, atoi(version->basever), folder)) {
        report_missing(version->basever, folder);
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
