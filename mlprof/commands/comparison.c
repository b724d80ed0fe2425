/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs -compare and -growth: checks that the options and the runs fit together, chooses
   the measure, finds the changes or the growth, and prints them. Most error messages of
   comparisons are here. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/commands/comparison-inside.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/compare-output.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/match.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/view/allocnotes.h"
#include "mlprof/view/heapwords.h"

#include <stdio.h>
#include <stdlib.h>

/* Checks, before anything is read, that the options can be combined in a comparison. */
static bool comparison_check(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct source_paths *sources = &options->sources;
    const struct options_measure *requested = &options->measure;
    unsigned facts = options_facts(options);
    bool lines = comparison_is_of_lines(options);
    bool moved = sources->maps.count || sources->folders.count || sources->any;
    bool memory = rows_keys[options->rows_key].memory;
    BUF_OWN char *keys = rows_key_list(true);
    BUF_OWN char *compared = buf_format("rows by %s are compared", keys);
    const struct {
        bool wrong;
        const char *option, *why;
    } checks[] = {{facts & VIEWS_HEAP && facts & VIEWS_REGIONS, "heap",
                   "compares the heap of functions: leave -regions and -histogram out"},
                  {memory && (requested->column == VIEW_STACK ||
                              (requested->measure && !requested->measure->memory)),
                   "by", "types, sites and paths have bytes and blocks: -measure bytes"},
                  {!rows_keys[options->rows_key].compared, "by", compared},
                  {moved && !lines && !comparison->page,
                   options->growth ? "growth" : "compare",
                   "the source's text is shown with -by line or expression"}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) {
            BUF_OWN char *option = buf_format("-%s", checks[i].option);
            return fault_set(fault, FAULT_MISMATCH, option, "%s", checks[i].why);
        }
    return true;
}

bool comparison_is_requested(const struct options *options)
{
    return options->growth || options->divisions.count;
}

/* Returns the rows of a side to compare: functions, or rows of -by. */
static const struct runset *compared_rows(const struct comparison *comparison,
                                          const struct group *group)
{
    return comparison->options->rows_key ? &group->places : &group->side;
}

static bool is_one_build(const struct comparison *comparison)
{
    for (size_t i = 1; i < comparison->count; i++) {
        const struct tables *one = comparison->groups[0].tables,
                            *other = comparison->groups[i].tables;
        const char *build = tables_build_id(one);
        if (one != other &&
            (!build || !elffile_same_build_id(build, tables_build_id(other))))
            return false;
    }
    return true;
}

static bool has_everywhere(const struct comparison *comparison,
                           struct runset_measure measure)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (!runset_has(compared_rows(comparison, &comparison->groups[i]), measure))
            return false;
    return true;
}

/* Returns whether MEASURE is requested or, if none is, can be compared by default. Only
   reasons wait by themselves: functions are compared by their total. */
static bool is_chosen(const struct options *options, struct runset_measure measure)
{
    bool waits = measure.base->kinds == MEASURE_KIND_WAIT;
    if (options_has_measure(options) && !options_requests_measure(options, measure))
        return false;
    return waits ? measure.part == RUNSET_STACK
                 : options_has_measure(options) || measure.part == RUNSET_OWN;
}

/* Sets *MEASURE to the requested measure. By default this is the first measure that
   all runs have; measures with stacks are preferred. If not all runs have the
   measure, returns false and sets FAULT. */
static bool choose_measure(const struct comparison *comparison,
                           struct runset_measure *measure, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct runset_run *run =
        compared_rows(comparison, &comparison->groups[0])->runs.list;
    bool requested = options_has_measure(options);
    const struct measure *base = options->measure.measure;
    if (base && base->kinds == MEASURE_KIND_LATENCY)
        return fault_set(fault, FAULT_MISMATCH, options->growth ? "-growth" : "-compare",
                         "latency cannot be compared: use -measure latency for each run");
    if (comparison->page && run->main->kinds & MEASURE_KINDS_MADE)
        return fault_set(fault, FAULT_MISMATCH, "-html", "the page cannot compare waits");
    for (unsigned stacks = 2; stacks-- > 0;)
        for (size_t i = 0; i < run->column_count; i++) {
            *measure = run->columns[i].measure;
            if (measure->base->stacks == (stacks > 0) && is_chosen(options, *measure) &&
                has_everywhere(comparison, *measure))
                return true;
        }
    if (!requested)
        return fault_set(fault, FAULT_MISMATCH, options->growth ? "-growth" : "-compare",
                         "there is no measure that all the runs have");
    BUF_OWN char *what =
        buf_format("-measure %s", !base                                    ? "total"
                                  : options->measure.column == VIEW_BLOCKS ? base->blocks
                                                                           : base->word);
    return fault_set(fault, FAULT_MISMATCH, what, "not all the runs have measured it");
}

/* If counts are compared, warns if some of them are incomplete because the runtime did
   not know all threads. */
static void warn_of_uncounted(const struct comparison *comparison,
                              struct runset_measure measure)
{
    uint64_t uncounted = 0;
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t j = 0; j < comparison->groups[i].side.runs.count; j++)
            uncounted += comparison->groups[i].side.runs.list[j].uncounted;
    if (!uncounted || measure.base->sampled)
        return;
    progress_clear();
    fputs("mlprof: not all that threads have counted is in the data\n", stderr);
}

/* Checks that all runs used the same clock. CPU time and real time cannot be
   compared. */
static bool check_clocks(const struct comparison *comparison,
                         struct runset_measure measure, struct fault *fault)
{
    const struct runset_run *first = comparison->groups[0].side.runs.list;
    if (!measure.base->sampled)
        return true;
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t j = 0; j < comparison->groups[i].side.runs.count; j++)
            if (comparison->groups[i].side.runs.list[j].clock != first->clock)
                return fault_set(fault, FAULT_MISMATCH,
                                 comparison->options->growth ? "-growth" : "-compare",
                                 "some runs are measured by CPU time, others by time on "
                                 "the clock");
    return true;
}

static bool check_formula(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    bool sizes = comparison->groups[0].size > 0 && comparison->groups[1].size > 0;
    if (!formula_has_sizes(&options->formula) || sizes)
        return true;
    return fault_set(fault, FAULT_MISMATCH, "-formula",
                     "n(a) and n(b) are not known: name them with -size before the data "
                     "files of each side");
}

/* Prints below a table of MEASURE which allocations some run did not count, and which
   wrappers of allocators are not shown. */
static void print_uncounted(const struct comparison *comparison,
                            struct runset_measure measure)
{
    if (comparison->options->balance == OPTIONS_NO_BALANCE)
        return;
    if (measure.base->memory && measure.base->kinds && measure.part != RUNSET_STACK)
        allocnotes_print_lacks(stdout, &comparison->lacks);
    if (comparison->skipped)
        heapwords_wrappers(stdout, comparison->skipped);
}

static void free_found(struct comparison_found *found)
{
    changes_free(&found->changes);
    match_free(&found->match);
}

BUF_COMPARE(by_place, struct change, BUF_ORDER(a->row, b->row))

/* Keeps only the lines of functions that -list selects, sorted by function and line. */
static bool keep_listed(struct comparison_found *found, const struct options *options,
                        struct fault *fault)
{
    const struct pattern *pattern = &options_request(options, &listing_entry)->pattern;
    struct changes *changes = &found->changes;
    size_t kept = 0;
    if (!pattern->text)
        return true;
    changes->equal = changes->tested = changes->certain = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        const struct runset_function *site =
            match_function(&found->match, found->view.sides, change->row);
        const struct identity_source source = {
            .name = site->within, .file = site->file, .line = site->line};
        if (!site->within || !names_match(pattern, &source, site->shown, &options->names))
            continue;
        changes->equal += change_is_none(change);
        changes->tested += change->verdict.tested;
        changes->certain += change->verdict.certain;
        changes->changes[kept++] = *change;
    }
    changes->count = kept;
    if (kept && !options->sort)
        BUF_SORT(changes->changes, kept, by_place);
    if (kept)
        return true;
    BUF_OWN char *what = buf_format("-list %s", pattern->text);
    return fault_set(fault, FAULT_MISMATCH, what,
                     "no function that was measured matches");
}

/* Compares SIDES. If the runs cannot be compared as the options request, returns
   false and sets FAULT. FOUND is all zero; the caller frees it with free_found in any
   case. */
static bool find_changes(struct comparison_found *found,
                         const struct comparison *comparison,
                         const struct runset *const sides[2], struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct group *groups = comparison->groups;
    struct runset_measure measure = {0};
    if (!choose_measure(comparison, &measure, fault) ||
        !check_clocks(comparison, measure, fault))
        return false;
    if (options->of_share && !measure.base->sampled)
        return fault_set(fault, FAULT_MISMATCH, "-change share",
                         "is for time; counts are compared as they are");
    if (!check_formula(comparison, fault))
        return false;
    match_find(&found->match, sides, 2);
    changes_find(&found->changes, &found->match, sides, measure, options->of_share);
    found->view =
        (struct changes_view){.match = &found->match,
                              .sides = {sides[0], sides[1]},
                              .programs = {groups[0].program, groups[1].program},
                              .sizes = {groups[0].size, groups[1].size},
                              .show_line = options->names.show_line,
                              .never = options->never,
                              .balance = options->balance != OPTIONS_NO_BALANCE,
                              .files = comparison->texts,
                              .top = options_top(options),
                              .thresh = options->thresh};
    changes_table_sort(&found->view, &found->changes, options->sort);
    return sides[0]->key != ROWS_LINES || keep_listed(found, options, fault);
}

static bool find_functions(struct comparison_found *found,
                           const struct comparison *comparison, struct fault *fault)
{
    const struct runset *const sides[] = {&comparison->groups[0].side,
                                          &comparison->groups[1].side};
    return find_changes(found, comparison, sides, fault);
}

/* Writes and prints the changes of FOUND. The page shows FUNCTIONS. */
static bool show_changes(const struct comparison *comparison,
                         const struct comparison_found *found,
                         const struct comparison_found *functions, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct formula *formula = options->formula.count ? &options->formula : NULL;
    const struct changes *changes = &found->changes;
    struct regionchanges regions = {0};
    warn_of_uncounted(comparison, changes->measure);
    bool has_regions = comparison->page && comparison_has_regions(comparison);
    if (has_regions)
        comparison_find_regions(comparison, &regions);
    bool good = compare_data_changes(&options->exports, "ccprof " CCPROF_VERSION,
                                     &found->view, changes, formula, fault) &&
                comparison_page_changes(comparison, functions,
                                        has_regions ? &regions : NULL, fault);
    progress_print();
    if (good && !viewfiles_alone(options)) {
        changes_table_print(stdout, &found->view, changes, formula);
        print_uncounted(comparison, changes->measure);
    }
    regionchanges_free(&regions);
    return good;
}

static bool compare(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct group *groups = comparison->groups;
    const struct runset *const sides[] = {compared_rows(comparison, &groups[0]),
                                          compared_rows(comparison, &groups[1])};
    struct comparison_found found = {0}, functions = {0};
    bool separate = comparison->page && options->rows_key; /* the page shows functions */
    bool good = find_changes(&found, comparison, sides, fault) &&
                (!separate || find_functions(&functions, comparison, fault)) &&
                show_changes(comparison, &found, separate ? &functions : &found, fault);
    free_found(&functions);
    free_found(&found);
    return good;
}

/* Returns whether the time of regions is compared: because it is requested, or because
   only regions were measured. */
static bool is_of_regions(const struct comparison *comparison)
{
    const struct options *options = comparison->options;
    bool alone = !options->growth && !options_has_measure(options);
    for (size_t i = 0; alone && i < comparison->count; i++)
        for (size_t j = 0; j < comparison->groups[i].side.runs.count; j++)
            alone &= comparison->groups[i].side.runs.list[j].kind == CCPROF_KIND_REGION;
    return alone || options_facts(options) & VIEWS_REGIONS;
}

/* Checks the combination of options again when the measured kinds are known. */
static bool check_rows(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    if (options->rows_key && is_of_regions(comparison))
        return fault_set(fault, FAULT_MISMATCH, "-by",
                         "regions are compared by name, or with -paths by path");
    return true;
}

/* If there are several builds, matches lines by their texts. */
static void key_lines(const struct comparison *comparison)
{
    if (!comparison_is_of_lines(comparison->options) || is_one_build(comparison))
        return;
    BUF_OWN struct runset **sides = buf_alloc(comparison->count * sizeof *sides);
    for (size_t i = 0; i < comparison->count; i++)
        sides[i] = &comparison->groups[i].places;
    match_names_key_places(sides, comparison->count, comparison->texts);
}

/* Compares regions. If functions can be compared too, the page shows both. */
static bool compare_regions(const struct comparison *comparison, struct fault *fault)
{
    struct comparison_found found = {0};
    struct fault ignored = {0};
    bool more = comparison->page && find_functions(&found, comparison, &ignored);
    fault_clear(&ignored);
    bool good = comparison_regions(comparison, more ? &found : NULL, fault);
    free_found(&found);
    return good;
}

static bool grow(const struct comparison *comparison, struct runset_measure measure,
                 struct fault *fault)
{
    const struct options *options = comparison->options;
    BUF_OWN const struct runset **sides = buf_alloc(comparison->count * sizeof *sides);
    BUF_OWN const struct runset **functions =
        buf_alloc(comparison->count * sizeof *functions);
    BUF_OWN double *sizes = buf_alloc(comparison->count * sizeof *sizes);
    for (size_t i = 0; i < comparison->count; i++) {
        sides[i] = compared_rows(comparison, &comparison->groups[i]);
        functions[i] = &comparison->groups[i].side;
        sizes[i] = comparison->groups[i].size;
    }
    const struct growth_input input = {.sides = sides,
                                       .sizes = sizes,
                                       .count = comparison->count,
                                       .measure = measure,
                                       .show_line = options->names.show_line,
                                       .top = options_top(options),
                                       .thresh = options->thresh,
                                       .files = comparison->texts};
    struct growth_input of_functions = input; /* for the page */
    of_functions.sides = functions;
    warn_of_uncounted(comparison, measure);
    struct growth growth;
    growth_find(&growth, &input);
    bool good = compare_data_growth(&options->exports, "ccprof " CCPROF_VERSION, &growth,
                                    fault) &&
                comparison_page_growth(comparison, &of_functions, fault);
    progress_print();
    if (good && !viewfiles_alone(options)) {
        growth_table_print(stdout, &growth);
        print_uncounted(comparison, measure);
    }
    growth_free(&growth);
    return good;
}

/* Reads the runs. If a function is a wrapper of an allocator only in some of the
   runs, reads all runs again, so that all runs treat it in the same way. */
static bool read_alike(struct comparison *comparison, struct tables *executable,
                       struct fault *fault)
{
    comparison_begin(comparison, executable, fault);
    if (!viewfiles_check(comparison->options, fault) ||
        !comparison_check(comparison, fault) || !comparison_read(comparison, fault))
        return false;
    if (!wrappers_differ(comparison->wrappers))
        return true;
    struct comparison again = {.options = comparison->options,
                               .wrappers = comparison->wrappers};
    comparison_free(comparison);
    *comparison = again;
    comparison_begin(comparison, executable, fault);
    return comparison_read(comparison, fault);
}

bool comparison_show(const struct options *options, struct tables *executable,
                     struct fault *fault)
{
    struct wrappers_runs wrappers = {0};
    struct comparison comparison = {.options = options, .wrappers = &wrappers};
    struct runset_measure measure = {0};
    bool good =
        read_alike(&comparison, executable, fault) && check_rows(&comparison, fault);
    if (good)
        key_lines(&comparison);
    if (good && is_of_regions(&comparison))
        good = compare_regions(&comparison, fault);
    else if (good && !options->growth)
        good = compare(&comparison, fault);
    else if (good)
        good = choose_measure(&comparison, &measure, fault) &&
               check_clocks(&comparison, measure, fault) &&
               grow(&comparison, measure, fault);
    comparison_free(&comparison);
    wrappers_free_runs(&wrappers);
    return good;
}
