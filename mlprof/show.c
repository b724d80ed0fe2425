/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/show.h"
#include "mlprof/balance.h"
#include "mlprof/buf.h"
#include "mlprof/flame.h"
#include "mlprof/graph.h"
#include "mlprof/kin.h"
#include "mlprof/listing.h"
#include "mlprof/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* The tables and listings in place of MLton's table.  */
static bool print_matching(const struct options *options, const struct view *view,
                           struct fault *fault)
{
    const struct pattern *callers = &options->callers, *callees = &options->callees;
    const struct pattern *list = &options->list;
    bool good = true;
    if (callers->text)
        good = matched(kin_print(stdout, view, callers, KIN_CALLERS), "callers", callers,
                       fault);
    if (good && callees->text)
        good = matched(kin_print(stdout, view, callees, KIN_CALLEES), "callees", callees,
                       fault);
    if (good && list->text)
        good = matched(listing_print(stdout, view, list), "list", list, fault);
    return good;
}

static bool print_all(const struct options *options, const struct view *view,
                      struct fault *fault)
{
    bool good = true;
    view_header(stdout, view);
    if (options->callers.text || options->callees.text || options->list.text)
        good = print_matching(options, view, fault);
    else
        report_print(stdout, view);
    if (good && options->balance && view->profile->kind) {
        putchar('\n');
        balance_print(stdout, view->profile);
    }
    return good;
}

static void write_graph(FILE *out, const struct options *options, const struct view *view,
                        const char *title)
{
    const struct graph_style style = {.title = title, .gray = options->gray};
    graph_print(out, view, &style);
}

static void write_flame(FILE *out, const struct options *options, const struct view *view,
                        const char *title)
{
    (void)options;
    flame_print(out, view, title);
}

typedef void writer(FILE *out, const struct options *options, const struct view *view,
                    const char *title);

/* Writes the file at PATH, none if that is NULL, with its usual title after the
   executable's name.  */
static bool write_file(const char *path, writer *write, const char *usual,
                       const struct options *options, const struct view *view,
                       struct fault *fault)
{
    if (!path)
        return true;
    FILE *out = fopen(path, "we");
    if (!out)
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    char *title = options->graph_title ? buf_copy(options->graph_title)
                                       : buf_format("%s %s", options->operands[0], usual);
    write(out, options, view, title);
    free(title);
    bool good = fflush(out) == 0 && !ferror(out);
    int error = errno;
    if (fclose(out) == 0 && good)
        return true;
    return fault_set(fault, FAULT_FILE, path, "%s", strerror(good ? errno : error));
}

static void warn_of_no_stacks(const struct options *options, const struct view *view)
{
    if (view->profile->samples && !view->profile->stack &&
        (options->callers.text || options->callees.text || options->call_graph ||
         options->flame))
        fputs("mlprof: the data have no stacks: calls are those of inlined functions\n",
              stderr);
}

bool show_views(const struct options *options, const struct view *view,
                struct fault *fault)
{
    warn_of_no_stacks(options, view);
    return write_file(options->call_graph, write_graph, "call-stack graph", options, view,
                      fault) &&
           write_file(options->flame, write_flame, "flame graph", options, view, fault) &&
           print_all(options, view, fault);
}
