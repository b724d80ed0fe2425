/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "testsuite/fuzz/use.h"
#include "mlprof/report/report.h"
#include "mlprof/export/export.h"
#include "mlprof/tables/machinetables.h"
#include "mlprof/view/allocnotes.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/callgraph.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/where.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* More would only take longer. */
#define FUNCTIONS 40
#define DEEPEST   7

unsigned use_taken, use_evaluated;

/* Prints a view of what PATTERN, which means all, or the CHOICE means, as show.c does. */
static void print_view(FILE *out, const struct view *of, const struct views_entry *entry,
                       const struct pattern *pattern, unsigned choice)
{
    const struct views_request asked = {.given = true, .choice = choice};
    struct fault fault = {0};
    struct view asking = *of, *view = &asking;
    asking.request = &asked;
    bool good = views_check(entry, view, &fault);
    assert(good == (fault.kind == FAULT_NONE));
    bool takes = entry->takes == VIEWS_PATTERN;
    bool *wanted = good && takes ? views_find(entry, view, pattern) : NULL;
    asking.selected = wanted;
    if (good && (wanted || !takes)) {
        (entry->head ? entry->head : view_header)(out, view);
        entry->print(out, view);
        if (entry->foot)
            entry->foot(out, view);
    }
    free(wanted);
    fault_clear(&fault);
}

/* Every view with every word of its choice, but the listing, which would open files of
   any name, and tables, which rows_table_print prints. */
static void print_views(FILE *out, const struct view *view)
{
    struct pattern pattern = {0};
    char *wrong = pattern_set(&pattern, "");
    assert(!wrong);
    for (size_t i = 0; i < views_count; i++) {
        const struct views_entry *entry = views_all[i];
        unsigned choices = 1;
        for (const char *word = entry->words; word && *word; word++)
            choices += *word == '|';
        while (entry->takes == VIEWS_MEASURE && measure_all[choices + 1].word)
            choices++;
        bool usable = !(entry->facts & VIEWS_LOAD) || report_spread(view->report)->over;
        if (usable && entry->takes != VIEWS_NO_OPTION && entry != &listing_entry)
            for (unsigned choice = 1; choice <= choices; choice++)
                print_view(out, view, entry, &pattern, choice);
    }
    pattern_free(&pattern);
}

static void write_exports(FILE *out, const struct view *view)
{
    struct fault fault = {0};
    struct export_input input = {.view = view,
                                 .table = &functions_entry.data[0],
                                 .program = "a.out",
                                 .maker = "m",
                                 .fault = &fault};
    for (size_t i = 0; i < export_format_count; i++) {
        const struct export_format *format = export_formats[i];
        if (format->write &&
            (report_flows(view->report)->count || !(format->needs & EXPORT_BLOCKS)))
            format->write(out, &input);
        fault_clear(&fault);
    }
}

/* The tables by all that they can be of. Their rows add up to the functions' total,
   unless executions are counted. */
static void print_tables(FILE *out, const struct view *view)
{
    struct rows_table_notes told = rows_table_print(out, view, NULL, NULL);
    free(rows_table_never(view, &told));
    for (enum rows_key key = ROWS_COPIES; key < ROWS_KEYS; key++) {
        const struct rows *rows = report_rows(view->report, key);
        struct view table = *view;
        uint64_t sum = 0;
        table.rows = rows;
        if (rows->count)
            rows_table_print(out, &table, NULL, NULL);
        for (size_t i = 0; i < rows->count; i++)
            sum += rows_self(&rows->rows[i]);
        assert(rows->count == 0 || sum == rows->total ||
               profile_measure(view->profile)->sampled);
    }
}

static void show(FILE *out, struct report *report, bool exports)
{
    static const struct source_paths no_paths;
    const struct view plain = {
        .sources = &no_paths,
        .style = {.raw = true, .show_line = true, .branches = true, .never = true}};
    struct view view = view_of_report(&plain, report), beside[REPORT_BESIDES];
    const struct callgraph_style callgraph_style = {.title = "g", .gray = true};
    view.beside = beside;
    view_header(out, &view);
    print_tables(out, &view);
    print_views(out, &view);
    if (exports)
        write_exports(out, &view);
    view.grouped = report_rows(report, ROWS_PATHS);
    allocnotes_print_missing(out, &view);
    view.grouped = NULL;
    callgraph_print(out, &view, &callgraph_style);
    flame_print(out, &view, "f");
    balance_print(out, view.profile, view.program->skid);
    if (view.profile->sampling.samples)
        uncovered_print(out, view.profile, view.program, "a.out", report->outside);
    view.rows = report_catalog(report, &view.kept);
    callgraph_print(out, &view, &callgraph_style);
}

/* Reports PROFILE as mlprof does, and shows what comes out; with EXPORTS, in the formats
   of other programs, too. */
static void use_profile_with(FILE *out, struct tables *tables,
                             const struct profile *profile,
                             const struct report_choice *wishes, bool exports)
{
    struct report report;
    struct fault fault = {0};
    bool good = report_open(&report, profile, tables, wishes, &fault);
    assert(good == (fault.kind == FAULT_NONE));
    if (good) {
        const struct rows *types = &report.grouped;
        uint64_t typed = 0;
        show(out, &report, exports);
        for (size_t i = 0; wishes->measure && i < types->whole; i++)
            typed += rows_amount(&types->rows[i], measure_of_heap(HEAPDATA_TOTAL), true);
        assert(!wishes->measure || typed == profile->heap.sums[HEAPDATA_TOTAL].blocks);
        report_close(&report);
        use_evaluated++;
    }
    fault_clear(&fault);
}

/* A heap with a block for each sample: the types have all of them. */
static void use_heap(FILE *out, struct tables *tables, const struct profile *samples,
                     const struct report_choice *wishes)
{
    struct profile profile = *samples;
    struct report_choice of_types = *wishes;
    profile.heap = (struct heapdata){.measured = true};
    for (size_t i = 0; i < samples->nodes.count && i < FUNCTIONS * FUNCTIONS; i++) {
        const struct profile_node *node = &samples->nodes.list[i];
        uint32_t number =
            heapdata_put(&profile.heap, node->parent, node->module, node->address);
        profile.heap.nodes.list[number].amounts[HEAPDATA_TOTAL].blocks += 1;
        profile.heap.sums[HEAPDATA_TOTAL].blocks += 1;
        if (number != i)
            break;
    }
    of_types.measure = measure_of_heap(HEAPDATA_TOTAL);
    of_types.rows_key = ROWS_TYPES;
    use_profile_with(out, tables, &profile, &of_types, false);
    heapdata_free(&profile.heap);
}

void use_all(struct tables *tables, const struct profile *profile)
{
    static const struct pattern no_pattern;
    static const struct stacks_filter no_filter;
    static const struct patterns no_patterns;
    struct report_choice wishes = {.executable = "nowhere/a.out",
                                   .unprofile = &no_pattern,
                                   .filter = &no_filter,
                                   .split = &no_patterns,
                                   .libraries = &no_patterns,
                                   .names = {.show_line = true},
                                   .branches = BRANCH_ALL,
                                   .trained_alone = true};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint64_t address = 0x1ff0; address < 0x2060; address++)
        where_print(out, tables, address, address & 1);
    use_profile_with(out, tables, profile, &wishes, false);
    wishes.skid = wishes.frames.outside = wishes.frames.addresses = true;
    wishes.over = SPREAD_THREADS;
    use_profile_with(out, tables, profile, &wishes, true);
    use_heap(out, tables, profile, &wishes);
    struct profile counted = *profile;
    counted.kind = CCPROF_KIND_COUNT;
    counted.nodes.count = 0;
    counted.sampling.samples = counted.sampling.lost = 0;
    use_profile_with(out, tables, &counted, &wishes, false);
    counted.kind = CCPROF_KIND_INSTRUCTIONS | CCPROF_KIND_COUNT;
    use_profile_with(out, tables, &counted, &wishes, false);
    free(balance_why_none(profile));
    fclose(out);
    free(text);
    use_taken++;
}

/* Samples at the beginning, in the middle and at the end of functions that call each
   other. */
static void add_samples(struct profile *profile, const struct tables *tables)
{
    uint32_t above = PROFILE_NO_NODE;
    for (uint32_t i = 0; i < tables_function_count(tables) && i < FUNCTIONS; i++) {
        uint64_t start, end;
        tables_function_range(tables, i, &start, &end);
        if (i % DEEPEST == 0)
            above = PROFILE_NO_NODE;
        const uint64_t at[] = {start, start + (end - start) / 2, end - 1};
        for (size_t j = 0; j < sizeof at / sizeof *at; j++) {
            profile_add(profile, above, 0, at[j], i + j);
            profile->sampling.samples += i + j;
        }
        above = profile_add(profile, above, 0, at[1], 0);
        const struct profile_target target = {.site = at[i % 3], .address = start};
        profile_add_target(profile, &target, i);
    }
}

static void add_counters(struct profile *profile, const struct tables *tables)
{
    struct flowtables flows;
    struct fault fault = {0};
    const struct alloctable *allocations = tables_allocations(tables);
    const struct tables_counters *calls = tables_calls(tables),
                                 *inclusive = tables_inclusive(tables);
    for (size_t i = 0; i < calls->count; i++)
        profile_add_counter(profile, 0, calls->counters[i].offset, i % 3);
    for (size_t i = 0; i < inclusive->count; i++)
        profile_add_counter(profile, 0, inclusive->counters[i].offset, i % 5);
    if (flowtables_read(&flows, tables, &fault))
        for (size_t i = 0; i < flows.counters.count; i++)
            profile_add_counter(profile, 0, flows.counters.list[i].address, i % 2);
    flowtables_free(&flows);
    fault_clear(&fault);
    struct machinetables machine = {0};
    if (machinetables_read(&machine, tables_holder(tables), &fault))
        for (size_t i = 0; i < machine.edges.count; i++)
            if (machine.edges.list[i].counter)
                profile_add_counter(profile, 0, machine.edges.list[i].counter, i % 3);
    machinetables_free(&machine);
    fault_clear(&fault);
    for (size_t i = 0; i < allocations->count; i++) {
        profile_add_counter(profile, 0, allocations->sites[i].address, i % 4);
        profile_add_counter(profile, 0, allocations->sites[i].address + ALLOCTABLE_BYTES,
                            i % 4 * 24);
    }
}

void use_tables(struct tables *tables)
{
    if (!tables)
        return;
    struct profile profile = {.kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT |
                                      CCPROF_KIND_ALLOC,
                              .sampling.engines = PROFILE_TASK_CLOCK,
                              .sampling.clock = PROFILE_CPU,
                              .sampling.rate = 100,
                              .sampling.stack = true,
                              .runs.threads = 1};
    profile_add_module(&profile, tables_path(tables), tables_build_id(tables));
    add_samples(&profile, tables);
    add_counters(&profile, tables);
    use_all(tables, &profile);
    profile_free(&profile);
    tables_close(tables);
}
