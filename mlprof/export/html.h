/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page (page/page.h).  */

#ifndef MLPROF_HTML_H
#define MLPROF_HTML_H

#include "mlprof/export/export.h"
#include "mlprof/page/datacolumns.h"

/* Writes a page with additional fields of data, which PRINT_MORE prints with DATA as its
   context.  */
void html_write_more(FILE *out, const struct export_input *input,
                     void (*print_more)(struct datacolumns *columns, const void *data),
                     const void *data);

#endif
