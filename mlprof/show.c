/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/show.h"
#include "mlprof/advice.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/progress.h"
#include "mlprof/view/arcs-list.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/callers.h"
#include "mlprof/view/listing.h"
#include "mlprof/view/peek.h"
#include "mlprof/view/precision.h"
#include "mlprof/view/prof.h"
#include "mlprof/view/report.h"
#include "mlprof/view/uncovered.h"
#include "mlprof/viewfiles.h"

#include <stdlib.h>

static bool matched(size_t count, const char *option, const struct pattern *pattern,
                    struct fault *fault)
{
    if (count)
        return true;
    char *what = buf_format("-%s %s", option, pattern->text);
    fault_set(fault, FAULT_MISMATCH, what, "no function that was measured matches");
    free(what);
    return false;
}

static bool check_allocations(const struct view *view, struct fault *fault)
{
    if (view->left_out & CCPROF_KIND_ALLOC)
        return advice_refuse("-allocs", view, fault);
    if (view->profile->kind && !(view->profile->kind & CCPROF_KIND_ALLOC))
        return fault_set(fault, FAULT_MISMATCH, "-allocs",
                         "no allocations were measured: compile with "
                         "-fplugin-arg-ccprof-profile=alloc");
    return true;
}

static bool print_prof(const struct view *view, struct fault *fault)
{
    unsigned kind = view->profile->kind | view->left_out;
    if (kind && !(kind & CCPROF_KIND_TIME))
        return fault_set(fault, FAULT_MISMATCH, "-prof",
                         "no time was measured: compile with "
                         "-fplugin-arg-ccprof-profile=time,count");
    if (kind && !(kind & CCPROF_KIND_COUNT)) {
        progress_clear();
        fputs("mlprof: -prof: no calls were counted: compile with "
              "-fplugin-arg-ccprof-profile=time,count\n",
              stderr);
    }
    prof_print(stdout, view);
    return true;
}

/* The tables and listings in place of MLton's table.  */
static bool print_matching(const struct options *options, const struct view *view,
                           struct fault *fault)
{
    const struct pattern *callers = &options->callers, *callees = &options->callees;
    const struct pattern *list = &options->list, *arcs = &options->arcs;
    bool good = true;
    if (options->allocs)
        allocview_print(stdout, view, options->allocs, &options->libraries);
    if (good && callers->text)
        good = matched(callers_print(stdout, view, callers, NEIGHBOURS_CALLERS),
                       "callers", callers, fault);
    if (good && callees->text)
        good = matched(callers_print(stdout, view, callees, NEIGHBOURS_CALLEES),
                       "callees", callees, fault);
    if (good && options->peek.text)
        good = matched(peek_print(stdout, view, &options->peek), "peek", &options->peek,
                       fault);
    if (good && arcs->text)
        good =
            matched(arcs_list_print(stdout, view, view->arcs, arcs), "arcs", arcs, fault);
    if (good && list->text)
        good = matched(listing_print(stdout, view, list), "list", list, fault);
    return good;
}

static void print_part(const struct view *view)
{
    char *part = view_part(view);
    if (part)
        puts(part);
    free(part);
}

static bool print_all(const struct options *options, const struct view *view,
                      struct fault *fault)
{
    bool good = true, marked = false;
    struct view table = *view;
    if (options->allocs && !check_allocations(view, fault))
        return false;
    if (view->grouped)
        table.rows = view->grouped, table.kept = NULL;
    bool others = options->callers.text || options->callees.text || options->peek.text ||
                  options->list.text || options->arcs.text;
    bool exact = options->allocs && !others; /* samples say nothing of the numbers */
    progress_print();
    if (exact && view->profile->kind)
        allocview_print_header(stdout, view);
    else if (!options->prof)
        view_header(stdout, &table);
    print_part(view);
    if (options->prof)
        good = print_prof(view, fault);
    if (options->allocs || others)
        good = good && print_matching(options, view, fault);
    else if (!options->prof)
        marked = report_print(stdout, &table);
    if (good && options->balance && !exact && view->profile->kind & CCPROF_KIND_TIME) {
        putchar('\n');
        if (!view->style.mlton)
            precision_print(stdout, view->profile, marked);
        balance_print(stdout, view->profile, view->program->skid);
        uncovered_print(stdout, view->profile, view->program, options->operands[0],
                        options->show_extern);
    }
    if (good && options->balance && view->profile->kind & CCPROF_KIND_ALLOC)
        allocview_print_missing(stdout, view, options->allocs, &options->libraries);
    if (good && options->balance && view->profile->uncounted) {
        if (!(view->profile->kind & CCPROF_KIND_TIME))
            putchar('\n');
        balance_print_uncounted(stdout, view->profile);
    }
    return good;
}

bool show_views(const struct options *options, const struct evaluate_result *result,
                struct fault *fault)
{
    const struct view view = {.profile = result->profile,
                              .program = &result->program,
                              .rows = &result->rows,
                              .grouped = options->by ? &result->grouped : NULL,
                              .catalog = &result->catalog,
                              .flows = &result->flows,
                              .arcs = &result->arcs,
                              .kept = result->kept,
                              .kept_catalog = result->kept_catalog,
                              .filter = &options->filter,
                              .part = &result->part,
                              .left_out = result->left_out,
                              .sources = &options->sources,
                              .style = {.raw = options->raw,
                                        .show_line = options->names.show_line,
                                        .long_name = options->names.long_name,
                                        .names = options->names.form,
                                        .mlton = options->layout == OPTIONS_MLTON,
                                        .order = options->sort,
                                        .top = (size_t)options->top,
                                        .thresh = options->thresh}};
    return viewfiles_check(options, fault) && advice_give(options, &view, fault) &&
           viewfiles_write(options, &view, fault) &&
           (viewfiles_take_output(options) || print_all(options, &view, fault));
}
