// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/preprocessor.h"
#include "plugin/gcc/sources.h"

// Defines the macro. When compiling, the callback for macros (-g3) is disabled meanwhile:
// it is not ready yet, and debug information must be the same as without the plugin.
static void define(const char *macro)
{
    cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
    auto saved = callbacks->define;

    if (!flag_preprocess_only)
        callbacks->define = NULL;
    cpp_define(parse_in, macro);
    callbacks->define = saved;
}

void preprocessor_define_macros(void *, void *)
{
    // In preprocessed text, macros have been expanded already.
    if (!&parse_in || cpp_get_options(parse_in)->preprocessed)
        return;
    define("__CCPROF__");
    // In C the plugin makes regions of blocks (plugin/watch/regions.cc). In C++ the
    // header uses destructors.
    if (!cpp_get_options(parse_in)->cplusplus)
        define("__CCPROF_REGIONS__");
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
    char *at = text + sprintf(text, "<built-in><plugin-");

    for (size_t i = 0; i < sizeof hash.bytes; i++)
        at += sprintf(at, "%02x", hash.bytes[i]);
    strcpy(at, ">");
    return text;
}

// The callback for each file that is entered. Before the first file is read, the current
// file is <command-line>. Then this enters and leaves the plugin's file, as a #line
// directive would do (GCC: c-family/c-opts.cc, c_finish_options).
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

void preprocessor_name_plugin(const char *plugin, const char *path)
{
    plugin_file = path;
    if (flag_preprocess_only)
        register_callback(plugin, PLUGIN_INCLUDE_FILE, name_file, NULL);
}
