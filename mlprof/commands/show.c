/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/commands/show.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/progress.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/advice.h"
#include "mlprof/commands/viewfiles.h"
#include "mlprof/view/arcs-list.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/broken.h"
#include "mlprof/view/callers.h"
#include "mlprof/view/histogram.h"
#include "mlprof/view/imbalance.h"
#include "mlprof/view/listing.h"
#include "mlprof/view/parallelview.h"
#include "mlprof/view/peek.h"
#include "mlprof/view/precision.h"
#include "mlprof/view/prof.h"
#include "mlprof/view/regionsview.h"
#include "mlprof/view/report.h"
#include "mlprof/view/uncovered.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

static void print_callers(FILE *out, const struct view *view, const bool *wanted)
{
    callers_print(out, view, wanted, NEIGHBOURS_CALLERS);
}

static void print_callees(FILE *out, const struct view *view, const bool *wanted)
{
    callers_print(out, view, wanted, NEIGHBOURS_CALLEES);
}

/* A view of the functions that match a pattern.  */
struct matching {
    const char *option;
    size_t pattern; /* its offset in struct options */
    size_t (*find)(const struct view *view, const struct pattern *pattern, bool *wanted);
    void (*print)(FILE *out, const struct view *view, const bool *wanted);
};

#define PATTERN(name) offsetof(struct options, name)

/* In the order in which they are printed.  */
static const struct matching matchings[] = {
    {"callers", PATTERN(callers), callers_find, print_callers},
    {"callees", PATTERN(callees), callers_find, print_callees},
    {"peek", PATTERN(peek), peek_find, peek_print},
    {"arcs", PATTERN(arcs), arcs_list_find, arcs_list_print},
    {"list", PATTERN(list), listing_find, listing_print},
};

#define MATCHINGS (sizeof matchings / sizeof *matchings)

/* What there is to print: by view of matching functions, which rows these are; NULL: the
   view is not asked for.  */
struct found {
    bool *rows[MATCHINGS];
    bool *histograms;
};

static void free_found(struct found *found)
{
    for (size_t i = 0; i < MATCHINGS; i++)
        free(found->rows[i]);
    free(found->histograms);
}

static bool find_matching(struct found *found, const struct options *options,
                          const struct view *view, struct fault *fault)
{
    for (size_t i = 0; i < MATCHINGS; i++) {
        const struct matching *matching = &matchings[i];
        const struct pattern *pattern =
            (const void *)((const char *)options + matching->pattern);
        if (!pattern->text)
            continue;
        found->rows[i] = buf_alloc((view->rows->count + 1) * sizeof *found->rows[i]);
        if (matching->find(view, pattern, found->rows[i]))
            continue;
        char *what = buf_format("-%s %s", matching->option, pattern->text);
        fault_set(fault, FAULT_MISMATCH, what, "no function that was measured matches");
        free(what);
        return false;
    }
    return true;
}

static bool check_allocations(const struct view *view, struct fault *fault)
{
    if (view->left_out & CCPROF_KIND_ALLOC) {
        char *filter = stacks_filter_text(view->filter);
        fault_set(fault, FAULT_MISMATCH, "-allocs",
                  "it goes by counts that have no stacks: not together with %s", filter);
        free(filter);
        return false;
    }
    if (view->profile->kind && !(view->profile->kind & CCPROF_KIND_ALLOC))
        return fault_set(fault, FAULT_MISMATCH, "-allocs",
                         "no allocations were measured: compile with "
                         "-fplugin-arg-ccprof-profile=alloc");
    return true;
}

static bool check_prof(const struct view *view, struct fault *fault)
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
    return true;
}

/* Rows of regions are by name, by copy of functions with a stopwatch, or by path.  */
static bool check_regions(const struct options *options, const struct view *view,
                          const char *option, struct fault *fault)
{
    if (options->by && (options->by != ROWS_COPIES || options->paths))
        return fault_set(fault, FAULT_MISMATCH, option,
                         "regions are told apart by name, with -by copy, or with -paths");
    if (!view->profile->kind || view->regions)
        return true;
    return fault_set(
        fault, FAULT_MISMATCH, option,
        "no regions were measured: ccprof(3) tells of CCPROF_REGION, and "
        "ccprof(1) of -fplugin-arg-ccprof-stopwatch, which goes by the names "
        "that -names plain shows");
}

static bool find_histograms(struct found *found, const struct options *options,
                            const struct view *view, struct fault *fault)
{
    if (!check_regions(options, view, "-histogram", fault))
        return false;
    if (!view->regions)
        return true;
    found->histograms = buf_alloc(view->regions[view->style.regions].count + 1);
    if (histogram_find(view, &options->histogram, found->histograms))
        return true;
    char *what = buf_format("-histogram %s", options->histogram.text);
    fault_set(fault, FAULT_MISMATCH, what, "no region that was measured matches");
    free(what);
    return false;
}

static bool check_imbalance(const struct options *options, const struct view *view,
                            struct fault *fault)
{
    const char *why = imbalance_lacks(view, options->imbalance);
    return !why || fault_set(fault, FAULT_MISMATCH, "-imbalance", "%s", why);
}

/* Fills FOUND, which free_found frees in any case.  False and FAULT if there is nothing
   to show in a view: then nothing is printed or written.  */
static bool find_all(struct found *found, const struct options *options,
                     const struct view *view, struct fault *fault)
{
    *found = (struct found){0};
    return (!options->allocs || check_allocations(view, fault)) &&
           (!options->imbalance || check_imbalance(options, view, fault)) &&
           (!options->prof || check_prof(view, fault)) &&
           (!options->regions || check_regions(options, view, "-regions", fault)) &&
           (!options->histogram.text || find_histograms(found, options, view, fault)) &&
           find_matching(found, options, view, fault);
}

/* What the lines above and below the tables are about.  */
struct parts {
    bool table;   /* that of the functions, or that of -by */
    bool timed;   /* a table is of samples, if there are any */
    bool marked;  /* a row of the table is */
    bool regions; /* their table */
};

/* Where nothing but regions was measured theirs is the table.  */
static struct parts parts_of(const struct options *options, const struct profile *profile)
{
    bool callers = options->callers.text || options->callees.text || options->peek.text;
    bool of_time = callers || options->list.text || options->prof || options->imbalance ||
                   options->parallel;
    bool exact = options->allocs || options->arcs.text;
    bool regions = options->regions || options->histogram.text;
    bool table = !of_time && !exact && !regions;
    bool alone = table && profile->kind == CCPROF_KIND_REGION;
    return (struct parts){.table = table && !alone,
                          .timed = of_time || (table && !alone),
                          .regions = options->regions || alone};
}

/* How it was added up, where that is not all that the files say.  */
static void print_builds(const struct profile *profile)
{
    size_t builds = profile_builds(profile);
    if (builds > 1)
        printf("%" PRIu64
               " data files of %zu builds, functions matched by linkage name\n",
               profile->files, builds);
}

static void print_part(const struct view *view)
{
    char *part = view_part(view);
    if (part)
        puts(part);
    free(part);
}

/* The first lines: the sum of what the tables tell of.  */
static void print_head(const struct options *options, const struct view *table,
                       const struct parts *parts)
{
    bool sampled =
        table->profile->kind && profile_measure(table->profile) == PROFILE_SAMPLES;
    if (table->regions && !parts->timed && !options->allocs && !options->arcs.text)
        regionsview_print_header(stdout, table);
    else if (options->allocs && !parts->timed && table->profile->kind)
        allocview_print_header(stdout, table);
    else if (!parts->timed && sampled)
        arcs_list_print_header(stdout, table);
    else if (!options->prof)
        view_header(stdout, table);
    print_builds(table->profile);
    print_part(table);
}

/* What the line about the samples tells, too (balance.h).  */
static void print_files(FILE *out, const struct profile *profile)
{
    if (profile->files < 2)
        return;
    if (ftell(out) == 0)
        putc('\n', out);
    fprintf(out, "added up from %" PRIu64 " data files\n", profile->files);
}

/* How far the tables can be trusted, and what they do not have.  */
static void print_foot(FILE *out, const struct options *options, const struct view *view,
                       const struct parts *parts)
{
    const struct profile *profile = view->profile;
    bool timed = parts->timed && profile->kind & CCPROF_KIND_TIME;
    if (options->parallel)
        parallelview_print_foot(out, view);
    if (timed) {
        putc('\n', out);
        if (!view->style.mlton)
            precision_print(out, profile, parts->marked);
        balance_print(out, profile, view->program->skid);
        broken_print(out, view);
        uncovered_print(out, profile, view->program, options->operands[0],
                        options->show_extern);
    }
    if (view->regions && (parts->regions || options->histogram.text))
        regionsview_print_foot(out, view);
    else if (view->regions)
        fputs("\nreal time of regions: -regions\n", out);
    if (profile->kind & CCPROF_KIND_ALLOC)
        allocview_print_missing(out, view, options->allocs, &options->libraries);
    if (!timed)
        print_files(out, profile);
    if (!profile->uncounted)
        return;
    if (!(profile->kind & CCPROF_KIND_TIME))
        putc('\n', out);
    balance_print_uncounted(out, profile);
}

/* Prints TEXT as the terminal has room for.  */
static void print_wrapped(const char *text)
{
    char *wrapped = text_wrap(text, terminal_columns(stdout));
    fputs(wrapped, stdout);
    free(wrapped);
}

static void print_histograms(const struct view *view, const struct found *found,
                             bool below)
{
    if (below)
        putchar('\n');
    histogram_print(stdout, view, found->histograms);
}

static void print_all(const struct options *options, const struct view *view,
                      const struct found *found)
{
    struct parts parts = parts_of(options, view->profile);
    struct view table = *view;
    if (parts.table && view->grouped)
        table.rows = view->grouped, table.kept = NULL;
    progress_print();
    print_head(options, &table, &parts);
    if (options->prof)
        prof_print(stdout, view);
    if (options->imbalance)
        imbalance_print(stdout, view);
    if (options->allocs)
        allocview_print(stdout, view, options->allocs, &options->libraries);
    for (size_t i = 0; i < MATCHINGS; i++)
        if (found->rows[i])
            matchings[i].print(stdout, view, found->rows[i]);
    if (options->parallel)
        parallelview_print(stdout, view);
    if (parts.regions && view->regions)
        regionsview_print(stdout, view);
    if (found->histograms)
        print_histograms(view, found, parts.regions);
    if (parts.table)
        parts.marked = report_print(stdout, &table);
    if (!options->balance)
        return;
    char *foot = NULL;
    size_t size;
    FILE *out = buf_open(&foot, &size);
    print_foot(out, options, view, &parts);
    buf_close(out);
    print_wrapped(foot);
    free(foot);
}

static enum regionrows_by regions_by(const struct options *options)
{
    return options->paths               ? REGIONROWS_PATHS
           : options->by == ROWS_COPIES ? REGIONROWS_COPIES
                                        : REGIONROWS_NAMES;
}

bool show_views(const struct options *options, const struct evaluate_result *result,
                struct fault *fault)
{
    const struct view view = {
        .profile = result->profile,
        .program = &result->program,
        .rows = &result->rows,
        .grouped = options->by && !options->regions && !options->histogram.text
                       ? &result->grouped
                       : NULL,
        .groups = result->groups,
        .regions =
            result->profile->regions.clock == REGIONS_NONE ? NULL : result->regions,
        .spread = &result->spread,
        .constructs = &result->constructs,
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
                  .regions = regions_by(options),
                  .thresh = options->thresh}};
    struct found found = {0};
    bool good = viewfiles_check(options, fault) && advice_give(options, &view, fault) &&
                find_all(&found, options, &view, fault) &&
                viewfiles_write(options, &view, fault);
    if (good && !viewfiles_take_output(options))
        print_all(options, &view, &found);
    free_found(&found);
    return good;
}
