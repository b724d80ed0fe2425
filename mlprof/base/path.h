/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes names of files apart, and joins them with the folders that they are relative to.
 */

#ifndef MLPROF_PATH_H
#define MLPROF_PATH_H

/* FILE, compiled in DIRECTORY, as it is to be found from the folder HERE: as it is if
   that is the same, or if DIRECTORY is not known (NULL or "").  To be freed.  */
char *path_from(const char *here, const char *directory, const char *file);

/* What stands behind the last slash of PATH, within it.  */
const char *path_last(const char *path);

#endif
