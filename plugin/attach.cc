// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/attach.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/options.h"
#include "rt/format.h"

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

// For a string of the assembler's; to be freed.
static char *quoted(const char *text)
{
    char *quoted = XNEWVEC(char, 2 * strlen(text) + 1), *at = quoted;

    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *at++ = '\\';
        *at++ = *text;
    }
    *at = 0;
    return quoted;
}

// The linker keeps one stub of a module, and one such note of each kind.  With
// --gc-sections it would take a note in a group out, unless the group has constructors:
// the list of these, which is empty, keeps it, and leaves the object's head as GCC has
// it.
static void emit_kind(void)
{
    char group[40];

    snprintf(group, sizeof group, "ccprof_kind_%u", options.kinds);
    assembly_push_note(".note.ccprof_kind", group, "", sizeof(struct ccprof_kind_note),
                       CCPROF_NOTE_KIND);
    assembly_line(".4byte", "%u", options.kinds);
    assembly_pop_section();
    assembly_push_in_group(".init_array.00100", "awG", "init_array", group);
    assembly_pop_section();
}

void attach_emit(void)
{
    char *path = quoted(runtime_path), kinds[20];

    emit_kind();
    snprintf(kinds, sizeof kinds, "%u", options.kinds);
    const struct assembly_token tokens[] = {{"@CCPROF_RT_PATH@", path},
                                            {"@CCPROF_KIND@", kinds}};
    assembly_text(stub, tokens, ARRAY_SIZE(tokens));
    free(path);
}
