/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/row-names.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/settle.h"

void row_names_settle(struct rows *rows, const struct names_style *style)
{
    BUF_OWN struct settle_name *names = buf_alloc((rows->count + 1) * sizeof *names);
    for (size_t i = 0; i < rows->count; i++)
        names[i].source = &rows->rows[i].source;
    settle_names(names, rows->count, &rows->stacks.names, style);
    for (size_t i = 0; i < rows->count; i++)
        rows->rows[i].shown = names[i].shown;
}
