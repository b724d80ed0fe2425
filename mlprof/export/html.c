/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/html.h"
#include "mlprof/base/buf.h"
#include "mlprof/page/page.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/precision.h"

#include <stdlib.h>

/* What stands below the table.  */
static char *notes_of(const struct view *view)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    if (view->profile->kind & CCPROF_KIND_TIME) {
        precision_print(out, view->profile, false);
        balance_print(out, view->profile, view->program->skid);
    }
    buf_close(out);
    return text;
}

bool html_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    (void)fault;
    char *notes = notes_of(input->view);
    const struct page_about about = {.maker = input->maker,
                                     .program = input->program,
                                     .title =
                                         input->title ? input->title : input->program,
                                     .notes = notes};
    page_print(out, input->view, &about);
    free(notes);
    return true;
}
