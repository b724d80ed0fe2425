/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sources are profiled: an ordered list of include and exclude patterns on
   the file's name.  The last one that matches decides; none: included.  */

#ifndef CCPROF_FILTER_H
#define CCPROF_FILTER_H

/* In plugin_init, before patterns are added: functions of ccprof.h are excluded.  */
void filter_start(void);

/* Appends a POSIX extended regular expression, matched anywhere in the name.
   Gives NULL, or what is wrong with it (valid until the next call).  */
const char *filter_add(const char *regexp, bool include);

/* FILE may be NULL: unknown, included.  */
bool filter_wants(const char *file);

#endif
