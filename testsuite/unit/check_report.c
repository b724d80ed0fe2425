/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Rows of a profile, and the table of them. */

#define _GNU_SOURCE
#include "mlprof/view/rows-table.h"
#include "mlprof/view/view.h"
#include "testsuite/unit/made_rows.h"
#include "testsuite/unit/tests.h"

#define SECONDS "2,000.00 seconds of CPU time"

/* The intervals: 1.96 * sqrt(0.5 * 0.5 / 200000) is 0.22 %, the interval of 0.275 is 0.20
   %, that of 0.2 is 0.18 %. */
static struct rows_row made[] = {{.source = {.name = "n::f"}},
                                 {.source = {.name = "g"}},
                                 {.source = {.name = "<unprofiled>"}},
                                 {.source = {.name = "<lost>"}}};
static const uint64_t made_self[] = {100000, 55000, 39990, 10},
                      made_total[] = {155000, 55000, 39990, 10};

static const struct {
    struct view_style style;
    bool stack;
    const char *printed;
} reports[] = {
    {{.long_name = true, .order = VIEW_NAME, .top = 2},
     false,
     SECONDS "\n"
             " self  95% range  function\n"
             " 0.0%    0.0-0.0  <lost>\n"
             "20.0%  19.8-20.2  <unprofiled>\n"},
    {{.long_name = true, .order = VIEW_STACK, .thresh = 21},
     true,
     SECONDS "\n"
             " self  95% range  total  function\n"
             "50.0%  49.8-50.2  77.5%  n::f\n"
             "27.5%  27.3-27.7  27.5%  g\n"},
    {{.mlton = true, .raw = true, .long_name = true, .thresh = 27},
     true,
     SECONDS " (0.00 seconds GC)\n"
             "function  cur     raw     stack    raw      GC    raw  \n"
             "-------- ----- ---------- ----- ---------- ---- -------\n"
             "n::f     50.0% (1000.00s) 77.5% (1550.00s) 0.0% (0.00s)\n"
             "g        27.5%  (550.00s) 27.5%  (550.00s) 0.0% (0.00s)\n"},
};

TEST_ROWS(report, reports)
{
    struct profile profile = {
        .kind = CCPROF_KIND_TIME, .sampling.rate = 100, .sampling.samples = 200000};
    struct rows rows = {
        .rows = made, .count = LENGTH(made), .total = 200000, .stack = reports[_i].stack};
    struct view view = {.profile = &profile, .rows = &rows, .style = reports[_i].style};
    made_rows_measure(&rows, made_self, made_total);
    profile.sampling.stack = reports[_i].stack;
    FILE *out = print_begin();
    view_header(out, &view);
    rows_table_print(out, &view, NULL, NULL);
    print_end(out, reports[_i].printed);
    measured_free(rows.measured);
}

TEST(nothing_measured)
{
    struct profile profile = {.kind = CCPROF_KIND_REGION};
    struct rows rows = {0};
    struct view view = {.profile = &profile, .rows = &rows};
    FILE *out = print_begin();
    view_header(out, &view);
    print_end(out, "nothing was measured: the run took no samples and measured no "
                   "regions\n");
}
END_TEST

/* 60 and 40 of 100 are certainly different (check_statistics.c), but not if 20 of the 60
   may belong to the other function: Wilson's intervals of 40 and 60 are 30.9 to 49.8 and
   50.2 to 69.1. */
TEST(samples_that_may_be_anothers)
{
    struct rows_row both[] = {{.source = {.name = "f"}}, {.source = {.name = "g"}}};
    static const uint64_t self[] = {60, 40};
    struct profile profile = {
        .kind = CCPROF_KIND_TIME, .sampling.rate = 100, .sampling.samples = 100};
    struct rows rows = {.rows = both, .count = 2, .total = 100};
    struct view view = {.profile = &profile, .rows = &rows};
    FILE *out = print_begin();
    made_rows_measure(&rows, self, NULL);
    ck_assert(!rows_table_print(out, &view, NULL, NULL).marked);
    both[0].uncertainty.less = both[1].uncertainty.more = 20;
    ck_assert(rows_table_print(out, &view, NULL, NULL).marked);
    print_end(out, " self  95% range  function\n"
                   "60.0%  50.2-69.1  f\n"
                   "40.0%  30.9-49.8  g\n"
                   "  self  95% range  function\n"
                   " 60.0%  30.9-69.1  f\n"
                   "~40.0%  30.9-69.1  g\n");
    measured_free(rows.measured);
}

static void assert_order(const struct rows *rows, const char *expected)
{
    FILE *out = print_begin();
    for (size_t i = 0; i < rows->count; i++) {
        const struct identity_source *source = &rows->rows[i].source;
        fputs(source->name, out);
        if (source->file)
            fprintf(out, ":%s:%u", source->file, source->line);
        fputs(" ", out);
    }
    print_end(out, expected);
}

TEST(ties_have_an_order)
{
    struct rows_row ties[] = {{.source = {.name = "n::f", .file = "a.c", .line = 10}},
                              {.source = {.name = "g", .file = "c", .line = 20}},
                              {.source = {.name = "g", .file = "a.c", .line = 30}},
                              {.source = {.name = "g", .file = "a.c", .line = 4}},
                              {.source = {.name = "<lost>"}}};
    static const uint64_t self[] = {1, 1, 1, 1, 1}, total[] = {2, 1, 1, 1, 1};
    uint32_t numbers[] = {0, 1, 2, 3, 4};
    struct rows rows = {.rows = ties, .count = LENGTH(ties)};
    made_rows_measure(&rows, self, total);
    rows_sort(&rows, numbers);
    assert_order(&rows, "<lost> g:a.c:4 g:a.c:30 g:c:20 n::f:a.c:10 ");
    ck_assert_uint_eq(numbers[0], 4);
    /* n::f is first because it was once on the stack below another function. */
    rows.stack = true;
    rows_sort(&rows, numbers);
    assert_order(&rows, "n::f:a.c:10 <lost> g:a.c:4 g:a.c:30 g:c:20 ");
    measured_free(rows.measured);
}

/* A value of 0 has no percentage. */
TEST(no_part_of_nothing)
{
    struct profile profile = {.kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT,
                              .sampling.rate = 100};
    struct rows_row row = {.counted = true};
    struct rows rows = {.rows = &row, .count = 1};
    struct view view = {.profile = &profile, .rows = &rows, .style = {.mlton = true}};
    const char *const want[] = {"-", "7", "-"};
    struct table table;
    size_t count;
    made_rows_measure(&rows, (const uint64_t[]){0}, NULL);
    measured_amounts(rows.measured, measure_of_kinds(CCPROF_KIND_COUNT), MEASURED_SELF,
                     false)[0] = 7;
    rows_table_make(&table, &view, &rows, true);
    const struct table_column **shown = table_shown(&table, &count);
    ck_assert_uint_eq(count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_text(table_cell_at(&table, shown[i], &row), want[i]);
    free(shown);
    table_free(&table);
    measured_free(rows.measured);
}
