/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/input/builds.h"
#include "mlprof/base/buf.h"
#include "mlprof/options/inputs.h"
#include "mlprof/program/program.h"

#include <stdlib.h>

bool builds_add(struct builds *builds, const char *path, struct fault *fault)
{
    struct elffile *file = elffile_open(path, fault);
    if (!file)
        return false;
    BUF_NEXT(builds->files, builds->count, builds->capacity) = file;
    return true;
}

/* The path of the named build that was measured; NULL: none of them was.  */
static const char *named(const struct builds *builds,
                         const struct profile_module *measured)
{
    for (size_t i = 0; i < builds->count; i++)
        if (inputs_is_measured(builds->files[i]->path, builds->files[i]->build_id,
                               measured))
            return builds->files[i]->path;
    return NULL;
}

bool builds_has(const struct builds *builds, const char *path,
                const struct profile_module *measured)
{
    return program_same_name(path, measured->path) || named(builds, measured);
}

bool builds_find(const struct builds *builds, const char *path, struct profile *data,
                 const char *file, struct fault *fault)
{
    struct profile_module *measured = &data->modules[0];
    const char *name = named(builds, measured);
    char *found = name ? buf_copy(name) : inputs_find_program(file, measured);
    if (!found)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with a build of %s that is not there (build-id %s): "
                         "name it behind %s",
                         measured->path, measured->build_id ? measured->build_id : "none",
                         path);
    free(measured->path);
    measured->path = found;
    return true;
}

void builds_free(struct builds *builds)
{
    for (size_t i = 0; i < builds->count; i++)
        elffile_close(builds->files[i]);
    free(builds->files);
}
