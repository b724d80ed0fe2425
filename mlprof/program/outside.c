/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/outside.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/elf/symbols.h"

#include <stdlib.h>
#include <string.h>

struct outside {
    const struct profile *profile;
    const char *executable, *debug_root;
    struct symbols **symbols; /* by module; NULL: not read yet */
};

struct outside *outside_new(const struct profile *profile, const char *executable,
                            const char *debug_root)
{
    struct outside *outside = buf_alloc(sizeof *outside);
    *outside = (struct outside){
        .profile = profile,
        .executable = executable,
        .debug_root = debug_root,
        .symbols = buf_alloc((profile->module_count + 1) * sizeof(struct symbols *))};
    return outside;
}

void outside_free(struct outside *outside)
{
    if (!outside)
        return;
    for (size_t i = 0; i < outside->profile->module_count; i++)
        symbols_free(outside->symbols[i]);
    free(outside->symbols);
    free(outside);
}

static const char *path_of(const struct outside *outside, uint32_t module)
{
    return module ? outside->profile->modules[module].path : outside->executable;
}

const char *outside_symbol(struct outside *outside, uint32_t module, uint64_t address)
{
    if (module == PROFILE_NO_MODULE)
        return NULL;
    if (!outside->symbols[module])
        outside->symbols[module] =
            symbols_read(path_of(outside, module),
                         outside->profile->modules[module].build_id, outside->debug_root);
    return symbols_find(outside->symbols[module], address);
}

char *outside_name(struct outside *outside, uint32_t module, uint64_t address)
{
    if (module == PROFILE_NO_MODULE)
        return buf_copy("<unknown>");
    const char *name = outside_symbol(outside, module, address);
    return buf_format("<%s>", name ? name : path_last(path_of(outside, module)));
}
