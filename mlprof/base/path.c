/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies the maps of -source-map and the folders of -source-dir to a path, and lists
   the places where a source file is searched, in this order: maps, the path itself,
   folders. */

#include "mlprof/base/path.h"
#include "mlprof/base/buf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *path_of_program(const char *path)
{
    static const char suffix[] = " (deleted)";
    size_t length = strlen(path), tail = sizeof suffix - 1;
    if (access(path, F_OK) != 0 && length > tail &&
        strcmp(path + length - tail, suffix) == 0)
        return buf_copy_prefix(path, length - tail);
    return buf_copy(path);
}

char *source_paths_add_map(struct source_paths *paths, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals == word)
        return buf_copy(equals ? "nothing before `='" : "it has no `='");
    size_t length = (size_t)(equals - word);
    while (length > 1 && word[length - 1] == '/')
        length--;
    BUF_PUSH(paths->maps) = (struct source_paths_map){
        .from = buf_copy_prefix(word, length), .to = equals + 1};
    return NULL;
}

void source_paths_add_folder(struct source_paths *paths, const char *folder)
{
    BUF_PUSH(paths->folders) = folder;
}

void source_paths_free(struct source_paths *paths)
{
    for (size_t i = 0; i < paths->maps.count; i++)
        free(paths->maps.list[i].from);
    free(paths->maps.list);
    free(paths->folders.list);
    memset(paths, 0, sizeof *paths);
}

char *path_straight(const char *path)
{
    char *normalized = buf_alloc(strlen(path) + 2), *end = normalized;
    bool absolute = *path == '/';
    if (absolute)
        *end++ = '/';
    char *kept_end = end; /* components before this are kept */
    while (*path) {
        size_t length = strcspn(path, "/");
        bool up = length == 2 && memcmp(path, "..", 2) == 0;
        if (up && end > kept_end) {
            for (end--; end > kept_end && end[-1] != '/';)
                end--;
        } else if (length && !(length == 1 && *path == '.') && !(up && absolute)) {
            memcpy(end, path, length);
            end += length;
            *end++ = '/';
            if (up)
                kept_end = end;
        }
        path += length + (path[length] == '/');
    }
    if (end > normalized + absolute)
        end--;
    *end = '\0';
    return normalized;
}

/* Returns PATH with its beginning replaced according to MAP, freed by free; NULL if
   PATH begins differently. */
static char *replace(const struct source_paths_map *map, const char *path)
{
    size_t length = strlen(map->from);
    if (strncmp(path, map->from, length) != 0)
        return NULL;
    const char *rest = path + length;
    bool root = map->from[length - 1] == '/';
    if (!root && *rest && *rest != '/')
        return NULL;
    rest += strspn(rest, "/");
    size_t to = strlen(map->to);
    bool slash = *rest && to && map->to[to - 1] != '/';
    return buf_format("%s%s%s", map->to, slash ? "/" : "", rest);
}

/* Appends PLACE; the list takes ownership. */
static void add_place(struct source_paths_list *list, char *place)
{
    BUF_NEXT(list->places, list->count, list->capacity) = place;
}

/* Adds the paths that the maps produce. Each map is first applied to PATH as it was
   compiled, because a compiler with -ffile-prefix-map maps folder/../other.c without
   resolving `..'. Then it is applied to NORMALIZED. */
static void add_mapped(struct source_paths_list *list, const struct source_paths *paths,
                       const char *path, const char *normalized)
{
    for (size_t i = 0; i < paths->maps.count; i++) {
        char *place = replace(&paths->maps.list[i], path);
        if (!place)
            place = replace(&paths->maps.list[i], normalized);
        if (place)
            add_place(list, place);
    }
}

/* Adds candidate paths below FOLDER, the longest first. */
static void add_below(struct source_paths_list *list, const char *folder,
                      const char *normalized)
{
    const char *rest = normalized + strspn(normalized, "/");
    while (strncmp(rest, "../", 3) == 0)
        rest += 3;
    while (*rest) {
        add_place(list, buf_format("%s/%s", folder, rest));
        const char *slash = strchr(rest, '/');
        rest = slash ? slash + 1 : "";
    }
}

void source_paths_list(struct source_paths_list *list, const struct source_paths *paths,
                       const char *path)
{
    BUF_OWN char *normalized = path_straight(path);
    memset(list, 0, sizeof *list);
    add_mapped(list, paths, path, normalized);
    add_place(list, buf_copy(path));
    for (size_t i = 0; i < paths->folders.count; i++)
        add_below(list, paths->folders.list[i], normalized);
}

void source_paths_list_free(struct source_paths_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->places[i]);
    free(list->places);
    memset(list, 0, sizeof *list);
}

/* Returns the path of the open file, freed by free; NULL if it is unknown. */
static char *path_of(int descriptor)
{
    BUF_OWN char *link = buf_format("/proc/self/fd/%d", descriptor);
    char path[PATH_MAX];
    ssize_t length = readlink(link, path, sizeof path);
    return length > 0 && (size_t)length < sizeof path
               ? buf_copy_prefix(path, (size_t)length)
               : NULL;
}

static bool is_below(const char *path, const char *folder)
{
    BUF_OWN char *real = realpath(*folder ? folder : ".", NULL);
    size_t length = real ? strlen(real) : 0;
    return length && strncmp(path, real, length) == 0 &&
           (!path[length] || path[length] == '/' || real[length - 1] == '/');
}

bool source_paths_allow(const struct source_paths *paths, int descriptor)
{
    if (paths->any)
        return true;
    BUF_OWN char *path = path_of(descriptor);
    bool allowed = false;
    for (size_t i = 0; path && !allowed && i < paths->folders.count; i++)
        allowed = is_below(path, paths->folders.list[i]);
    for (size_t i = 0; path && !allowed && i < paths->maps.count; i++)
        allowed = is_below(path, paths->maps.list[i].to);
    return allowed;
}

char *source_paths_searched(const struct source_paths *paths, const char *path)
{
    struct source_paths_list mapped = {0};
    BUF_OWN char *normalized = path_straight(path);
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    add_mapped(&mapped, paths, path, normalized);
    for (size_t i = 0; i < mapped.count; i++)
        fprintf(out, ", nor is it %s", mapped.places[i]);
    for (size_t i = 0; i < paths->folders.count; i++)
        fprintf(out, "%s%s", i ? ", " : ", nor is it in ", paths->folders.list[i]);
    buf_close(out);
    source_paths_list_free(&mapped);
    return text;
}
