/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "testsuite/fuzz/use.h"
#include "mlprof/arcs/arcs-targets.h"
#include "mlprof/arcs/arcs.h"
#include "mlprof/evaluate/catalog.h"
#include "mlprof/export/export.h"
#include "mlprof/flow/arccounts.h"
#include "mlprof/export/gcov-json.h"
#include "mlprof/groups/grouping.h"
#include "mlprof/program/machine-code.h"
#include "mlprof/program/skid.h"
#include "mlprof/rows/branch.h"
#include "mlprof/rows/flowlines.h"
#include "mlprof/rows/flowrows.h"
#include "mlprof/rows/heaprows.h"
#include "mlprof/rows/lines.h"
#include "mlprof/rows/row-names.h"
#include "mlprof/view/allocview.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/flame.h"
#include "mlprof/view/graph.h"
#include "mlprof/view/nosamples.h"
#include "mlprof/view/report.h"
#include "mlprof/view/uncovered.h"
#include "mlprof/view/views.h"
#include "mlprof/view/where.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* More would only take longer.  */
#define FUNCTIONS 40
#define DEEPEST   7

unsigned use_taken, use_solved;

/* Rows that are no branches.  */
static size_t functions(const struct rows *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        count += !rows->rows[i].branch;
    return count;
}

/* Prints a view of what PATTERN means, or of its CHOICE.  */
static void print_view(FILE *out, const struct view *view,
                       const struct views_entry *entry, const struct pattern *pattern,
                       unsigned choice)
{
    const struct views_asked asked = {.choice = choice};
    bool *wanted = entry->find ? entry->find(view, pattern) : NULL;
    entry->head(out, view);
    if (wanted || !entry->find)
        entry->print(out, view, &asked, wanted);
    if (entry->foot)
        entry->foot(out, view);
    free(wanted);
}

/* The pattern, which means every function, finds all that are no branch.  */
static void check_callers(const struct view *view, const struct pattern *pattern)
{
    bool *wanted = callers_entry.find(view, pattern);
    for (size_t i = 0; i < view->rows->count; i++)
        assert(!wanted || wanted[i] == !view->rows->rows[i].branch);
    assert(wanted || functions(view->rows) == 0);
    free(wanted);
}

/* What goes by the counts of blocks.  */
static void use_flows(FILE *out, struct view *view, struct rows *rows,
                      struct flowcounts *flows, const struct pattern *pattern)
{
    struct arcs arcs = {0};
    struct lines lines = {0};
    struct report_told told;
    size_t count;
    flowrows_find(flows, rows);
    struct arcs_target *targets =
        arcs_targets_find(rows, view->profile, view->program, &count);
    arcs_find(&arcs, rows, flows, targets, count);
    rows->has_arcs = rows->stacks.node_count == 0;
    view->arcs = &arcs;
    bool *wanted = calloc(rows->count + 1, sizeof *wanted);
    check_callers(view, pattern);
    print_view(out, view, &callers_entry, pattern, 0);
    print_view(out, view, &callees_entry, pattern, 0);
    graph_print(out, view, &(struct graph_style){.title = "g"});
    rows->has_arcs = false;
    report_print(out, view, &told);
    print_view(out, view, &arcs_list_entry, pattern, 0);
    view->flows = flows;
    print_view(out, view, &branches_entry, pattern, 0);
    view->flows = NULL;
    view->arcs = NULL;
    gcov_json_print(out, flows, 2, "n", "m");
    memset(wanted, true, rows->count);
    flowlines_add(&lines, flows, rows, wanted);
    lines_free(&lines);
    free(wanted);
    free(targets);
    arcs_free(&arcs);
}

static bool solve_flows(struct flowcounts *flows, const struct profile *profile,
                        const struct program *program)
{
    struct fault fault = {0};
    bool good = flowcounts_solve(flows, profile, program, false, &fault);
    assert(good == (fault.kind == FAULT_NONE));
    fault_clear(&fault);
    use_solved += good;
    return good;
}

/* Every format; FLOWS may be NULL.  */
static void use_exports(FILE *out, const struct view *view,
                        const struct flowcounts *flows)
{
    /* As show.c gives them.  */
    static const struct arcs no_arcs;
    static const struct flowcounts no_flows;
    static const struct source_paths no_paths;
    struct view with_flows = *view;
    struct export_input input = {.view = &with_flows,
                                 .table = &report_functions.data[0],
                                 .program = "a.out",
                                 .maker = "m",
                                 .gcov_version = 1};
    with_flows.flows = flows ? flows : &no_flows;
    with_flows.arcs = &no_arcs;
    with_flows.sources = &no_paths;
    for (size_t i = 0; i < export_format_count; i++) {
        struct fault fault = {0};
        if (export_formats[i]->write &&
            (flows || !(export_formats[i]->needs & EXPORT_BLOCKS))) {
            bool good = export_formats[i]->write(out, &input, &fault);
            assert(good == (fault.kind == FAULT_NONE));
        }
        fault_clear(&fault);
    }
}

/* The table by all that it can be of.  Its rows add up to the functions' total, unless
   executions are counted.  */
static void use_groupings(FILE *out, const struct view *view, struct rows *rows,
                          const struct flowcounts *flows)
{
    const struct names_style names = {.long_name = true};
    for (enum rows_key key = ROWS_COPIES; key <= ROWS_THREADS; key++) {
        const struct grouping grouping = {.key = key,
                                          .profile = view->profile,
                                          .program = view->program,
                                          .rows = rows,
                                          .flows = flows,
                                          .names = &names};
        struct fault fault = {0};
        struct rows grouped;
        struct view table = *view;
        struct report_told told;
        table.rows = &grouped;
        if (grouping_evaluate(&grouped, &grouping, &fault))
            report_print(out, &table, &told);
        uint64_t sum = 0;
        for (size_t i = 0; i < grouped.count; i++)
            sum += grouped.rows[i].cur;
        assert(fault.kind != FAULT_NONE || sum == grouped.total ||
               profile_measure(view->profile) == PROFILE_SAMPLES);
        fault_clear(&fault);
        rows_free(&grouped);
    }
}

static void use_constructs(FILE *out, const struct view *view)
{
    const struct names_style names = {.show_line = true};
    struct constructs constructs = {0};
    struct fault fault = {0};
    struct view with = *view;
    with.constructs = &constructs;
    if (constructs_fill(&constructs, view->profile, view->program, &names, &fault)) {
        print_view(out, &with, &parallelview_entry, NULL, 0);
        constructs_free(&constructs);
    }
    fault_clear(&fault);
}

static void use_trained(FILE *out, const struct view *view, struct outside *outside)
{
    struct arccounts counts;
    struct trained trained = {0};
    struct trainedrows rows = {0};
    struct fault fault = {0};
    struct stacks stacks;
    struct view with = *view;
    if (arccounts_solve(&counts, view->profile, view->program, NULL, &fault)) {
        trained_find(&trained, &counts, view->program);
        stacks_build_by_address(&stacks, view->profile, view->program, outside);
        trainedrows_fill(&rows, &stacks, view->profile, view->program, &trained);
        row_names_settle(&rows.rows, &(struct names_style){.long_name = true});
        with.trained = &rows;
        print_view(out, &with, &pgo_entry, NULL, 0);
        trainedrows_free(&rows);
        trained_free(&trained);
    }
    arccounts_free(&counts);
    fault_clear(&fault);
}

/* Every view but the listing, which would look for files of any name.  */
static void use_rows(FILE *out, const struct profile *profile,
                     const struct program *program, struct outside *outside)
{
    struct rows rows;
    struct flowcounts flows;
    struct lines lines;
    struct graph_style graph_style = {.title = "g", .gray = true};
    static const struct trainedrows no_trained;
    struct view view = {.profile = profile,
                        .program = program,
                        .trained = &no_trained,
                        .rows = &rows,
                        .style = {.show_line = true, .raw = true}};
    struct pattern pattern = {0};
    struct report_told told;
    char *wrong = pattern_set(&pattern, "");
    assert(!wrong);
    bool has_flows = solve_flows(&flows, profile, program);
    (outside ? stacks_build_by_address : stacks_build)(&rows.stacks, profile, program,
                                                       outside);
    rows_evaluate(&rows, &rows.stacks, profile, program, has_flows ? &flows : NULL,
                  BRANCH_ALL);
    view_header(out, &view);
    row_names_settle(&rows, &(struct names_style){.show_line = true});
    report_print(out, &view, &told);
    free(report_never(&view, &told));
    const struct patterns libraries = {0};
    view.libraries = &libraries;
    for (enum allocview_by by = ALLOCVIEW_SITE; by <= ALLOCVIEW_PATH; by++) {
        print_view(out, &view, &allocview_entry, NULL, by);
        allocview_print_missing(out, &view, by);
    }
    if (outside)
        use_exports(out, &view, has_flows ? &flows : NULL);
    if (has_flows)
        use_flows(out, &view, &rows, &flows, &pattern);
    use_groupings(out, &view, &rows, &flows);
    flowcounts_free(&flows);
    print_view(out, &view, &prof_entry, NULL, 0);
    balance_print(out, profile, NULL);
    use_constructs(out, &view);
    use_trained(out, &view, outside);
    if (profile->samples)
        uncovered_print(out, profile, program, "a.out", outside != NULL);
    free(nosamples_text(profile));
    bool *wanted = calloc(rows.count + 1, sizeof *wanted);
    check_callers(&view, &pattern);
    print_view(out, &view, &callers_entry, &pattern, 0);
    graph_print(out, &view, &graph_style);
    flame_print(out, &view, "f");
    uint32_t *ends = calloc(rows.count + 1, sizeof *ends);
    memset(wanted, true, rows.count);
    lines_ends(program, &rows, wanted, ends);
    free(ends);
    lines_count(&lines, &rows, wanted);
    lines_free(&lines);
    free(wanted);
    pattern_free(&pattern);
    rows_free(&rows);
}

/* The graph of what was not measured.  */
static void use_catalog(FILE *out, const struct program *program)
{
    struct rows rows;
    struct profile nothing = {0};
    struct graph_style graph_style = {.title = "g"};
    struct view view = {.profile = &nothing, .program = program, .rows = &rows};
    struct flowtables flows;
    struct fault fault = {0};
    bool has_flows = flowtables_read(&flows, program->tables[0], &fault);
    catalog_fill(&rows, program->tables[0], &(struct patterns){0},
                 &(struct names_style){.long_name = true}, has_flows ? &flows : NULL);
    graph_print(out, &view, &graph_style);
    rows_free(&rows);
    flowtables_free(&flows);
    fault_clear(&fault);
}

static void use_arcs(const struct profile *profile, const struct program *program)
{
    struct arccounts counts;
    struct fault fault = {0};
    arccounts_solve(&counts, profile, program, NULL, &fault);
    arccounts_free(&counts);
    fault_clear(&fault);
}

/* A heap with a block for each sample: the types have all of them.  */
static void use_heap(const struct profile *samples, const struct program *program)
{
    const struct names_style style = {.form = NAMES_READABLE};
    struct profile profile = *samples;
    static const struct flowcounts none;
    struct heaprows heap;
    struct heaprows_group group = {0};
    struct fault fault = {0};
    uint64_t all = 0, typed = 0;
    profile.heap = (struct heapdata){.measured = true, .shown = true};
    for (size_t i = 0; i < samples->node_count && i < FUNCTIONS * FUNCTIONS; i++) {
        const struct profile_node *node = &samples->nodes[i];
        uint32_t number =
            heapdata_put(&profile.heap, node->parent, node->module, node->address);
        profile.heap.nodes[number].of[HEAPDATA_TOTAL].blocks += 1;
        all++;
        if (number != i)
            break;
    }
    heaprows_fill(&heap, &profile, program, NULL, NULL, &style);
    const struct grouping grouping = {.key = ROWS_TYPES,
                                      .profile = &heap.points,
                                      .program = program,
                                      .rows = &heap.rows,
                                      .flows = &none,
                                      .names = &style};
    assert(grouping_evaluate(&group.rows, &grouping, &fault));
    heaprows_group(&group, &heap);
    for (size_t i = 0; i < group.rows.count; i++)
        typed += group.amounts[i].own[HEAPDATA_TOTAL].blocks;
    assert(all == typed);
    heaprows_group_free(&group);
    heaprows_free(&heap);
    heapdata_free(&profile.heap);
}

void use_all(struct tables *tables, const struct profile *profile)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint64_t address = 0x1ff0; address < 0x2060; address++)
        where_print(out, tables, address, address & 1);
    struct tables *modules[2] = {tables, NULL};
    struct program program = {.tables = modules, .count = 2};
    program.code = machine_code_new(&program);
    struct outside *outside = outside_new(profile, "nowhere", "nowhere");
    use_rows(out, profile, &program, NULL);
    program.skid = skid_new(profile, &program);
    use_rows(out, profile, &program, outside);
    skid_free(program.skid);
    program.skid = NULL;
    struct profile counted = *profile;
    counted.kind = CCPROF_KIND_COUNT;
    counted.node_count = 0;
    counted.samples = counted.lost = 0;
    use_rows(out, &counted, &program, NULL);
    outside_free(outside);
    use_catalog(out, &program);
    use_heap(profile, &program);
    use_arcs(&counted, &program);
    machine_code_free(program.code);
    fclose(out);
    free(text);
    use_taken++;
}

/* Samples at the beginning, in the middle and at the end of functions that call each
   other.  */
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
            profile->samples += i + j;
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
    for (uint32_t i = 0; i < tables_counter_count(tables); i++)
        profile_add_counter(profile, 0, tables_counter(tables, i).offset, i % 3);
    for (uint32_t i = 0; i < tables_inclusive_count(tables); i++)
        profile_add_counter(profile, 0, tables_inclusive(tables, i).offset, i % 5);
    if (flowtables_read(&flows, tables, &fault))
        for (size_t i = 0; i < flows.counter_count; i++)
            profile_add_counter(profile, 0, flows.counters[i].address, i % 2);
    flowtables_free(&flows);
    fault_clear(&fault);
    for (size_t i = 0; i < allocations->count; i++) {
        profile_add_counter(profile, 0, allocations->sites[i].address, i % 4);
        profile_add_counter(profile, 0, allocations->sites[i].address + ALLOCTABLE_BYTES,
                            i % 4 * 24);
    }
}

void use_profile(struct profile *profile, struct tables *tables)
{
    *profile =
        (struct profile){.kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC,
                         .engines = PROFILE_TASK_CLOCK,
                         .clock = PROFILE_CPU,
                         .rate = 100,
                         .stack = true,
                         .threads = 1};
    profile_add_module(profile, tables_path(tables), tables_build_id(tables));
    add_samples(profile, tables);
    add_counters(profile, tables);
}
