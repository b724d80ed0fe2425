/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/identity.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* The number of a path.  Successive sources are mostly of one file, whose path is
   kept.  */
static uint32_t put_path(struct identity *identity, const char *directory,
                         const char *file)
{
    if (identity->file && is_same(identity->file, file) &&
        is_same(identity->directory, directory))
        return identity->path;
    char *path = path_straight(directory, file);
    free(identity->file);
    free(identity->directory);
    identity->file = buf_copy(file);
    identity->directory = directory ? buf_copy(directory) : NULL;
    identity->path = intern_put(&identity->texts, path);
    free(path);
    return identity->path;
}

struct identity_source identity_of(const struct unit *unit,
                                   const struct unit_source *source)
{
    if (source->same)
        return identity_of(source->same_unit, source->same);
    return (struct identity_source){.name = source->name,
                                    .symbol = source->symbol,
                                    .file = unit_file(unit, source->file),
                                    .directory = unit->directory,
                                    .line = source->line,
                                    .column = source->column};
}

static struct index_key key_of(struct identity *identity,
                               const struct identity_source *source)
{
    bool has_symbol = source->symbol && *source->symbol;
    uint32_t name =
        intern_put(&identity->texts, has_symbol ? source->symbol : source->name);
    uint32_t path =
        source->file ? put_path(identity, source->directory, source->file) : UINT32_MAX;
    return (struct index_key){
        {name, path, (uint64_t)source->line << 32 | source->column}};
}

uint32_t identity_put(struct identity *identity, const struct identity_source *source,
                      bool *fresh)
{
    const struct index_key key = key_of(identity, source);
    return index_put(&identity->index, key.words[0], key.words[1], key.words[2], fresh);
}

bool identity_get(struct identity *identity, const struct identity_source *source,
                  uint32_t *number)
{
    const struct index_key key = key_of(identity, source);
    return index_get(&identity->index, key.words[0], key.words[1], key.words[2], number);
}

const char *identity_last_path(const struct identity *identity,
                               const struct identity_source *source)
{
    return source->file ? intern_text(&identity->texts, identity->path) : NULL;
}

uint32_t identity_new(struct identity *identity)
{
    /* A name with this number does not exist.  */
    bool fresh;
    return index_put(&identity->index, UINT64_MAX, identity->index.count, 0, &fresh);
}

void identity_free(struct identity *identity)
{
    free(identity->file);
    free(identity->directory);
    intern_free(&identity->texts);
    index_free(&identity->index);
}

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
    BUF_OWN char *path = path_straight(source->directory, source->file);
    bool found = is_system(path);
    for (size_t i = 0; !found && i < patterns->count; i++)
        found = pattern_is_in(&patterns->list[i], path);
    return found;
}
