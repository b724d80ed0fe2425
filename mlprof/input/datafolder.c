/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the data files of a folder by reading the beginning of each file. Other files
   are skipped, with a warning; unfinished files are recognized by their names. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/profile/mlmon.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The suffix of incomplete files. Such a file is still being written, or the process
   that wrote it was killed. */
#define UNFINISHED ".tmp"

struct datafolder {
    const char *path;
    char **names;
    size_t count, capacity;
    const char *other; /* the first file that is not a data file */
    size_t others;
};

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static bool read_names(struct datafolder *folder, struct fault *fault)
{
    struct dirent *entry;
    DIR *stream = opendir(folder->path);
    if (!stream)
        return fault_set(fault, FAULT_FILE, folder->path, "%s", strerror(errno));
    errno = 0;
    while ((entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        BUF_NEXT(folder->names, folder->count, folder->capacity) =
            buf_copy(entry->d_name);
        errno = 0;
    }
    int error = errno;
    closedir(stream);
    if (error)
        return fault_set(fault, FAULT_FILE, folder->path, "%s", strerror(error));
    BUF_SORT(folder->names, folder->count, by_name);
    return true;
}

static void warn_of_others(const struct datafolder *folder)
{
    if (folder->others == 1)
        fault_message("%s: %s is no data file, and left out", folder->path,
                      folder->other);
    else if (folder->others)
        fault_message("%s: %s and %zu more are no data files, and left out", folder->path,
                      folder->other, folder->others - 1);
}

bool datafolder_is_unfinished(const char *name)
{
    return text_ends(name, UNFINISHED);
}

enum found { FOUND_DATA, FOUND_OTHER, FOUND_GONE, FOUND_WRONG };

bool datafolder_is_gone(const char *file)
{
    struct stat status;
    return stat(file, &status) != 0 && errno == ENOENT;
}

/* Returns what kind of file PATH is. Fills HEAD if it is a data file, and sets FAULT
   if it is a damaged data file. */
static enum found find(const char *path, struct profile *head, struct fault *fault)
{
    if (datafolder_is_gone(path))
        return FOUND_GONE;
    if (datafolder_is_unfinished(path))
        return FOUND_OTHER;
    if (mlmon_read_program(head, path, fault))
        return FOUND_DATA;
    bool gone = datafolder_is_gone(path);
    if (fault->kind != FAULT_FORMAT && !gone)
        return FOUND_WRONG;
    fault_clear(fault);
    return gone ? FOUND_GONE : FOUND_OTHER;
}

bool datafolder_each(const char *path, bool tolerant,
                     bool (*use)(void *data, const char *file,
                                 const struct profile *head),
                     void *data, struct fault *fault)
{
    struct datafolder folder = {.path = path};
    size_t length = strlen(path);
    const char *between = length && path[length - 1] == '/' ? "" : "/";
    bool good = read_names(&folder, fault);
    for (size_t i = 0; good && i < folder.count; i++) {
        struct profile head = {0};
        BUF_OWN char *file = buf_format("%s%s%s", path, between, folder.names[i]);
        progress_set("mlprof: looking through %s, file %zu of %zu", path, i + 1,
                     folder.count);
        enum found found = find(file, &head, fault);
        if (found == FOUND_DATA)
            good = use(data, file, &head);
        else if (found == FOUND_OTHER && folder.others++ == 0)
            folder.other = folder.names[i];
        else if (found == FOUND_WRONG && (good = tolerant))
            fault_warn(fault);
        profile_free(&head);
    }
    if (good)
        warn_of_others(&folder);
    for (size_t i = 0; i < folder.count; i++)
        free(folder.names[i]);
    free(folder.names);
    return good;
}
