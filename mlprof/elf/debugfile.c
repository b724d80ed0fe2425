/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/debugfile.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* The context of the search.  */
struct search {
    const struct elffile *file;
    bool (*wanted)(const struct elffile *);
    struct fault *fault;
};

/* Opens the file at PATH if it is wanted; frees PATH.  */
static struct elffile *try_file(const struct search *search, char *path)
{
    const struct elffile *file = search->file;
    struct fault own = {0}, *fault = search->fault;
    struct elffile *found = elffile_open(path, &own);
    if (found && !search->wanted(found)) {
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

static struct elffile *try_build_id(const struct search *search, const char *root)
{
    const char *id = search->file->build_id;
    if (strlen(id) <= 2)
        return NULL;
    return try_file(search, buf_format("%s/.build-id/%.2s/%s.debug", root, id, id + 2));
}

static struct elffile *try_link(const struct search *search, const char *folder)
{
    const char *path = search->file->path, *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path + 1) : 0;
    return try_file(
        search, buf_format("%.*s%s%s", length, path, folder, search->file->debuglink));
}

struct elffile *debugfile_open(const struct elffile *file, const char *root,
                               bool (*wanted)(const struct elffile *),
                               struct fault *fault)
{
    const struct search search = {.file = file, .wanted = wanted, .fault = fault};
    struct elffile *found = NULL;
    if (!file->build_id)
        return NULL;
    found = try_build_id(&search, root);
    if (!found && file->debuglink && !strchr(file->debuglink, '/')) {
        found = try_link(&search, "");
        if (!found)
            found = try_link(&search, ".debug/");
    }
    if (found)
        fault_clear(fault);
    return found;
}
