/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables of the executable and the data files, evaluates them, and shows the
   views. */

#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/profile/heapranges.h"
#include "mlprof/view/heapwords.h"

static struct report_choice choice_of(const struct options *options)
{
    unsigned facts = options_facts(options);
    bool regions = facts & VIEWS_REGIONS;
    const struct measure *heap = options_heap(options);
    return (struct report_choice){
        .executable = options->operands[0],
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .keep = &options->keep,
        .split = &options->split,
        .names = options->names,
        .libraries = &options->libraries,
        .waits = facts & VIEWS_WAITS && options->filter.hide.count,
        .listing = facts & VIEWS_LISTS,
        .branches = options->branch ? BRANCH_ALL : BRANCH_COMPILED,
        .frames.artificial = options->artificial,
        .idle = options->idle,
        .skid = options->skid,
        .frames.outside =
            options->show_extern != OPTIONS_NO_EXTERN || options->rows_key == ROWS_MPI,
        .frames.outside_of_heap = options->show_extern == OPTIONS_EXTERN,
        .frames.addresses =
            export_needs(&options->exports, EXPORT_ADDRESSES) || options->assembly,
        .rows_key = regions ? ROWS_FUNCTIONS : options->rows_key,
        .frames.kept_around =
            export_needs(&options->exports, EXPORT_THREADS) ? 1U << STACKS_THREAD : 0,
        .over = options_load(options),
        .region_costs = options->subtract,
        .trained_alone = export_needs_alone(&options->exports, EXPORT_RUNS) &&
                         !options->call_graph && !options->flame,
        .tolerant = options->tolerant,
        .beside = export_needs(&options->exports, EXPORT_EVENTS)
                      ? ~0U
                      : options->measure.beside,
        .measure = heap ? heap : options->measure.measure,
        .heap_whole = export_needs(&options->exports, EXPORT_HEAP),
        .frames.wrappers.shown =
            options->show_wrappers || export_needs(&options->exports, EXPORT_WRAPPERS)
                ? NULL
                : &options->named,
    };
}

/* If -range is given, keeps only memory that was allocated in this range of time. */
static bool select_range(const struct options *options, struct profile *profile,
                         struct fault *fault)
{
    const struct views_request *requested = options_request(options, &heapview_entry);
    const struct view view = {.profile = profile, .request = requested};
    if (!options->range.given)
        return true;
    return views_check(&heapview_entry, &view, fault) &&
           heapwords_check_range(&view, fault) &&
           heapranges_select(&profile->heap, &options->range,
                             measure_all[requested->choice].heap.derived, "-range",
                             fault);
}

bool report_print(FILE *out, const struct options *options, struct tables *executable,
                  struct show_table *table, struct fault *fault)
{
    const struct report_choice choice = choice_of(options);
    struct profile profile = {0};
    struct report report;
    bool good = show_check(options, fault) &&
                datafiles_read(&profile, options, executable, fault);
    if (options->start)
        profile.runs.start = options->start;
    good = good && select_range(options, &profile, fault) &&
           report_open(&report, &profile, executable, &choice, fault);
    if (good) {
        good = show_views(out, options, &report, table, fault);
        report_close(&report);
    }
    profile_free(&profile);
    return good;
}

bool report_show(const struct options *options, struct tables *executable,
                 struct fault *fault)
{
    return report_print(stdout, options, executable, NULL, fault);
}

struct tables *report_executable(const struct options *options, struct fault *fault)
{
    const char *path = options->operands[0];
    bool has_data = options->operand_count > 1 || options->lists.count;
    progress_set("mlprof: reading the tables of %s", path);
    struct tables *tables = tables_open(path, fault);

    if (tables || options->where || !has_data || fault->kind != FAULT_UNPROFILED)
        return tables;
    fault_clear(fault);
    return tables_open_bare(path, fault);
}
