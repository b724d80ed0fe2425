/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/commands/comparison-inside.h"

bool comparison_is_of_allocations(const struct options *options)
{
    return views_is_asked(options_asked(options, &allocview_entry));
}

bool comparison_check(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct source_paths *sources = &options->sources;
    const struct options_measure *asked = &options->measure;
    unsigned facts = options_facts(options);
    bool lines = comparison_is_of_lines(options);
    bool moved = sources->map_count || sources->folder_count || sources->any;
    bool others = facts & (VIEWS_REGIONS | VIEWS_TRAINED);
    bool allocs = comparison_is_of_allocations(options);
    const char *calls = NULL;
    for (enum calls_view i = CALLS_VIEWS; i-- > 0;)
        if (views_is_asked(options_asked(options, comparison_calls[i])))
            calls = comparison_calls[i]->name;
    const struct {
        bool wrong;
        const char *option, *why;
    } checks[] = {
        {facts & VIEWS_HEAP && (others || allocs), "heap",
         "compares what functions have of the heap: leave -allocs, -regions, -histogram "
         "and -pgo out"},
        {calls && (others || allocs || options->by || options->formula.count ||
                   facts & VIEWS_LISTS),
         calls,
         "compares calls: leave -allocs, -by, -formula, -histogram, -list, -pgo and "
         "-regions out"},
        {allocs && options->by, "allocs",
         "compares allocations by its own word: leave -by out"},
        {allocs && others, "allocs",
         "compares allocations: leave -regions, -histogram and -pgo out"},
        {allocs &&
             (asked->column == VIEW_STACK || (asked->measure && !asked->measure->memory)),
         "allocs", "compares bytes or blocks: -measure bytes or blocks"},
        {options->by && comparison->groups[0].wants_code, "pgo",
         "compares functions: leave -by out"},
        {options->by && options->by != ROWS_FILES && options->by != ROWS_TYPES && !lines,
         "by",
         "functions, lines, expressions and files are compared, and types of the heap"},
        {moved && !lines && !comparison->page, options->growth ? "growth" : "compare",
         "the source's text is shown with -by line or expression"}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) {
            BUF_OWN char *option = buf_format("-%s", checks[i].option);
            fault_set(fault, FAULT_MISMATCH, option, "%s", checks[i].why);
            return false;
        }
    return true;
}
