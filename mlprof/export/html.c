/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page (page/page.h). */

#include "mlprof/base/buf.h"
#include "mlprof/export/export.h"
#include "mlprof/page/page.h"
#include "mlprof/view/allocnotes.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/heapwords.h"
#include "mlprof/view/waitwords.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns the text below the table. The caller frees it. */
static char *notes_of(const struct view *view)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    if (view->profile->kind & CCPROF_KIND_TIME) {
        balance_print_precision(out, view->profile, false, false);
        balance_print(out, view->profile, view->program->skid);
        uncovered_print_kernel(out, view->profile, view->program);
        uncovered_print_broken(out, view);
    }
    if (view->profile->kind & CCPROF_KIND_ALLOC &&
        profile_measure(view->profile)->kinds) {
        allocnotes_print_most(out, view, report_rows(view->report, ROWS_PATHS));
        allocnotes_print_beside(out, view);
        allocnotes_print_missing(out, view);
    }
    if (profile_is_of_waits(view->profile))
        waitwords_foot(out, view);
    char *left_out = uncovered_instructions(view);
    if (left_out)
        fputs(left_out, out);
    free(left_out);
    if (view->report->wrappers)
        heapwords_wrappers(out, view->report->wrappers);
    buf_close(out);
    return text;
}

/* Returns the title of the page. The default is the program, with the number of data
   files if there are several. The caller frees it. */
static char *title_of(const struct export_input *input)
{
    uint64_t files = input->view->profile->runs.files;
    if (input->title || files < 2)
        return buf_copy(input->title ? input->title : input->program);
    return buf_format("%s, %" PRIu64 " data files", input->program, files);
}

void html_write_more(FILE *out, const struct export_input *input,
                     void (*print_more)(struct datacolumns *columns, const void *data),
                     const void *data)
{
    BUF_OWN char *notes = notes_of(input->view);
    BUF_OWN char *title = title_of(input);
    const struct page_about about = {.maker = input->maker,
                                     .program = input->program,
                                     .title = title,
                                     .notes = notes,
                                     .notes_of = notes_of,
                                     .print_more = print_more,
                                     .data = data};
    page_print(out, input->view, &about);
}

static void html_write(FILE *out, const struct export_input *input)
{
    if (profile_is_of_latency(input->view->profile))
        fault_set(input->fault, FAULT_MISMATCH, "-html",
                  "the page cannot show latency: use -flame or -tree");
    else
        html_write_more(out, input, NULL, NULL);
}

const struct export_format html_format = {
    .name = "html",
    .help = "write a page to explore in a browser",
    .kind = OUTPUTS_PAGE | OUTPUTS_COMPARED,
    .affects = OUTPUTS_COMPARISONS,
    .needs =
        EXPORT_THREADS | EXPORT_ADDRESSES | EXPORT_ORIGINS | EXPORT_HEAP | EXPORT_EVENTS,
    .write = html_write,
};
