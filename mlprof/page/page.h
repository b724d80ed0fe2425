/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a view as a page for a browser: one HTML file with the data, the texts of the
   sources, and the scripts that show them; nothing is fetched, and a policy in the file
   lets no other script run.  */

#ifndef MLPROF_PAGE_H
#define MLPROF_PAGE_H

#include "mlprof/page/page-data.h"

void page_print(FILE *out, const struct view *view, const struct page_about *about);

#endif
