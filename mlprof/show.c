/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/show.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/gzip.h"
#include "mlprof/base/progress.h"
#include "mlprof/evaluate/catalog.h"
#include "mlprof/view/arcs-list.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/flame.h"
#include "mlprof/view/gcov-json.h"
#include "mlprof/view/graph.h"
#include "mlprof/view/callers.h"
#include "mlprof/view/listing.h"
#include "mlprof/view/nosamples.h"
#include "mlprof/view/picture.h"
#include "mlprof/view/prof.h"
#include "mlprof/view/report.h"
#include "mlprof/view/uncovered.h"

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

static bool print_allocations(const struct options *options, const struct view *view,
                              struct fault *fault)
{
    if (view->profile->kind && !(view->profile->kind & CCPROF_KIND_ALLOC))
        return fault_set(fault, FAULT_MISMATCH, "-allocs",
                         "no allocations were measured: compile with "
                         "-fplugin-arg-ccprof-profile=alloc");
    allocview_print(stdout, view, options->allocs);
    return true;
}

static bool print_prof(const struct view *view, struct fault *fault)
{
    unsigned kind = view->profile->kind;
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
        good = print_allocations(options, view, fault);
    if (good && callers->text)
        good = matched(callers_print(stdout, view, callers, CALLERS_CALLERS), "callers",
                       callers, fault);
    if (good && callees->text)
        good = matched(callers_print(stdout, view, callees, CALLERS_CALLEES), "callees",
                       callees, fault);
    if (good && arcs->text)
        good =
            matched(arcs_list_print(stdout, view, view->arcs, arcs), "arcs", arcs, fault);
    if (good && list->text)
        good = matched(listing_print(stdout, view, list), "list", list, fault);
    return good;
}

static bool print_all(const struct options *options, const struct view *view,
                      struct fault *fault)
{
    bool good = true;
    progress_end();
    if (options->prof)
        good = print_prof(view, fault);
    else
        view_header(stdout, view);
    if (options->allocs || options->callers.text || options->callees.text ||
        options->list.text || options->arcs.text)
        good = good && print_matching(options, view, fault);
    else if (!options->prof)
        report_print(stdout, view);
    if (good && options->balance && view->profile->kind & CCPROF_KIND_TIME) {
        putchar('\n');
        balance_print(stdout, view->profile, view->program->skid);
        uncovered_print(stdout, view->profile, view->program, options->operands[0],
                        options->show_extern);
    }
    if (good && options->balance && view->profile->uncounted) {
        if (!(view->profile->kind & CCPROF_KIND_TIME))
            putchar('\n');
        balance_print_uncounted(stdout, view->profile);
    }
    return good;
}

/* The graph as text.  If nothing was measured it shows all functions.  */
static void write_dot(FILE *out, const struct options *options, const struct view *view,
                      const char *title)
{
    const struct graph_style style = {.title = title, .gray = options->gray};
    struct rows all = {0};
    struct view whole = *view;
    if (view->rows->total == 0) {
        catalog_fill(&all, view->program->tables[0]);
        names_settle(&all, &options->names);
        whole.rows = &all;
    }
    graph_print(out, &whole, &style);
    rows_free(&all);
}

static bool write_graph(FILE *out, const struct options *options, const struct view *view,
                        const char *title, struct fault *fault)
{
    if (!picture_is_wanted(options->call_graph)) {
        write_dot(out, options, view, title);
        return true;
    }
    char *text = NULL;
    size_t size;
    FILE *dot = buf_open(&text, &size);
    write_dot(dot, options, view, title);
    buf_close(dot);
    progress_tell("mlprof: dot is drawing %s; -thresh leaves out what is small",
                  options->call_graph);
    bool good = picture_print(out, text, size, options->call_graph, fault);
    free(text);
    return good;
}

static bool write_flame(FILE *out, const struct options *options, const struct view *view,
                        const char *title, struct fault *fault)
{
    (void)options;
    (void)fault;
    flame_print(out, view, title);
    return true;
}

#define MAKER "ccprof " CCPROF_VERSION

static bool write_gcov(FILE *out, const struct options *options, const struct view *view,
                       const char *title, struct fault *fault)
{
    (void)title;
    (void)fault;
    const char *program = options->operands[0];
    if (!gzip_is_wanted(options->gcov)) {
        gcov_json_print(out, view->flows, program, MAKER);
        return true;
    }
    char *text = NULL;
    size_t size;
    FILE *json = buf_open(&text, &size);
    gcov_json_print(json, view->flows, program, MAKER);
    buf_close(json);
    char *compressed = gzip_compress(text, size, &size);
    fwrite(compressed, 1, size, out);
    free(compressed);
    free(text);
    return true;
}

typedef bool writer(FILE *out, const struct options *options, const struct view *view,
                    const char *title, struct fault *fault);

static bool save(const char *path, const char *text, size_t size, struct fault *fault)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    bool good = fwrite(text, 1, size, out) == size && fflush(out) == 0;
    int error = errno;
    if (fclose(out) == 0 && good)
        return true;
    return fault_set(fault, FAULT_FILE, path, "%s", strerror(good ? errno : error));
}

/* Writes the file at PATH, none if that is NULL, with its usual title after the
   executable's name.  The file is not touched until its content is there.  */
static bool write_file(const char *path, writer *write, const char *usual,
                       const struct options *options, const struct view *view,
                       struct fault *fault)
{
    if (!path)
        return true;
    char *title = options->graph_title ? buf_copy(options->graph_title)
                                       : buf_format("%s %s", options->operands[0], usual);
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    bool good = write(out, options, view, title, fault);
    buf_close(out);
    good = good && save(path, text, size, fault);
    free(text);
    free(title);
    return good;
}

/* It is legal, as in MLton, and a graph may be all that is asked for.  */
static void warn_of_no_data(const struct options *options)
{
    if (options->operand_count > 1 || options->list_count || options->call_graph ||
        options->gcov)
        return;
    progress_clear();
    fputs("mlprof: no data file is named, mlmon.out for example: there is nothing to "
          "show\n",
          stderr);
}

static void warn_of_no_samples(const struct view *view)
{
    char *why = nosamples_text(view->profile);
    if (why) {
        progress_clear();
        fprintf(stderr, "mlprof: %s\n", why);
    }
    free(why);
}

static void warn_of_field(const struct options *options, const struct view *view)
{
    if (!options->show_extern || !program_has_field(view->program))
        return;
    progress_clear();
    fprintf(stderr,
            "mlprof: -show-extern: %s has code of the kind time-field, whose samples do "
            "not say what it has called outside; compile with profile=time\n",
            options->operands[0]);
}

static void warn_of_no_stacks(const struct options *options, const struct view *view)
{
    bool counted = profile_measure(view->profile) == PROFILE_CALLS;
    if (view->rows->total && !view->profile->stack &&
        (options->flame || (!counted && (options->callers.text || options->callees.text ||
                                         options->call_graph)))) {
        progress_clear();
        fputs("mlprof: the data have no stacks: calls are those of inlined functions\n",
              stderr);
    }
}

#define NO_BLOCKS                                                                        \
    "its blocks are not counted; compile with -fplugin-arg-ccprof-profile=count "        \
    "-fplugin-arg-ccprof-blocks"

/* What goes by the counts of blocks and nothing else needs them.  */
static bool check_blocks(const struct options *options, const struct view *view,
                         struct fault *fault)
{
    bool calls_alone = profile_measure(view->profile) == PROFILE_CALLS;
    if (view->flows->count)
        return true;
    if (options->gcov || options->branch || (options->arcs.text && !view->arcs->count))
        return fault_set(fault, FAULT_UNPROFILED, options->operands[0], NO_BLOCKS);
    if (calls_alone &&
        (options->callers.text || options->callees.text || options->arcs.text ||
         options->list.text || options->call_graph)) {
        progress_clear();
        fprintf(stderr, "mlprof: %s: " NO_BLOCKS "\n", options->operands[0]);
    }
    return true;
}

static bool check_pictures(const struct options *options, struct fault *fault)
{
    const char *graph = options->call_graph, *flame = options->flame;
    return !(graph && picture_is_foreign(graph, true, fault)) &&
           !(flame && picture_is_foreign(flame, false, fault));
}

bool show_views(const struct options *options, const struct view *view,
                struct fault *fault)
{
    if (!check_pictures(options, fault))
        return false;
    warn_of_no_data(options);
    warn_of_no_samples(view);
    warn_of_field(options, view);
    warn_of_no_stacks(options, view);
    return check_blocks(options, view, fault) &&
           write_file(options->call_graph, write_graph, "call-stack graph", options, view,
                      fault) &&
           write_file(options->flame, write_flame, "flame graph", options, view, fault) &&
           write_file(options->gcov, write_gcov, "", options, view, fault) &&
           print_all(options, view, fault);
}
