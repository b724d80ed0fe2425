/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Files with bytes changed at random: everything that mlprof does with them must end,
   well or with one line that names the file.  Most is told by the sanitizers.  */

#define _GNU_SOURCE
#include "mlprof/evaluate/machine-code.h"
#include "mlprof/profile/mlmon.h"
#include "mlprof/view/arcs-list.h"
#include "mlprof/view/balance.h"
#include "mlprof/evaluate/branch.h"
#include "mlprof/evaluate/catalog.h"
#include "mlprof/view/flame.h"
#include "mlprof/evaluate/flowlines.h"
#include "mlprof/evaluate/flowrows.h"
#include "mlprof/export/gcov-json.h"
#include "mlprof/view/graph.h"
#include "mlprof/view/callers.h"
#include "mlprof/view/nosamples.h"
#include "mlprof/view/prof.h"
#include "mlprof/view/uncovered.h"
#include "mlprof/evaluate/lines.h"
#include "mlprof/view/report.h"
#include "mlprof/evaluate/rows.h"
#include "mlprof/view/where.h"
#include "testsuite/unit/make_elf.h"
#include "testsuite/unit/table_bytes.h"
#include "testsuite/unit/random.h"
#include "runner.h"

#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 4000
#define IMAGE  8192

struct image {
    unsigned char bytes[IMAGE];
    size_t size;
};

static struct image read_image(const char *path)
{
    struct image image;
    FILE *file = fopen(path, "r");
    image.size = fread(image.bytes, 1, IMAGE, file);
    ck_assert(image.size > 0 && image.size < IMAGE);
    fclose(file);
    return image;
}

/* A new file each time: some file systems wait for the disk when one is cut off and
   written again.  */
static void write_image(const char *path, const struct image *image)
{
    unlink(path);
    FILE *file = fopen(path, "w");
    ck_assert_uint_eq(fwrite(image->bytes, 1, image->size, file), image->size);
    fclose(file);
}

/* Changes one to four bytes from START on; cuts the end off now and then.  */
static void mutate(struct image *image, size_t start, size_t size)
{
    static const unsigned char edges[] = {0,    1,    0x3f, 0x40, 0x7f,
                                          0x80, 0xff, '\n', ' ',  '9'};
    for (uint64_t i = random_below(4) + 1; i > 0; i--) {
        size_t at = start + random_below(size);
        switch (random_below(3)) {
        case 0:
            image->bytes[at] ^= (unsigned char)(1 << random_below(8));
            break;
        case 1:
            image->bytes[at] = edges[random_below(sizeof edges)];
            break;
        default:
            image->bytes[at] = (unsigned char)random_below(256);
        }
    }
    if (random_below(32) == 0)
        image->size = random_below(image->size);
}

static const char data[] =
    "ccprof mlmon 1\nkind time,count\nengine process-timer\nclock cpu\nrate 100\nstack "
    "yes\n"
    "cpu 4013000000\nwall 4100250000\nthreads 2\nwaits 3\nsamples 402\nlost 1\n"
    "elsewhere 5\nmodule 0 - 0x5581b0c00000 /opt/games/my prog\n"
    "module 1 6a2f 0x0 /a\\\\b\\nc\nlabel 0 load\nlabel 1 store\ncounts 8\n"
    "0 0 0x2010 300\n0 0 0x2024 0\n1 1 0x2f 40\n2 0 0x2050 50\n1 - 0x7fff 10\n"
    "0 label 0x1 0\n1 label 0x0 0\n2 0 0x2031 1\n"
    "counters\n0 0x4010 10\n0 0x4018 4\n0 0x4020 3\n1 0x4010 1\n"
    "targets\n0 0x2014 0 0x2010 5\n0 0x2024 0 0x2024 2\n0 0x2010 - 0x0 1\nend\n";

/* How many of the files were taken.  */
static unsigned taken;

/* And how often the flows in one.  */
static unsigned solved;

/* What goes by the counts of blocks.  */
static void use_flows(FILE *out, struct view *view, struct rows *rows,
                      struct flowcounts *flows, const struct pattern *pattern)
{
    struct arcs arcs = {0};
    struct lines lines = {0};
    size_t count;
    flowrows_find(flows, rows);
    struct arcs_target *targets =
        arcs_targets_find(rows, view->profile, view->program, &count);
    arcs_find(&arcs, rows, flows, targets, count);
    rows->has_arcs = rows->stacks.node_count == 0;
    view->arcs = &arcs;
    callers_print(out, view, pattern, CALLERS_CALLERS);
    callers_print(out, view, pattern, CALLERS_CALLEES);
    graph_print(out, view, &(struct graph_style){.title = "g"});
    rows->has_arcs = false;
    view->arcs = NULL;
    report_print(out, view);
    ck_assert_uint_le(arcs_list_print(out, view, &arcs, pattern), rows->count);
    gcov_json_print(out, flows, "n", "m");
    bool *wanted = calloc(rows->count + 1, sizeof *wanted);
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
    bool good = flowcounts_solve(flows, profile, program, &fault);
    ck_assert_int_eq(good, fault.kind == FAULT_NONE);
    fault_clear(&fault);
    solved += good;
    return good;
}

/* Every view but the listing, which would look for files of any name.  */
static void use_rows(FILE *out, const struct profile *profile,
                     const struct program *program, struct outside *outside)
{
    struct rows rows;
    struct flowcounts flows;
    struct lines lines;
    struct graph_style graph_style = {.title = "g", .gray = true};
    struct view view = {.profile = profile,
                        .program = program,
                        .rows = &rows,
                        .style = {.show_line = true, .raw = true}};
    struct pattern pattern = {0};
    ck_assert_ptr_null(pattern_set(&pattern, ""));
    bool has_flows = solve_flows(&flows, profile, program);
    stacks_build(&rows.stacks, profile, program, outside);
    rows_evaluate(&rows, &rows.stacks, profile, program, has_flows ? &flows : NULL,
                  BRANCH_ALL);
    view_header(out, &view);
    report_print(out, &view);
    if (has_flows)
        use_flows(out, &view, &rows, &flows, &pattern);
    flowcounts_free(&flows);
    prof_print(out, &view);
    balance_print(out, profile, NULL);
    if (profile->samples)
        uncovered_print(out, profile, program, "a.out", outside != NULL);
    free(nosamples_text(profile));
    ck_assert_uint_eq(callers_print(out, &view, &pattern, CALLERS_CALLERS), rows.count);
    graph_print(out, &view, &graph_style);
    flame_print(out, &view, "f");
    bool *wanted = calloc(rows.count + 1, sizeof *wanted);
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
    catalog_fill(&rows, program->tables[0]);
    graph_print(out, &view, &graph_style);
    rows_free(&rows);
}

static void use(struct tables *tables, const struct profile *profile)
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
    for (int i = 0; i < 2; i++)
        use_rows(out, profile, &program, i ? outside : NULL);
    struct profile counted = *profile;
    counted.kind = CCPROF_KIND_COUNT;
    counted.node_count = 0;
    counted.samples = counted.lost = 0;
    use_rows(out, &counted, &program, NULL);
    outside_free(outside);
    use_catalog(out, &program);
    machine_code_free(program.code);
    fclose(out);
    free(text);
    taken++;
}

static void try_tables(const char *path, const struct profile *profile)
{
    struct fault fault = {0};
    struct tables *tables = tables_open_with(path, "nowhere", &fault);
    if (tables) {
        use(tables, profile);
        tables_close(tables);
    } else {
        ck_assert_int_ne(fault.kind, FAULT_NONE);
        ck_assert_ptr_nonnull(strstr(fault.text, path));
        fault_clear(&fault);
    }
}

static struct profile whole_profile(void)
{
    struct fault fault = {0};
    struct profile profile = {0};
    ck_assert(mlmon_parse(&profile, "m", data, sizeof data - 1, &fault));
    return profile;
}

/* Of f and g, and one of f that counted nothing.  */
static const char counters[] = "01 00 00 00 00 03 00 00 00 "
                               "10 40 00 00 00 00 00 00 01 00 00 00 "
                               "30 40 00 00 00 00 00 00 02 00 00 00 "
                               "38 40 00 00 00 00 00 00 01 00 00 00";

/* Where the bytes of the tables lie in an uncompressed image, and how many.  */
static size_t tables_in(const struct image *image, size_t *size)
{
    size_t length;
    unsigned char *first = make_bytes(strings, &length);
    const unsigned char *at = memmem(image->bytes, image->size, first, length);
    ck_assert_ptr_nonnull(at);
    free(first);
    unsigned char *last = make_bytes(FLOW_EXAMPLE_EDGES, size);
    const unsigned char *end = memmem(image->bytes, image->size, last, *size);
    ck_assert_ptr_nonnull(end);
    ck_assert(end > at);
    free(last);
    *size += (size_t)(end - at);
    return (size_t)(at - image->bytes);
}

static struct make_elf tables_file(void)
{
    return (struct make_elf){.build_id = "6a 2f",
                             .debuglink = "x.debug",
                             .sections = {{".ccprof.str", strings},
                                          {".ccprof.unit", unit},
                                          {".ccprof.code", code},
                                          {".ccprof.count", counters},
                                          {".ccprof.flow", FLOW_EXAMPLE},
                                          {".ccprof.edge", FLOW_EXAMPLE_EDGES}}};
}

START_TEST(damaged_tables)
{
    char *path = make_path();
    struct make_elf file = tables_file();
    struct profile profile = whole_profile();
    make_elf(path, &file);
    struct image whole = read_image(path);
    size_t size, start = tables_in(&whole, &size);
    for (int i = 0; i < ROUNDS; i++) {
        struct image image = whole;
        mutate(&image, start, size);
        write_image(path, &image);
        try_tables(path, &profile);
    }
    /* Neither all nor none: the loop has met both ways.  */
    ck_assert_uint_gt(taken, ROUNDS / 20);
    ck_assert_uint_lt(taken, ROUNDS - ROUNDS / 20);
    ck_assert_uint_gt(solved, 3 * taken / 4);
    ck_assert_uint_lt(solved, 3 * taken - ROUNDS / 20);
    profile_free(&profile);
    free(path);
}
END_TEST

START_TEST(damaged_elf_files)
{
    char *path = make_path();
    struct make_elf file = tables_file();
    struct profile profile = whole_profile();
    file.compress = _i & 1;
    file.class = _i & 2 ? ELFCLASS32 : ELFCLASS64;
    make_elf(path, &file);
    struct image whole = read_image(path);
    for (int i = 0; i < ROUNDS / 2; i++) {
        struct image image = whole;
        mutate(&image, 0, whole.size);
        write_image(path, &image);
        try_tables(path, &profile);
    }
    ck_assert_uint_gt(taken, ROUNDS / 40);
    ck_assert_uint_lt(taken, ROUNDS / 2 - ROUNDS / 40);
    profile_free(&profile);
    free(path);
}
END_TEST

START_TEST(damaged_data_files)
{
    char *path = make_path();
    struct make_elf file = tables_file();
    struct fault fault = {0};
    make_elf(path, &file);
    struct tables *tables = tables_open_with(path, "nowhere", &fault);
    ck_assert_ptr_nonnull(tables);
    for (int i = 0; i < 5 * ROUNDS; i++) {
        struct image image = {.size = sizeof data - 1};
        memcpy(image.bytes, data, sizeof data);
        mutate(&image, 0, sizeof data - 1);
        /* In memory of its own size, so that a sanitizer sees a byte too many.  */
        char *text = malloc(image.size + 1);
        memcpy(text, image.bytes, image.size);
        text = realloc(text, image.size ? image.size : 1);
        struct profile profile = {0}, sum = whole_profile();
        if (mlmon_parse(&profile, "m", text, image.size, &fault)) {
            ck_assert_ptr_null(fault.text);
            if (profile.module_count == 2)
                use(tables, &profile);
            profile_merge(&sum, &profile, "m", &fault);
        } else {
            ck_assert_int_eq(strncmp(fault.text, "m: line ", 8), 0);
        }
        profile_free(&profile);
        profile_free(&sum);
        fault_clear(&fault);
        free(text);
    }
    ck_assert_uint_gt(taken, ROUNDS / 20);
    tables_close(tables);
    free(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mlprof_fuzz");
    TCase *tests = tcase_create("mlprof_fuzz");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, damaged_tables);
    tcase_add_loop_test(tests, damaged_elf_files, 0, 4);
    tcase_add_test(tests, damaged_data_files);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
