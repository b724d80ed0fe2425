// SPDX-License-Identifier: GPL-3.0-or-later
// Where the command line is the current file, before the first one is read, the plugin's
// file is entered as if a #line directive named it, and left (GCC: c-family/c-opts.cc,
// c_finish_options).

#include "plugin/gcc/compat.h"
#include "plugin/gcc/origin.h"
#include "plugin/gcc/contents.h"

static const char *file;
static bool named;

// Who compares nothing but the text finds there what is in the file.  Scripts that make
// dependencies from the text leave out what has <built-in> in its name, and ccache what
// starts and ends as that.
static const char *version_of_file(void)
{
    static char text[sizeof "<built-in><plugin->" + 2 * sizeof(struct unit_hash)];
    const struct unit_hash hash = contents_hash(file);
    char *at = text + sprintf(text, "<built-in><plugin-");

    for (size_t i = 0; i < sizeof hash.bytes; i++)
        at += sprintf(at, "%02x", hash.bytes[i]);
    strcpy(at, ">");
    return text;
}

static void name_file(void *current, void *)
{
    if (named || strcmp((const char *)current, "<command-line>") != 0 || !&parse_in ||
        cpp_get_options(parse_in)->preprocessed)
        return;
    named = true;
    cpp_change_file(parse_in, LC_RENAME, file);
    cpp_change_file(parse_in, LC_RENAME, version_of_file());
    cpp_change_file(parse_in, LC_RENAME, "<command-line>");
}

void origin_register(const char *plugin, const char *path)
{
    file = path;
    if (flag_preprocess_only)
        register_callback(plugin, PLUGIN_INCLUDE_FILE, name_file, NULL);
}
