/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits and joins paths, and finds source files that are no longer where they were
   compiled.  */

#ifndef MLPROF_PATH_H
#define MLPROF_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* The path of FILE, which was compiled in DIRECTORY, relative to the folder HERE: FILE
   itself if the two folders are equal, or if DIRECTORY is unknown (NULL or "").  To be
   freed.  */
char *path_from(const char *here, const char *directory, const char *file);

/* The path of FILE without the components `.', and without `..' and the component before
   it, even if that is a link; to be freed.  DIRECTORY is the folder that FILE may be
   relative to; NULL: unknown.  */
char *path_straight(const char *directory, const char *file);

/* The part of PATH behind its last slash.  Points into PATH.  */
const char *path_last(const char *path);

/* The options -source-dir, -source-map and -source-text: where source files may be now,
   and which files may be shown even if their content may have changed since the
   compilation.  */

struct source_paths_map {
    char *from;
    const char *to;
};

/* All zero: files are where they were compiled.  */
struct source_paths {
    struct source_paths_map *maps; /* in the order of the command line */
    size_t map_count, map_capacity;
    const char **folders; /* in the order of the command line */
    size_t folder_count, folder_capacity;
    bool any; /* any file may be shown */
};

/* Adds the map WORD, `FROM=TO': paths that begin with FROM, in whole components, begin
   with TO.  WORD is not copied.  Returns an error message, to be freed, or NULL.  */
char *source_paths_add_map(struct source_paths *paths, const char *word);

/* Adds a folder that has files below it under their last components, as many as there
   are.  FOLDER is not copied.  */
void source_paths_add_folder(struct source_paths *paths, const char *folder);

void source_paths_free(struct source_paths *paths);

/* Places to look in, in order.  */
struct source_paths_list {
    char **places;
    size_t count, capacity;
};

/* Fills LIST, which source_paths_list_free frees, with the places of the file that was
   compiled at PATH: first by the maps, then PATH itself, then in the folders.  */
void source_paths_list(struct source_paths_list *list, const struct source_paths *paths,
                       const char *path);

void source_paths_list_free(struct source_paths_list *list);

/* Whether the file open as DESCRIPTOR may be shown even if its content may have changed
   since the compilation: any file if PATHS->any, otherwise a file in a folder that the
   user has named, after following links.  */
bool source_paths_allow(const struct source_paths *paths, int descriptor);

/* A list of the places other than PATH that were searched, as words that begin with a
   comma; empty if there are none.  To be freed.  */
char *source_paths_searched(const struct source_paths *paths, const char *path);

#endif
