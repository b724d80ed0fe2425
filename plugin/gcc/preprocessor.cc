// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/preprocessor.h"
#include "plugin/gcc/sources.h"

// When compiling, the callback for macros (-g3) is switched off: it is not ready yet, and
// debug information stays as it is without the plugin.
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
    // In preprocessed text the macros have been replaced already.
    if (!&parse_in || cpp_get_options(parse_in)->preprocessed)
        return;
    define("__CCPROF__");
    // In C the plugin makes regions of blocks (plugin/watch/regions.cc).  In C++
    // destructors end them.
    if (!cpp_get_options(parse_in)->cplusplus)
        define("__CCPROF_REGIONS__");
}

static const char *plugin_file;
static bool named;

// A name with the hash, for tools that compare the text alone.  Scripts that make
// dependencies from the text skip names with <built-in>; ccache skips names that begin
// and end like it.
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

// Before the first file is read the command line is the current file.  There the plugin's
// file is entered as if a #line directive named it, and left (GCC: c-family/c-opts.cc,
// c_finish_options).
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
