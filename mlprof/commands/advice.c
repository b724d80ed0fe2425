/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warns if the data cannot answer the options: no data file, no stacks, blocks that
   were not counted, or requests to the plugin that had no effect. show.c,
   comparison-read.c and gates.c call it. */

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/commands.h"
#include "mlprof/tables/unit.h"
#include "mlprof/view/balance.h"

#include <stdlib.h>
#include <string.h>

/* Returns false and sets FAULT if a data file is needed but not given. Call graphs
   and exports need no data file: without data, they show the program's functions and
   tables. */
static bool check_data(const struct options *options, struct fault *fault)
{
    if (!options->no_data.text || options->call_graph ||
        export_is_requested(&options->exports))
        return true;
    fault->kind = options->no_data.kind;
    fault->text = buf_copy(options->no_data.text);
    return false;
}

static void warn_of_no_stacks(const struct options *options, const struct view *view)
{
    bool counted = !profile_measure(view->profile)->stacks;
    if (view->rows->total && !view->profile->sampling.stack &&
        !view->rows->called.calls.count &&
        (options->flame ||
         (!counted && (options_facts(options) & VIEWS_CALLS || options->call_graph)))) {
        progress_clear();
        fputs("mlprof: the data have no stacks: calls are those of inlined functions\n",
              stderr);
    }
}

/* Warns if the filter cannot see callers because the data has no stacks, and if
   measures without stacks are therefore not shown. */
static void warn_of_filter(const struct view *view)
{
    bool counted = measure_is_counted(profile_measure(view->profile));
    bool stacks = view->profile->sampling.stack && !counted;
    unsigned left_out = view->report->left_out;
    if (!view->rows->stacks.filtered || (stacks && !left_out))
        return;
    BUF_OWN char *text = stacks_filter_text(view->report->choice.filter);
    bool calls = left_out & CCPROF_KIND_COUNT;
    bool bytes = left_out & CCPROF_KIND_ALLOC;
    if (!stacks)
        fault_message("%s: the data have no stacks: the only known callers are those "
                      "that a function is inlined into",
                      text);
    if (left_out)
        fault_message("%s: %s counted without stacks and are not shown", text,
                      calls && bytes ? "calls and allocations were"
                      : calls        ? "calls were"
                                     : "allocations were");
}

/* Returns whether the pattern of a plugin argument selects file names. */
static bool is_of_files(const char *requested)
{
    static const char *const names[] = {"include=", "exclude=", "stopwatch-file="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(requested, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void say_unlinked(const char *path)
{
    fault_message("%s: objects that were compiled with ccprof and -flto were linked "
                  "without ccprof, and are not profiled; link with gcc -fplugin=ccprof, "
                  "too",
                  path);
}

void advice_link(const struct tables *executable, const char *path)
{
    struct requests requested = {0};
    requests_read(&requested, tables_holder(executable));
    if (requests_is_unlinked(&requested))
        say_unlinked(path);
    requests_free(&requested);
}

/* Warns about requests to the plugin that had no effect: an LTO link without the
   plugin, and patterns that matched no function or file. Patterns are printed with
   the name of their argument. */
static void warn_of_missed_requests(const struct options *options,
                                    const struct view *view)
{
    const struct program *program = view->program;
    struct requests requested = {0};
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            requests_read(&requested, tables_holder(program->tables[i]));
    if (requests_is_unlinked(&requested))
        say_unlinked(options->operands[0]);
    for (uint32_t i = 0; i < requested.patterns.count; i++) {
        if (!requests_is_missed(&requested, i))
            continue;
        BUF_OWN char *clean = text_clean(intern_text(&requested.patterns, i));
        bool plain = strncmp(clean, "delay=", 6) == 0;
        fault_message("%s: %s %s no %s that was compiled", options->operands[0], clean,
                      plain ? "is the name of" : "matches",
                      is_of_files(clean) ? "file of a function" : "function");
    }
    requests_free(&requested);
}

#define NO_BLOCKS                                                                        \
    "its blocks are not counted; compile with -fplugin-arg-ccprof-profile=count "        \
    "-fplugin-arg-ccprof-blocks"

/* If blocks were not counted but a view or file needs the counts, returns false and
   sets FAULT. If the counts would only add details, prints a line. */
static bool check_blocks(const struct options *options, const struct view *view,
                         struct fault *fault)
{
    bool calls_alone = !profile_measure(view->profile)->stacks;
    unsigned facts = options_facts(options);
    if (report_flows(view->report)->count)
        return true;
    if (!profile_measure(view->profile)->kinds &&
        export_needs(&options->exports, EXPORT_BLOCKS | EXPORT_RUNS))
        return fault_set(fault, FAULT_MISMATCH, "-heap",
                         "the heap has no executions of lines, branches or arcs, of "
                         "which the file is: leave -heap out");
    if (export_needs(&options->exports, EXPORT_BLOCKS) ||
        (options->branch && !view->rows->branch_of_node) || facts & VIEWS_NEEDS_BLOCKS ||
        (facts & VIEWS_CALL_SITES && !view->report->arcs.count) ||
        (calls_alone && facts & VIEWS_BLOCKS && !(facts & VIEWS_LISTS) &&
         !view->report->arcs.count))
        return fault_set(fault, FAULT_UNPROFILED, options->operands[0], NO_BLOCKS);
    if (calls_alone && (facts & VIEWS_BLOCKS || options->call_graph))
        fault_message("%s: " NO_BLOCKS, options->operands[0]);
    return true;
}

bool advice_give(const struct options *options, const struct view *view,
                 struct fault *fault)
{
    if (!check_data(options, fault))
        return false;
    char *why = options_facts(options) & (VIEWS_REGIONS | VIEWS_HEAP | VIEWS_WAITS)
                    ? NULL
                    : balance_why_none(view->profile);
    if (why)
        fault_message("%s", why);
    free(why);
    if (options->show_extern == OPTIONS_EXTERN && program_has_field(view->program))
        fault_message(
            "-show-extern: %s has code of the kind time-field, whose samples do "
            "not say what it has called outside; compile with profile=time",
            options->operands[0]);
    warn_of_no_stacks(options, view);
    warn_of_filter(view);
    warn_of_missed_requests(options, view);
    return check_blocks(options, view, fault);
}
