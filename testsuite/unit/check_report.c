/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */

#define _GNU_SOURCE
#include "mlprof/view/balance.h"
#include "mlprof/base/layout.h"
#include "mlprof/view/nosamples.h"
#include "mlprof/view/report.h"
#include "mlprof/view/view.h"
#include "testsuite/unit/open_elf.h"
#include "runner.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* MLton's own lay-out, with three columns of numbers: two tables from the description
   of its tool.  */
START_TEST(layout_with_stacks)
{
    static const char *const heads[] = {"function", "cur", "raw", "stack",
                                        "raw",      "GC",  "raw"};
    static const char *const cells[] = {
        "Mat.mul", "83.3%", "(3.75s)", "83.3%", "(3.75s)", "8.9%",  "(0.40s)",
        "<gc>",    "11.1%", "(0.50s)", "0.0%",  "(0.00s)", "11.1%", "(0.50s)",
        "<main>",  "5.6%",  "(0.25s)", "88.9%", "(4.00s)", "11.1%", "(0.50s)"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    layout_print(out, heads, 7, (char *const *)cells, 3);
    fclose(out);
    ck_assert_str_eq(text, "function  cur    raw   stack   raw    GC     raw  \n"
                           "-------- ----- ------- ----- ------- ----- -------\n"
                           "Mat.mul  83.3% (3.75s) 83.3% (3.75s)  8.9% (0.40s)\n"
                           "<gc>     11.1% (0.50s)  0.0% (0.00s) 11.1% (0.50s)\n"
                           "<main>    5.6% (0.25s) 88.9% (4.00s) 11.1% (0.50s)\n");
    free(text);
}
END_TEST

START_TEST(layout_with_lines)
{
    static const char *const heads[] = {"function", "cur", "raw"};
    static const char *const cells[] = {
        "Mat.mul.inner  mat.sml: 20", "100.0%", "(1,200,000)",
        "Mat.mul  mat.sml: 12",       "0.0%",   "(40)",
        "Mat.never  mat.sml: 40",     "0.0%",   "(0)"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    layout_print(out, heads, 3, (char *const *)cells, 3);
    fclose(out);
    ck_assert_str_eq(text, "         function           cur       raw    \n"
                           "-------------------------- ------ -----------\n"
                           "Mat.mul.inner  mat.sml: 20 100.0% (1,200,000)\n"
                           "Mat.mul  mat.sml: 12         0.0%        (40)\n"
                           "Mat.never  mat.sml: 40       0.0%         (0)\n");
    free(text);
}
END_TEST

START_TEST(percentages)
{
    ck_assert(rows_percent(0, 0) == 0.0);
    ck_assert(rows_percent(1, 4) == 25.0);
    ck_assert(rows_percent(4, 4) == 100.0);
    ck_assert(rows_percent(1, 10) >= 10.0);
}
END_TEST

/* a.c at 0, c at 2, n::f at 4, g at 9.  Sources: n::f of a.c:10; g of c:20; g of a.c:30.
   The first function is 16 bytes of n::f with two copies of c's g at +4 and +8; then 16
   bytes of a.c's g; then 16 bytes that are excluded.  */
static struct tables *make_tables(void)
{
    struct make_elf file = {
        .build_id = "aa",
        .sections = {{".ccprof.str", "61 2e 63 00 6e 3a 3a 66 00 67 00"},
                     {".ccprof.unit",
                      "48 00 00 00 02 00 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 "
                      "00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 "
                      "00 00 00 00 00 00 00 00 00 03 04 00 00 00 00 01 0a 00 09 00 00 "
                      "00 00 02 14 00 09 00 00 00 00 01 1e 00"},
                     {".ccprof.code", "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "
                                      "11 00 01 02 02 02 04 02 03 04 01 04 01 04 7e "
                                      "11 00 03 00 00 11 00 00 00 00"}}};
    return open_elf(&file);
}

static struct profile make_profile(void)
{
    struct profile profile = {
        .kind = CCPROF_KIND_TIME, .rate = 100, .samples = 200000, .lost = 10};
    profile_add_module(&profile, "p", "aa");
    profile_add_module(&profile, "l", NULL);
    uint32_t f = profile_add(&profile, PROFILE_NO_NODE, 0, 0x1001, 100000);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1004, 30000);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1005, 20000);
    profile_add(&profile, f, 0, 0x1008, 5000);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x101f, 5000);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1020, 100);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1030, 200);
    profile_add(&profile, PROFILE_NO_NODE, 1, 0x1001, 300);
    profile_add(&profile, PROFILE_NO_NODE, PROFILE_NO_MODULE, 0x1001, 39390);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x100c, 0);
    return profile;
}

/* The program of one executable and one library without tables.  */
static struct program make_program(struct tables **tables)
{
    tables[0] = make_tables();
    tables[1] = NULL;
    return (struct program){.tables = tables, .count = 2};
}

START_TEST(rows_are_merged_late)
{
    struct tables *tables[2];
    struct program program = make_program(tables);
    struct profile profile = make_profile();
    struct rows rows;
    rows_evaluate(&rows, &profile, &program, NULL, NULL, BRANCH_COMPILED);
    /* n::f, two copies of g in it, the other g, <unprofiled>, <lost>.  */
    ck_assert_uint_eq(rows.stacks.copy_count, 6);
    ck_assert_uint_eq(rows.count, 5);
    ck_assert_uint_eq(rows.total, 200000);
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.count; i++)
        sum += rows.rows[i].cur;
    ck_assert_uint_eq(sum, rows.total);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables[0]);
}
END_TEST

static void assert_report(const struct view_style *style, bool stack,
                          const char *expected)
{
    struct tables *tables[2];
    struct program program = make_program(tables);
    struct profile profile = make_profile();
    struct rows rows;
    struct view view = {
        .profile = &profile, .program = &program, .rows = &rows, .style = *style};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    profile.stack = stack;
    rows_evaluate(&rows, &profile, &program, NULL, NULL, BRANCH_COMPILED);
    view_header(out, &view);
    report_print(out, &view);
    fclose(out);
    ck_assert_str_eq(text, expected);
    free(text);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables[0]);
}

START_TEST(the_table)
{
    assert_report(&(struct view_style){.long_name = true}, false,
                  "2,000.00 seconds of CPU time (0.00 seconds GC)\n"
                  "  function    cur \n"
                  "------------ -----\n"
                  "n::f         50.0%\n"
                  "g            27.5%\n"
                  "<unprofiled> 20.0%\n"
                  "g             2.5%\n"
                  "<lost>        0.0%\n");
}
END_TEST

START_TEST(the_table_with_everything)
{
    assert_report(&(struct view_style){.raw = true, .show_line = true, .thresh = 2.5},
                  false,
                  "2,000.00 seconds of CPU time (0.00 seconds GC)\n"
                  "  function    cur     raw    \n"
                  "------------ ----- ----------\n"
                  "f  a.c: 10   50.0% (1000.00s)\n"
                  "g  c: 20     27.5%  (550.00s)\n"
                  "<unprofiled> 20.0%  (399.90s)\n"
                  "g  a.c: 30    2.5%   (50.00s)\n");
}
END_TEST

/* The 5,000 samples of n::f that called itself are in its stack once.  */
START_TEST(the_table_with_stacks)
{
    assert_report(&(struct view_style){.long_name = true}, true,
                  "2,000.00 seconds of CPU time (0.00 seconds GC)\n"
                  "  function    cur  stack  GC \n"
                  "------------ ----- ----- ----\n"
                  "n::f         50.0% 77.5% 0.0%\n"
                  "g            27.5% 27.5% 0.0%\n"
                  "<unprofiled> 20.0% 20.0% 0.0%\n"
                  "g             2.5%  2.5% 0.0%\n"
                  "<lost>        0.0%  0.0% 0.0%\n");
    assert_report(&(struct view_style){.raw = true, .thresh = 27}, true,
                  "2,000.00 seconds of CPU time (0.00 seconds GC)\n"
                  "function  cur     raw     stack    raw      GC    raw  \n"
                  "-------- ----- ---------- ----- ---------- ---- -------\n"
                  "f        50.0% (1000.00s) 77.5% (1550.00s) 0.0% (0.00s)\n"
                  "g        27.5%  (550.00s) 27.5%  (550.00s) 0.0% (0.00s)\n");
}
END_TEST

START_TEST(a_table_of_nothing)
{
    struct profile profile = {0};
    struct rows rows = {0};
    struct view view = {.profile = &profile, .rows = &rows};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    view_header(out, &view);
    report_print(out, &view);
    view.style.raw = true;
    profile.kind = CCPROF_KIND_TIME;
    profile.rate = 100;
    view_header(out, &view);
    report_print(out, &view);
    profile.clock = PROFILE_WALL;
    profile.stack = rows.stack = true;
    view_header(out, &view);
    report_print(out, &view);
    fclose(out);
    ck_assert_str_eq(text, "function cur\n-------- ---\n"
                           "0.00 seconds of CPU time (0.00 seconds GC)\n"
                           "function cur raw\n-------- --- ---\n"
                           "0.00 seconds on the clock (0.00 seconds GC)\n"
                           "function cur raw stack raw GC raw\n"
                           "-------- --- --- ----- --- -- ---\n");
    free(text);
}
END_TEST

START_TEST(ties_have_an_order)
{
    struct tables *tables[2];
    struct program program = make_program(tables);
    struct profile profile = {
        .kind = CCPROF_KIND_TIME, .rate = 100, .samples = 5, .lost = 1};
    struct rows rows;
    profile_add_module(&profile, "p", "aa");
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x2000, 1);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1000, 1);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1010, 1);
    profile_add(&profile, PROFILE_NO_NODE, 0, 0x1004, 1);
    rows_evaluate(&rows, &profile, &program, NULL, NULL, BRANCH_COMPILED);
    ck_assert_uint_eq(rows.count, 5);
    ck_assert_str_eq(rows.rows[0].source.name, "<lost>");
    ck_assert_str_eq(rows.rows[1].source.name, "<unprofiled>");
    ck_assert_str_eq(rows.rows[2].source.name, "g");
    ck_assert_str_eq(rows.rows[2].source.file, "a.c");
    ck_assert_uint_eq(rows.rows[2].source.line, 30);
    ck_assert_str_eq(rows.rows[3].source.name, "g");
    ck_assert_str_eq(rows.rows[3].source.file, "c");
    ck_assert_uint_eq(rows.rows[3].source.line, 20);
    ck_assert_str_eq(rows.rows[4].source.name, "n::f");
    rows_free(&rows);
    /* n::f was once below another function.  */
    profile.stack = true;
    rows_evaluate(&rows, &profile, &program, NULL, NULL, BRANCH_COMPILED);
    ck_assert_str_eq(rows.rows[0].source.name, "n::f");
    ck_assert_uint_eq(rows.rows[0].stack, 2);
    ck_assert_str_eq(rows.rows[1].source.name, "<lost>");
    ck_assert_str_eq(rows.rows[4].source.file, "c");
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables[0]);
}
END_TEST

/* Numbers by hand: 0.05 of 1600 samples, of which chance makes 1/40.  */
START_TEST(in_step)
{
    struct profile profile = {
        .engines = PROFILE_THREAD_TIMER, .samples = 1600, .waits = 80};
    ck_assert(balance_in_step(&profile) == 0);
    profile.waits = 88;
    ck_assert(balance_in_step(&profile) == 0.055);
    profile.engines = PROFILE_TASK_CLOCK;
    ck_assert(balance_in_step(&profile) == 0);
    profile.engines = PROFILE_TASK_CLOCK | PROFILE_WALL_TIMER;
    profile.waits = 8000;
    ck_assert(balance_in_step(&profile) == 1);
    /* A quarter of 16 samples is what chance makes.  */
    profile.samples = 16;
    profile.waits = 4;
    ck_assert(balance_in_step(&profile) == 0);
    profile.waits = 5;
    ck_assert(balance_in_step(&profile) == 0.3125);
    /* The waits of 1600 samples, of which most were moved.  */
    profile.samples = 10;
    profile.moved = 1590;
    profile.waits = 88;
    ck_assert(balance_in_step(&profile) == 0.055);
    profile.moved = -10;
    ck_assert(balance_in_step(&profile) == 0);
    profile.samples = 0;
    profile.moved = 0;
    ck_assert(balance_in_step(&profile) == 0);
}
END_TEST

static void assert_balance(const struct profile *profile, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    balance_print(out, profile, NULL);
    fclose(out);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(the_balance)
{
    struct profile profile = {0};
    assert_balance(&profile, "");
    profile = (struct profile){.kind = CCPROF_KIND_TIME,
                               .engines = PROFILE_TASK_CLOCK,
                               .clock = PROFILE_CPU,
                               .rate = 100,
                               .cpu = 4010000000,
                               .wall = 5000000000,
                               .samples = 399,
                               .lost = 2,
                               .threads = 1,
                               .waits = 4000};
    assert_balance(&profile,
                   "sampled 3.99 s of 4.01 s CPU time (99.5 %), engine task-clock at 100 "
                   "Hz, 1 thread\nunsampled 0.02 s, <lost> 0.02 s, skid not "
                   "corrected\n");
    profile.engines = PROFILE_PROCESS_TIMER;
    profile.samples = 402;
    profile.threads = 3;
    profile.waits = 101;
    assert_balance(
        &profile,
        "sampled 4.02 s of 4.01 s CPU time (100.2 %), engine process-timer at "
        "100 Hz, 3 threads\nunsampled 0.00 s, <lost> 0.02 s, skid not corrected\n"
        "warning: the program waited 0.25 times a sample: it may beat with the "
        "kernel's tick, by which the engine samples, and shares be wrong by up to "
        "25 points\n");
    profile.engines = PROFILE_TASK_CLOCK | PROFILE_WALL_TIMER;
    profile.clock = PROFILE_WALL;
    profile.waits = 804;
    assert_balance(
        &profile,
        "sampled 4.02 s on the clock, all threads together, in 5.00 s with 4.01 s "
        "CPU time, engine task-clock and wall-timer at 100 Hz, 3 threads\n"
        "<lost> 0.02 s, skid not corrected\n"
        "warning: the program waited 2.00 times a sample: it may beat with the "
        "clock, by which the engine samples, and shares be wrong by up to 100 "
        "points\n");
    /* 0.50 + 3.30 + 0.01 + 0.20 are 4.01.  */
    profile.engines = PROFILE_TASK_CLOCK;
    profile.clock = PROFILE_CPU;
    profile.samples = 70;
    profile.lost = 20;
    profile.moved = 330;
    assert_balance(&profile,
                   "sampled 0.70 s of 4.01 s CPU time (17.5 %), engine task-clock at 100 "
                   "Hz, 3 threads\nunsampled 0.01 s, in other files 3.30 s, <lost> 0.20 "
                   "s, skid not corrected\n");
    profile = (struct profile){.kind = CCPROF_KIND_TIME,
                               .engines = PROFILE_TASK_CLOCK,
                               .clock = PROFILE_CPU,
                               .rate = 100,
                               .samples = 330,
                               .moved = -330};
    assert_balance(
        &profile, "sampled 3.30 s, a part of what the program used, engine task-clock at "
                  "100 Hz\nunsampled 0.00 s, <lost> 0.00 s, skid not corrected\n");
    profile = (struct profile){.kind = CCPROF_KIND_TIME,
                               .engines = PROFILE_THREAD_TIMER,
                               .clock = PROFILE_CPU,
                               .rate = 100};
    assert_balance(&profile,
                   "sampled 0.00 s of 0.00 s CPU time, engine thread-timer at 100 "
                   "Hz, 0 threads\nunsampled 0.00 s, <lost> 0.00 s\n");
    /* A percentage needs a tenth of a second, and time for ten samples.  */
    profile.cpu = 99999999;
    profile.samples = 9;
    assert_balance(
        &profile, "sampled 0.09 s of 0.10 s CPU time, engine thread-timer at 100 "
                  "Hz, 0 threads\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n");
    profile.cpu = 100000000;
    assert_balance(
        &profile,
        "sampled 0.09 s of 0.10 s CPU time (90.0 %), engine thread-timer at 100 "
        "Hz, 0 threads\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n");
    profile.rate = 10;
    profile.samples = 0;
    assert_balance(&profile, "sampled 0.00 s of 0.10 s CPU time, engine thread-timer at "
                             "10 Hz, 0 threads\nunsampled 0.10 s, <lost> 0.00 s\n");
    profile.cpu = 1000000000;
    assert_balance(&profile,
                   "sampled 0.00 s of 1.00 s CPU time (0.0 %), engine thread-timer at 10 "
                   "Hz, 0 threads\nunsampled 1.00 s, <lost> 0.00 s\n");
}
END_TEST

static void assert_why(const struct profile *profile, const char *expected)
{
    char *text = nosamples_text(profile);
    if (expected)
        ck_assert_str_eq(text, expected);
    else
        ck_assert(text == NULL);
    free(text);
}

START_TEST(why_there_are_no_samples)
{
    struct profile profile = {.kind = CCPROF_KIND_COUNT, .rate = 100, .cpu = 3100000};
    assert_why(&(struct profile){0}, NULL);
    assert_why(&profile, NULL);
    profile.kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT;
    profile.clock = PROFILE_CPU;
    assert_why(&profile, "no samples: the program used 0.0031 s of CPU time, and one is "
                         "taken every 0.01 s; let it run longer, or sample more often: "
                         "CCPROF=rate=10000");
    /* Five were to be expected: chance; six: not.  */
    profile.rate = 10000;
    profile.cpu = 500000;
    assert_why(&profile, "no samples: the program used 0.0005 s of CPU time, and one is "
                         "taken every 0.0001 s; let it run longer");
    profile.cpu = 600000;
    assert_why(
        &profile,
        "no samples in 0.0006 s of CPU time: the signal SIGPROF was taken or "
        "blocked, by another profiler for example (gcc -pg), or sampling was never "
        "started (CCPROF=start=no)");
    profile.clock = PROFILE_WALL;
    profile.wall = 2000000000;
    assert_why(
        &profile,
        "no samples in 2 s of time: the signal SIGPROF was taken or "
        "blocked, by another profiler for example (gcc -pg), or sampling was never "
        "started (CCPROF=start=no)");
    profile.moved = 7;
    assert_why(&profile,
               "no samples: all of them are in the other files that the program "
               "has written; name these, too");
    profile.samples = 1;
    assert_why(&profile, NULL);
}
END_TEST

/* What is nothing has no percentage.  */
START_TEST(no_part_of_nothing)
{
    struct profile profile = {.kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT, .rate = 100};
    struct rows rows = {0};
    struct view view = {.profile = &profile, .rows = &rows};
    const struct rows_row row = {.counted = true, .calls = 7};
    char *cells[VIEW_COLUMNS];
    const char *heads[VIEW_COLUMNS];
    ck_assert_uint_eq(view_heads(&view, heads), 3);
    view_cells(&view, &row, cells);
    ck_assert_str_eq(cells[0], "-");
    ck_assert_str_eq(cells[1], "7");
    ck_assert_str_eq(cells[2], "-");
    for (size_t i = 0; i < 3; i++)
        free(cells[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");
    tcase_add_test(tests, layout_with_stacks);
    tcase_add_test(tests, layout_with_lines);
    tcase_add_test(tests, percentages);
    tcase_add_test(tests, rows_are_merged_late);
    tcase_add_test(tests, the_table);
    tcase_add_test(tests, the_table_with_everything);
    tcase_add_test(tests, the_table_with_stacks);
    tcase_add_test(tests, a_table_of_nothing);
    tcase_add_test(tests, ties_have_an_order);
    tcase_add_test(tests, in_step);
    tcase_add_test(tests, the_balance);
    tcase_add_test(tests, why_there_are_no_samples);
    tcase_add_test(tests, no_part_of_nothing);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
