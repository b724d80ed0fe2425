/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the files of web/ that each page has, for page.c.  A file is the bytes from its
   name to the name with _end.  */

#ifndef MLPROF_PAGE_PARTS_H
#define MLPROF_PAGE_PARTS_H

extern const char page_style[], page_style_end[];
extern const char page_older[], page_older_end[];
extern const char page_script[], page_script_end[];
extern const char page_body[], page_body_end[];

#endif
