/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which source file a recorded name means. A unit records the names that the
   compiler used, and the folder in which it ran. The readers of the tables turn each
   name into the path of the file, and all other modules know a file by this path only:
   equal paths are equal files, in all units, modules and builds. The recorded name is
   for people. The paths live until the process ends, because results outlive the
   tables. */

#ifndef MLPROF_SOURCEFILE_H
#define MLPROF_SOURCEFILE_H

/* Returns the path of the file that was named NAME by a compiler in DIRECTORY (NULL or
   "": unknown). `.', `..' and double slashes are resolved. If the folder still exists,
   its symbolic links are followed to recognize a file with several paths. The path is
   then the first one, and `..' behind a link leads where it leads for the compiler.
   Equal files have equal pointers. */
const char *sourcefile_path(const char *directory, const char *name);

/* Returns the pointer for the text PATH, or NULL if it is not the path of a file. */
const char *sourcefile_find(const char *path);

/* Returns the name by which PATH was first recorded, or PATH if it was not recorded.
   PATH may be NULL; then the result is NULL. */
const char *sourcefile_name(const char *path);

/* Like sourcefile_name, but returns PATH if the name is relative to another folder than
   HERE. */
const char *sourcefile_name_in(const char *here, const char *path);

/* Returns the folder and the name of PATH as they were recorded first, as one path, or
   PATH if it was not recorded. */
const char *sourcefile_recorded(const char *path);

/* Forgets all files. No path may be used afterwards. */
void sourcefile_free(void);

#endif
