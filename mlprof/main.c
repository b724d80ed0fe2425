/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main program of mlprof: reads the options, the tables and the data files,
   evaluates them, and shows the views. */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/report/report.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/names/names.h"
#include "mlprof/options/options.h"
#include "mlprof/profile/heapranges.h"
#include "mlprof/view/heapwords.h"
#include "mlprof/view/where.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The exit status if counts exceed the limits of a budget. */
#define EXIT_BEYOND 3

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
        .listing = facts & VIEWS_LISTS,
        .branches = options->branch ? BRANCH_ALL : BRANCH_COMPILED,
        .frames.artificial = options->artificial,
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

static bool show_report(const struct options *options, struct tables *executable,
                        struct fault *fault)
{
    const struct report_choice choice = choice_of(options);
    struct profile profile = {0};
    struct report report;
    bool good = show_check(options, fault) &&
                datafiles_read(&profile, options, executable, fault) &&
                select_range(options, &profile, fault) &&
                report_open(&report, &profile, executable, &choice, fault);
    if (good) {
        good = show_views(options, &report, fault);
        report_close(&report);
    }
    profile_free(&profile);
    return good;
}

static bool where(const struct options *options, struct tables *executable,
                  struct fault *fault)
{
    progress_end();
    if (tables_function_count(executable) == 0)
        return fault_set(fault, FAULT_UNPROFILED, tables_path(executable),
                         "nothing is known of its addresses: it was compiled neither for "
                         "time nor for call");
    if (!options->artificial)
        unprofile_artificial(&executable, 1);
    if (!unprofile(&executable, 1, &options->unprofile, &options->names, fault))
        return false;
    if (options->operand_count == 1)
        return where_stream(stdout, executable, stdin, options->names.long_name, fault);
    for (size_t i = 1; i < options->operand_count; i++) {
        uint64_t address;
        if (!where_address(options->operands[i], &address))
            return fault_set(fault, FAULT_GARBLED, options->operands[i],
                             "not a hexadecimal address");
        where_print(stdout, executable, address, options->names.long_name);
    }
    return true;
}

static bool close_output(struct fault *fault)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return fault_set(fault, FAULT_FILE, "standard output", "%s", strerror(errno));
}

/* Opens the tables of the executable. If there is data, the executable may lack
   tables, because only its shared objects may have been profiled. */
static struct tables *open_executable(const struct options *options, struct fault *fault)
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

int main(int argc, char **argv)
{
    struct options options;
    struct operands operands = {0};
    struct asked asked = {0};
    struct opener opener = {0};
    struct fault fault = {0};
    /* A write beyond the limit of a file's size (ulimit -f) fails with a message. */
    signal(SIGXFSZ, SIG_IGN);
    options_parse(&options, argc, argv);
    if (options.names.form != NAMES_READABLE)
        terminal_whole();
    buf_use_large_pages();
    progress_begin();
    struct tables *executable = NULL;
    if (!options.programs && asked_begin(&asked, &options, &fault) &&
        operands_complete(&operands, &options, &fault) &&
        opener_begin(&opener, &options, &fault))
        executable = open_executable(&options, &fault);
    bool (*show)(const struct options *, struct tables *, struct fault *) =
        options.where                         ? where
        : comparison_is_requested(&options)   ? comparison_show
        : options.gate || options.gate_update ? gates_show
                                              : show_report;
    bool good = options.programs ? programs_show(&options, &fault)
                                 : executable && show(&options, executable, &fault);
    progress_end();
    if ((good || fault.kind == FAULT_BEYOND) && !save_flush(&fault))
        good = false;
    save_forget();
    if (!good)
        fflush(stdout);
    else
        good = close_output(&fault);
    bool written = good;
    good = good && opener_show(&opener, &fault);
    opener_end(&opener, written);
    asked_end(&asked, &fault);
    int status = good                         ? EXIT_SUCCESS
                 : fault.kind == FAULT_BEYOND ? EXIT_BEYOND
                                              : EXIT_FAILURE;
    if (!good)
        fault_print(&fault);
    fault_clear(&fault);
    tables_close(executable);
    options_free(&options);
    operands_free(&operands);
    return status;
}
