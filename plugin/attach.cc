// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "attach.h"
#include "../rt/format.h"

// Made from rt/attach.c by the compiler that the plugin is for.
static const char stub[] =
#include "attach.inc"
    ;

#define PATH_MARK "@CCPROF_RT_PATH@"

static char *runtime_path;

// plugin/MAJOR/ccprof.so lies in the build tree beside rt/.
static char *runtime_of_build_tree(const char *plugin)
{
    char *real = lrealpath(plugin);
    char *slash = strrchr(real, '/');
    if (slash)
        *slash = 0;
    char *path = concat(real, "/../../rt/" CCPROF_RT_SONAME, NULL);
    free(real);
    if (access(path, R_OK) == 0) {
        real = lrealpath(path);
        free(path);
        return real;
    }
    free(path);
    return NULL;
}

void attach_find_runtime(const char *plugin)
{
    runtime_path = runtime_of_build_tree(plugin);
    if (!runtime_path)
        runtime_path = xstrdup(CCPROF_RT_INSTALLED);
}

static void put_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', asm_out_file);
        putc(*text, asm_out_file);
    }
}

void attach_emit(void)
{
    const char *mark = strstr(stub, PATH_MARK);

    fwrite(stub, 1, mark - stub, asm_out_file);
    put_quoted(runtime_path);
    fputs(mark + strlen(PATH_MARK), asm_out_file);
}
