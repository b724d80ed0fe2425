/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/debugfile.h"
#include "mlprof/buf.h"

#include <stdlib.h>
#include <string.h>

/* Takes over PATH.  */
static struct elffile *try_file(const struct elffile *file, char *path,
                                struct fault *fault)
{
    struct fault own = {0};
    struct elffile *found = elffile_open(path, &own);
    if (found && !elffile_has_tables(found)) {
        elffile_close(found);
        found = NULL;
    } else if (found && !elffile_same_build_id(found->build_id, file->build_id)) {
        fault_set(fault, FAULT_MISMATCH, path,
                  "not the debug file of %s: its build-id differs", file->path);
        elffile_close(found);
        found = NULL;
    } else if (own.kind != FAULT_NONE && own.kind != FAULT_FILE) {
        fault_clear(fault);
        *fault = own;
        own = (struct fault){0};
    }
    fault_clear(&own);
    free(path);
    return found;
}

static struct elffile *try_build_id(const struct elffile *file, const char *root,
                                    struct fault *fault)
{
    if (strlen(file->build_id) <= 2)
        return NULL;
    return try_file(file,
                    buf_format("%s/.build-id/%.2s/%s.debug", root, file->build_id,
                               file->build_id + 2),
                    fault);
}

static struct elffile *try_link(const struct elffile *file, const char *folder,
                                struct fault *fault)
{
    const char *slash = strrchr(file->path, '/');
    int length = slash ? (int)(slash - file->path + 1) : 0;
    return try_file(
        file, buf_format("%.*s%s%s", length, file->path, folder, file->debuglink), fault);
}

struct elffile *debugfile_open(const struct elffile *file, const char *root,
                               struct fault *fault)
{
    struct elffile *found = NULL;
    if (!file->build_id)
        return NULL;
    found = try_build_id(file, root, fault);
    if (!found && file->debuglink && !strchr(file->debuglink, '/')) {
        found = try_link(file, "", fault);
        if (!found)
            found = try_link(file, ".debug/", fault);
    }
    if (found)
        fault_clear(fault);
    return found;
}
