// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/macro.h"

// While compiling, without the callback: nothing is ready yet to hear of macros (-g3),
// and so the debug information stays as it is without the plugin.
static void define(const char *macro)
{
    cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
    auto saved = callbacks->define;

    if (!flag_preprocess_only)
        callbacks->define = NULL;
    cpp_define(parse_in, macro);
    callbacks->define = saved;
}

void macro_define(void *, void *)
{
    // Text that has been preprocessed has it in its place already.
    if (!&parse_in || cpp_get_options(parse_in)->preprocessed)
        return;
    define("__CCPROF__");
    // In C the plugin makes regions of blocks (plugin/watch/block.h); C++ does without.
    if (!cpp_get_options(parse_in)->cplusplus)
        define("__CCPROF_REGIONS__");
}
