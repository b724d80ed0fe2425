/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins a recorded name with the folder of the compilation, resolves symbolic links of
   the folder, and keeps the result, so that each name is resolved once. */

#include "mlprof/base/sourcefile.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/path.h"

#include <stdlib.h>
#include <string.h>

/* Facts about a text, which is a path, a folder, or a recorded name with its folder.
   NULL: no such fact. */
struct entry {
    const char *text;
    const char *path;     /* of the file that was recorded as TEXT */
    const char *by_key;   /* of the file whose path without symbolic links is TEXT */
    const char *real;     /* the folder TEXT without symbolic links */
    const char *recorded; /* the first record whose path is TEXT */
    const char *name;     /* the name in RECORDED, behind the folder */
};

static struct {
    struct intern texts;
    struct entry **entries; /* by number of the text */
    size_t count, capacity;
    struct pool pool;
} files;

static struct entry *entry_of(const char *text)
{
    uint32_t number = intern_put(&files.texts, text);
    if (number == files.count) {
        struct entry entry = {.text = intern_text(&files.texts, number)};
        BUF_NEXT(files.entries, files.count, files.capacity) =
            pool_copy(&files.pool, &entry, sizeof entry);
    }
    return files.entries[number];
}

/* Returns the folder of PATH without symbolic links. If it does not exist, its path is
   only normalized. */
static const char *real_folder(const char *path)
{
    BUF_OWN char *folder = buf_copy_prefix(path, (size_t)(path_last(path) - path));
    struct entry *entry = entry_of(folder);
    if (!entry->real) {
        BUF_OWN char *found = *folder == '/' ? realpath(folder, NULL) : NULL;
        BUF_OWN char *straight = path_straight(folder);
        entry->real = entry_of(found ? found : straight)->text;
    }
    return entry->real;
}

/* Returns the path of the file that is recorded as RECORDED. */
static const char *resolve(const char *recorded)
{
    const char *real = real_folder(recorded);
    BUF_OWN char *key =
        buf_format("%s%s%s", real, path_last(real)[0] ? "/" : "", path_last(recorded));
    struct entry *entry = entry_of(key);
    if (!entry->by_key) {
        BUF_OWN char *straight = path_straight(recorded);
        bool same = strcmp(real_folder(straight), real) == 0;
        entry->by_key = entry_of(same ? straight : key)->text;
    }
    return entry->by_key;
}

const char *sourcefile_path(const char *directory, const char *name)
{
    bool joined = name[0] != '/' && directory && directory[0];
    BUF_OWN char *text = joined ? buf_format("%s/%s", directory, name) : buf_copy(name);
    struct entry *record = entry_of(text);
    if (record->path)
        return record->path;
    record->path = resolve(text);
    struct entry *path = entry_of(record->path);
    if (!path->recorded) {
        path->recorded = record->text;
        path->name = record->text + (joined ? strlen(directory) + 1 : 0);
    }
    return record->path;
}

const char *sourcefile_find(const char *path)
{
    const struct entry *entry = entry_of(path);
    return entry->recorded ? entry->text : NULL;
}

const char *sourcefile_name(const char *path)
{
    const struct entry *entry = path ? entry_of(path) : NULL;
    return entry && entry->name ? entry->name : path;
}

const char *sourcefile_recorded(const char *path)
{
    const struct entry *entry = entry_of(path);
    return entry->recorded ? entry->recorded : path;
}

const char *sourcefile_name_in(const char *here, const char *path)
{
    const char *name = sourcefile_name(path), *recorded = sourcefile_recorded(path);
    size_t length = (size_t)(name - recorded);
    bool is_here = !length || (length == strlen(here) + 1 &&
                               strncmp(recorded, here, length - 1) == 0);
    return is_here ? name : path;
}

void sourcefile_free(void)
{
    intern_free(&files.texts);
    pool_free(&files.pool);
    free(files.entries);
    memset(&files, 0, sizeof files);
}
