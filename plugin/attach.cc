// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/attach.h"
#include "plugin/gcc/options.h"

// Made from rt/attach.c by the compiler that the plugin is for.
static const char stub[] =
#include "attach.inc"
    ;

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

// Writes what a token of the stub stands for; TOKEN starts at its @.  Gives the text
// behind it.
static const char *put_token(const char *token)
{
    static const char path[] = "@CCPROF_RT_PATH@", kind[] = "@CCPROF_KIND@";

    if (startswith(token, path)) {
        put_quoted(runtime_path);
        return token + strlen(path);
    }
    if (startswith(token, kind)) {
        fprintf(asm_out_file, "%u", options.kinds);
        return token + strlen(kind);
    }
    putc(*token, asm_out_file);
    return token + 1;
}

void attach_emit(void)
{
    const char *p = stub;

    while (*p) {
        size_t length = strcspn(p, "@");
        fwrite(p, 1, length, asm_out_file);
        p += length;
        if (*p)
            p = put_token(p);
    }
}
