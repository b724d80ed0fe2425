/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page (page/page.h).  */

#ifndef MLPROF_HTML_H
#define MLPROF_HTML_H

#include "mlprof/export/export.h"

export_writer html_write;

#endif
