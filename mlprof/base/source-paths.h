/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells where source files may be that are no longer where they were compiled, and which
   may be shown that are not known to be what was compiled: by the options -source-dir,
   -source-map and -source-text.  For those that read source files.  */

#ifndef MLPROF_SOURCE_PATHS_H
#define MLPROF_SOURCE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

struct source_paths_map {
    char *from;
    const char *to;
};

/* Starts as all zero: files are where they were.  */
struct source_paths {
    struct source_paths_map *maps; /* in the order in which they were given */
    size_t map_count, map_capacity;
    const char **folders; /* likewise */
    size_t folder_count, folder_capacity;
    bool any; /* whatever is there may be shown */
};

/* Adds the map WORD, `FROM=TO': what begins with FROM, whole components of a path, begins
   with TO.  WORD is not copied.  Returns what is wrong with it, to be freed, or NULL.  */
char *source_paths_add_map(struct source_paths *paths, const char *word);

/* Adds a folder in which files are, below as many of their path's last components as
   there are.  It is not copied.  */
void source_paths_add_folder(struct source_paths *paths, const char *folder);

void source_paths_free(struct source_paths *paths);

/* Places to look in, the first one first.  */
struct source_paths_list {
    char **places;
    size_t count, capacity;
};

/* Fills LIST, which source_paths_list_free frees, with the places of the file that was
   compiled at PATH: as the maps tell, at PATH itself, in the folders.  */
void source_paths_list(struct source_paths_list *list, const struct source_paths *paths,
                       const char *path);

void source_paths_list_free(struct source_paths_list *list);

/* Whether the file that is open as DESCRIPTOR may be shown though it is not known to be
   what was compiled: any may, or it lies, links followed, in a folder that the user has
   named for source files.  */
bool source_paths_allow(const struct source_paths *paths, int descriptor);

/* Where else than at PATH it was looked for, in words that begin with a comma; empty if
   nowhere.  To be freed.  */
char *source_paths_tell(const struct source_paths *paths, const char *path);

#endif
