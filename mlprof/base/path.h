/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits and joins paths, and finds source files that were moved after the
   compilation. */

#ifndef MLPROF_PATH_H
#define MLPROF_PATH_H

#include "mlprof/base/buf.h"
#include <stdbool.h>
#include <stddef.h>

/* Returns PATH without the components `.' and `..'; freed by free. `..' also removes the
   component before it, even if that component is a symbolic link. */
char *path_straight(const char *path);

/* Returns the part of PATH after its last slash. The result points into PATH. */
const char *path_last(const char *path);

/* Returns a program's path without the suffix that the kernel appends if the file was
   replaced while the program ran (readlink of /proc/PID/exe, proc(5)). The caller
   frees it. */
char *path_of_program(const char *path);

/* The options -source-dir, -source-map and -source-text: where source files may be
   now, and which files may be shown although their content may have changed since the
   compilation. */

struct source_paths_map {
    char *from;
    const char *to;
};

/* All zero: files are where they were compiled. */
struct source_paths {
    BUF_VECTOR(struct source_paths_map) maps; /* in the order of the command line */
    BUF_VECTOR(const char *) folders;         /* in the order of the command line */
    bool any;                                 /* any file may be shown */
};

/* Adds the map WORD, `FROM=TO': a leading FROM of a path, in whole components, is
   replaced by TO. WORD is not copied. Returns NULL, or an error message to be freed. */
char *source_paths_add_map(struct source_paths *paths, const char *word);

/* Adds a folder. A file is searched below it by as many of its last path components as
   possible. FOLDER is not copied. */
void source_paths_add_folder(struct source_paths *paths, const char *folder);

void source_paths_free(struct source_paths *paths);

/* Paths to try, in order. */
struct source_paths_list {
    char **places;
    size_t count, capacity;
};

/* Fills LIST with the paths to try for the file that was compiled at PATH: first from
   the maps, then PATH itself, then in the folders. Freed by source_paths_list_free. */
void source_paths_list(struct source_paths_list *list, const struct source_paths *paths,
                       const char *path);

void source_paths_list_free(struct source_paths_list *list);

/* Returns whether the file open as DESCRIPTOR may be shown although its content may
   have changed since the compilation. If PATHS->any is true, any file may be shown.
   Otherwise only a file in a folder that the user has named may be shown. Symbolic
   links are resolved first. */
bool source_paths_allow(const struct source_paths *paths, int descriptor);

/* Returns a list of the searched paths other than PATH as text; freed by free. The
   text begins with a comma. It is empty if there are no other paths. */
char *source_paths_searched(const struct source_paths *paths, const char *path);

#endif
