// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that the target has a runtime, finds the runtime's file, and writes the stub
// into each object. Also defines the plugin's macros.

#include "plugin/gcc/compat.h"
#include "plugin/attach.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/options.h"
#include "rt/format.h"
#include "plugin/gcc/sources.h"

// The supported processors. HACKING lists the files that each of them needs.
static const char *const cpus[] = {"x86_64", "aarch64", "riscv64"};

static const char *cpu = CCPROF_CPU; // the compiler's processor, first word of its target

bool attach_pretend_cpu(const char *other)
{
    cpu = other;
    return true;
}

void attach_check_target(void *, void *)
{
    if (GET_MODE_BITSIZE(ptr_mode) != CCPROF_RT_BITS)
        error("ccprof: there is no runtime for this target: only for %d-bit code",
              CCPROF_RT_BITS);
    else if (BYTES_BIG_ENDIAN)
        error("ccprof: there is no runtime for this target: only for little-endian code");
    else {
        for (const char *name : cpus)
            if (!strcmp(name, cpu))
                return;
        error("ccprof: nothing can be measured on %qs: only on %qs, %qs and %qs", cpu,
              cpus[0], cpus[1], cpus[2]);
    }
}

// The stub as assembly text: rt/attach.c, compiled by the same compiler for which the
// plugin is built.
static const char stub[] =
#include "attach.inc"
    ;

static char *runtime_path;

// Returns the path of the runtime in the build tree, if PLUGIN is in a build tree:
// plugin/MAJOR/ccprof.so is next to rt/ there. Otherwise returns NULL. The caller frees
// it.
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

// Returns TEXT with escapes for a string of the assembler. The caller frees it.
static char *quote_text(const char *text)
{
    char *quoted = XNEWVEC(char, 2 * strlen(text) + 1), *cursor = quoted;

    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *cursor++ = '\\';
        *cursor++ = *text;
    }
    *cursor = 0;
    return quoted;
}

// Writes the note that says which kinds are measured. The linker keeps one stub for a
// module, and one such note for each combination of kinds. With --gc-sections the linker
// would drop a note in a group, unless the group has constructors. So the group has an
// empty list of constructors. Unlike the flag "R", this leaves the object's ELF header as
// GCC makes it.
static void emit_kind(unsigned kinds)
{
    char group[40];

    snprintf(group, sizeof group, "ccprof_kind_%u", kinds);
    assembly_push_note(".note.ccprof_kind", group, "", sizeof(struct ccprof_kind_note),
                       CCPROF_NOTE_KIND);
    assembly_line(".4byte", "%u", kinds);
    assembly_pop_section();
    assembly_push_in_group(".init_array.00100", "awG", "init_array", group);
    assembly_pop_section();
}

void attach_emit(void)
{
    const unsigned bits = options.kinds | (options.dormant ? CCPROF_KIND_DORMANT : 0);
    char *path = quote_text(runtime_path), kinds[20];

    emit_kind(bits);
    snprintf(kinds, sizeof kinds, "%u", bits);
    const struct assembly_token tokens[] = {{"@CCPROF_RT_PATH@", path},
                                            {"@CCPROF_KIND@", kinds}};
    assembly_text(stub, tokens, ARRAY_SIZE(tokens));
    free(path);
    // The linker gold need not find the start of a split-stack prologue in all functions:
    // the stub has none. The stores of time-field hide those of the program.
    if (flag_split_stack && !options_measures(CCPROF_KIND_FIELD)) {
        assembly_push_section(".note.GNU-no-split-stack", "", "progbits", "");
        assembly_pop_section();
    }
}

// Defines the macro. When compiling, the callback for macros (-g3) is disabled meanwhile:
// it is not ready yet, and debug information must be the same as without the plugin.
static void define_macro(const char *macro)
{
    cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
    auto saved = callbacks->define;

    if (!flag_preprocess_only)
        callbacks->define = NULL;
    cpp_define(parse_in, macro);
    callbacks->define = saved;
}

void attach_define_macros(void *, void *)
{
    // In preprocessed text, macros have been expanded already.
    if (!&parse_in || cpp_get_options(parse_in)->preprocessed)
        return;
    define_macro("__CCPROF__");
    // In C the plugin makes regions of blocks (plugin/watch/regions.cc). In C++ the
    // header uses destructors.
    if (!cpp_get_options(parse_in)->cplusplus)
        define_macro("__CCPROF_REGIONS__");
}

static const char *plugin_file;
static bool named;

// Returns a file name that contains the hash, for tools that compare only the text.
// Scripts that make dependencies from the text skip names with <built-in>. ccache skips
// names that begin with < and end with >.
static const char *version_of_file(void)
{
    static char text[sizeof "<built-in><plugin->" + 2 * sizeof(struct unit_hash)];
    const struct unit_hash hash = sources_hash(plugin_file);
    char *cursor = text + sprintf(text, "<built-in><plugin-");

    for (size_t i = 0; i < sizeof hash.bytes; i++)
        cursor += sprintf(cursor, "%02x", hash.bytes[i]);
    strcpy(cursor, ">");
    return text;
}

// The callback for each file that is entered. Before the first file is read, the current
// file is <command-line>. At this time the callback enters and leaves the plugin's file,
// as a #line directive would do (GCC: c-family/c-opts.cc, c_finish_options).
static void name_file(void *current, void *)
{
    if (named || strcmp((const char *)current, "<command-line>") != 0 || !&parse_in ||
        cpp_get_options(parse_in)->preprocessed)
        return;
    named = true;
    cpp_change_file(parse_in, LC_RENAME, plugin_file);
    cpp_change_file(parse_in, LC_RENAME, version_of_file());
    cpp_change_file(parse_in, LC_RENAME, "<command-line>");
}

void attach_name_plugin(const char *plugin, const char *path)
{
    plugin_file = path;
    if (flag_preprocess_only)
        register_callback(plugin, PLUGIN_INCLUDE_FILE, name_file, NULL);
}
