/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/library.h"

#include <stdlib.h>
#include <string.h>

static bool is_system(const char *path)
{
    static const char *const beginnings[] = {"/usr/include/", "/usr/local/include/",
                                             "/usr/lib/", "/usr/lib64/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(path, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    /* The headers of a compiler that was installed elsewhere.  */
    return strstr(path, "/include/c++/") || strstr(path, "/lib/gcc/");
}

bool library_has(const struct identity_source *source, const struct patterns *patterns)
{
    if (!source->file)
        return true;
    char *path = identity_path(source->directory, source->file);
    bool found = is_system(path);
    for (size_t i = 0; !found && i < patterns->count; i++)
        found = pattern_is_in(&patterns->list[i], path);
    free(path);
    return found;
}
