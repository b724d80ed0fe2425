/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes names of files apart, and joins them with the folders that they are relative to.
 */

#ifndef MLPROF_PATH_H
#define MLPROF_PATH_H

/* The path of FILE, which was compiled in DIRECTORY, relative to the folder HERE: FILE
   itself if the two folders are equal, or if DIRECTORY is unknown (NULL or "").  To be
   freed.  */
char *path_from(const char *here, const char *directory, const char *file);

/* The part of PATH behind its last slash.  Points into PATH.  */
const char *path_last(const char *path);

#endif
