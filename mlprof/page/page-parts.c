/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/page/page-parts.h"
#include "mlprof/base/files.h"

EMBED("page_style", "mlprof/page/web/page.css");
EMBED("page_body", "mlprof/page/web/page.html");
EMBED("page_older", "mlprof/page/web/older.js");
EMBED("page_script", "page.js");
