/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>

char *arcs_text(struct arcs_calls calls)
{
    char *number = text_commas((double)calls.count, 0);
    char *text = buf_format("%s%s", calls.least == calls.most ? "" : "~", number);
    free(number);
    return text;
}

char *arcs_sure_text(struct arcs_calls calls)
{
    return buf_format("%.0f%%", calls.least == calls.most
                                    ? 100.0
                                    : rows_percent(calls.least, calls.most));
}
