/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lmd -lz -lm */
/* Matches functions of two sides, finds changes and fits exponents. The expected numbers
   were computed separately from the formulas of the papers. */

#include "mlprof/base/statistics.h"
#include "mlprof/compare/growth.h"
#include "testsuite/unit/sides.h"

#include <math.h>

#define NEAR(got, want)                                                                  \
    ck_assert_double_eq_tol(got, want, 1e-9 * fmax(1, fabs((double)(want))))

/* Functions of both sides. The result lists, for each function before, the number of the
   matching function after, and then the number of rows. A row may be on one side only. */
static const struct {
    const char *before, *after, *others;
} matches[] = {
    {"main@m.c:1 twice@a.c:5 twice@b.c:5 moved@old.c:5 gone@m.c:9 many@x.c:1 many@y.c:1 "
     "nested@m.c:80 nested@m.c:20 <unprofiled>",
     "<unprofiled> nested@m.c:30 nested@m.c:90 many@z.c:1 fresh@m.c:9 moved@new/old.c:7 "
     "twice@b.c:50 twice@a.c:70 main@m.c:100",
     "8 7 6 5 - - - 2 1 0 of 12"},
    /* Sites match by key and by their distance in the function. The remaining sites match
       by key if each side has one. */
    {"two@11@a.c:1 two@13@a.c:3 one@22@a.c:2 less@31@a.c:1 less@32@a.c:2",
     "less@44@a.c:4 one@35@a.c:5 two@23@a.c:3 two@21@a.c:1", "3 2 1 - - of 6"},
    /* Two checkouts. Paths are compared below the roots. The roots may have any depth and
       contain a version in several places. The longest common end of paths decides. */
    {"state@/w/gawk-slow/support/dfa.c:3 state@/w/gawk-slow/re.c:3",
     "state@/w/gawk/re.c:9 state@/w/gawk/support/dfa.c:2", "1 0 of 2"},
    {"f@/w/foo-1.2/a/util.c:3 f@/w/foo-1.2/b/util.c:3 f@/w/foo-1.2/m.c:3",
     "f@/v/x/foo-1.3/m.c:1 f@/v/x/foo-1.3/b/util.c:2 f@/v/x/foo-1.3/a/util.c:9",
     "2 1 0 of 3"},
    {"f@/w/l-1/l-1/u.c:3 f@/w/l-1/u.c:3 g@/w/l-1/l-1/u.c:9",
     "f@/w/l-2/u.c:1 f@/w/l-2/l-2/u.c:2 g@/w/l-2/v.c:9", "- - 2 of 5"},
    {"f@p/src/src/u.c:3 f@p/src/u.c:3", "f@q/src/u.c:1 f@q/src/src/u.c:2", "1 0 of 2"},
    {"f@../src/u.c:3 f@../src/a/u.c:3", "f@/q/src/a/u.c:1 f@/q/src/u.c:2", "1 0 of 2"},
    /* A folder of one side never matches two folders of the other side. A path that
       exists on both sides matches itself. */
    {"f@/w/p/a/u.c:3 f@/w/p/b/u.c:3", "f@/w/q/b/u.c:1 f@/w/q/c/u.c:2 f@/w/q/d/u.c:3",
     "- 0 of 4"},
    {"f@/w/u.c:3 f@/a/w/u.c:3", "f@/b/w/u.c:3 f@/w/u.c:3", "1 0 of 2"},
};

TEST_ROWS(functions_are_matched, matches)
{
    add_functions(before, matches[_i].before);
    add_functions(after, matches[_i].after);
    match_find(&match, sides, 2);
    FILE *out = print_begin();
    for (uint32_t i = 0; i < before->functions.count; i++)
        for (size_t row = 0; row < match.count; row++) {
            uint32_t other = match.functions[row * 2 + 1];
            const struct runset_function *shown = match_function(&match, sides, row);
            if (match.functions[row * 2] != i)
                continue;
            fprintf(out, other == MATCH_NONE ? "- " : "%" PRIu32 " ", other);
            ck_assert_ptr_eq(shown, other == MATCH_NONE ? &before->functions.list[i]
                                                        : &after->functions.list[other]);
        }
    fprintf(out, "of %zu", match.count);
    print_end(out, matches[_i].others);
}

TEST(one_run_a_side)
{
    add_functions(before, "f g o n");
    add_functions(after, "f g w n");
    ADD_RUN(before, 1000, 200, 500, 0, 0);
    ADD_RUN(after, 1100, 300, 490, 3, 0);
    compare(own_of(CCPROF_KIND_TIME), false);

    /* Without values there is no result. */
    ck_assert_uint_eq(changes.count, 3);
    ck_assert_uint_eq(changes.tested, 2);
    ck_assert_uint_eq(changes.certain, 1);
    const struct change *f = &changes.changes[0];
    ck_assert_ptr_eq(f, change_of(0, 0));
    NEAR(f->before, 2);
    NEAR(f->after, 3);
    NEAR(f->share[0], 0.2);
    NEAR(f->share[1], 300.0 / 1100);
    /* Newcombe's interval and Fisher's test for 200 and 300 of 110,000 each, in a single
       row. */
    NEAR(f->verdict.interval.least, 0.5632772765362264);
    NEAR(f->verdict.interval.most, 1.4420657987010492);
    ck_assert_double_eq_tol(f->verdict.chance, 7.222355397868952e-06, 1e-13);
    ck_assert(f->verdict.certain && f->verdict.tested && !f->exact);
    const struct change *g = change_of(0, 1);
    NEAR(g->after - g->before, -0.1);
    ck_assert_double_eq_tol(g->verdict.chance, 0.750217171851119, 1e-9);
    ck_assert(!g->verdict.certain);
    /* Three samples cannot give a certain result: by chance they are all on one side in
       one of eight cases. */
    const struct change *w = change_of(1, 2);
    ck_assert(!w->verdict.tested && !w->verdict.certain && !w->exists[0] && w->exists[1]);
    ck_assert(changes.all.exact);

    compare(own_of(CCPROF_KIND_TIME), true);
    f = change_of(0, 0);
    NEAR(f->before, 0.2);
    NEAR(f->after, 300.0 / 1100);
    NEAR(f->verdict.interval.least, 0.036371677021915565);
    NEAR(f->verdict.interval.most, 0.10865965254132243);
}

/* If each side has one run, the change of a function that has all samples is never
   certain. With two runs on each side it is. */
TEST(one_function_alone)
{
    add_functions(before, "f");
    add_functions(after, "f");
    ADD_RUN(before, 4000, 4000);
    ADD_RUN(after, 4150, 4150);
    compare(own_of(CCPROF_KIND_TIME), false);
    ck_assert_uint_eq(changes.certain, 0);
    ck_assert_uint_eq(changes.tested, 1);
    ADD_RUN(before, 4001, 4001);
    ADD_RUN(after, 4149, 4149);
    compare(own_of(CCPROF_KIND_TIME), false);
    ck_assert_uint_eq(changes.certain, 1);
}

/* On a slower machine, the certain changes are explained by one factor, and shares have
   not changed. The change of a single function does not explain other changes. */
TEST(common_factor)
{
    add_functions(before, "a b c d e");
    add_functions(after, "a b c d e");
    ADD_RUN(before, 20000, 8000, 5000, 3500, 2500, 1000);
    ADD_RUN(after, 22000, 8790, 5510, 3860, 2740, 1100);
    compare(own_of(CCPROF_KIND_TIME), true);
    ck_assert_uint_eq(changes.certain, 0);
    ck_assert(!(changes_common_factor(&changes) > 0));
    compare(own_of(CCPROF_KIND_TIME), false);
    ck_assert_uint_ge(changes.certain, 3);
    NEAR(changes_common_factor(&changes), 1.1);
}

TEST(no_common_factor)
{
    add_functions(before, "a b c d e");
    add_functions(after, "a b c d e");
    ADD_RUN(before, 20000, 8000, 5000, 3500, 2500, 1000);
    ADD_RUN(after, 22000, 10000, 5010, 3490, 2505, 995);
    compare(own_of(CCPROF_KIND_TIME), false);
    ck_assert_uint_eq(changes.certain, 1);
    ck_assert(!(changes_common_factor(&changes) > 0));
}

/* Sets the calls of the only function in each run. */
static void set_calls(uint64_t first, uint64_t second, size_t times)
{
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < times; i++) {
            struct runset_run *run = &sides_of[s].runs.list[i];
            run->kind = CCPROF_KIND_COUNT;
            run->columns[0].measure = own_of(CCPROF_KIND_COUNT);
            run->columns[0].values[0] = s ? second : first;
        }
}

/* 20 21 19 s before, 25 26 24 s after: the variance of the difference is 2 / 3, with 4
   degrees of freedom. The known sampling error is 3 (1980 + 2468.75) / 10^4 / 9 of it.
   The remainder is uncertain. */
TEST(several_runs)
{
    static const uint64_t counts[] = {2000, 2100, 1900, 2500, 2600, 2400};
    add_functions(before, "f");
    add_functions(after, "f");
    for (size_t i = 0; i < 6; i++)
        add_run(i < 3 ? before : after, 200000, &counts[i], 1);
    compare(own_of(CCPROF_KIND_TIME), false);
    const struct change *f = &changes.changes[0];
    NEAR(f->before, 20);
    NEAR(f->after, 25);
    double all = 2.0 / 3, known = 3 * (1980 + 2468.75) / 1e4 / 9;
    double freedom = 4 * all * all / (all - known) / (all - known);
    double spread = student_bound(freedom) * sqrt(all);
    ck_assert_double_eq_tol(spread, 1.9537, 0.0002);
    ck_assert_double_eq_tol(f->verdict.interval.least, 5 - spread, 1e-7);
    ck_assert_double_eq_tol(f->verdict.interval.most, 5 + spread, 1e-7);
    NEAR(f->verdict.chance, student_beyond(5 / sqrt(all), freedom));
    ck_assert(f->verdict.certain);

    /* The same with counts, and with counts that are equal in all runs of a side. */
    set_calls(0, 0, 3);
    for (size_t i = 0; i < 6; i++)
        sides_of[i / 3].runs.list[i % 3].columns[0].values[0] = counts[i];
    compare(own_of(CCPROF_KIND_COUNT), false);
    f = &changes.changes[0];
    NEAR(f->before, 2000);
    NEAR(f->verdict.chance, 0.0036022326091039725);
    ck_assert(f->verdict.tested && !f->exact);
    /* A single run is assumed to vary as much as the runs of the other side: t = 500 /
       (100 sqrt(4 / 3)) with 2 degrees of freedom, 1 - t / sqrt(2 + t^2). */
    after->runs.count = 1;
    compare(own_of(CCPROF_KIND_COUNT), false);
    NEAR(changes.changes[0].verdict.chance, 1 - 1 / sqrt(1 + 2 / 18.75));
    after->runs.count = 3;
    set_calls(7, 8, 3);
    compare(own_of(CCPROF_KIND_COUNT), false);
    f = &changes.changes[0];
    ck_assert(f->exact && f->verdict.certain);
    NEAR(f->verdict.interval.least, 1);
    NEAR(f->verdict.interval.most, 1);
}

static struct runset_measure bytes_of_heap, blocks_of_heap = {.part = RUNSET_BLOCKS};

/* Adds a run with estimated bytes: 160 with the interval from 130 to 200, and 40 with 0
   to 60. The interval of a function without samples is 0 to 50. */
static void add_estimates(struct runset *side, uint64_t first, uint64_t second)
{
    static const struct statistics_interval bytes[] = {{130, 200}, {0, 60}},
                                            number[] = {{4, 9}, {6, 9}};
    const struct runset_measure of[] = {bytes_of_heap, blocks_of_heap};
    struct runset_run *run = ADD_RUN(side, 0, 0, 0);
    run->kind = CCPROF_KIND_ALLOC;
    run->estimated = true;
    for (size_t i = 0; i < 2; i++) {
        struct runset_column *column = runset_add_column(run, of[i]);
        column->intervals = buf_alloc(sizeof bytes);
        memcpy(column->intervals, i ? number : bytes, sizeof bytes);
        column->none = (struct statistics_interval){0, i ? INFINITY : 50};
        column->all = (struct statistics_interval){150, 250};
        column->values[0] = i ? 5 : first;
        column->values[1] = i ? 7 : second;
        column->total = first + second;
    }
}

static void check_change(const struct change *change, double value, double below,
                         double above, bool certain)
{
    ck_assert_msg(!change->exact && change->verdict.tested, "not tested");
    NEAR(change_difference(change), value);
    NEAR(change_least(change), floor(value - below));
    NEAR(change_most(change), ceil(value + above));
    NEAR(change->verdict.chance,
         erfc(1.959963984540054 * fabs(value) / (value > 0 ? below : above) / M_SQRT2));
    ck_assert(change->verdict.certain == certain);
}

/* The distance of each end of a difference from the value follows from the ends of both
   sides. Computed by hand. */
TEST(estimates)
{
    bytes_of_heap.base = blocks_of_heap.base = measure_of_heap(HEAPDATA_LIVE);
    add_functions(before, "seen@a.c:1 other@a.c:2");
    add_functions(after, "grown@a.c:3 other@a.c:2 seen@a.c:1");
    add_estimates(before, 160, 40);
    add_estimates(after, 160, 40);
    /* A second equal run halves the variance. */
    add_estimates(after, 160, 40);
    compare(bytes_of_heap, false);
    ck_assert(changes.estimated && !changes.sampled);
    ck_assert_uint_eq(changes.count, 3);
    /* Sampled only after; before and after; only before. */
    check_change(change_of(1, 0), 160, 30 / M_SQRT2, 40 / M_SQRT2, true);
    check_change(change_of(0, 1), 0, hypot(40 / M_SQRT2, 20), hypot(20 / M_SQRT2, 40),
                 false);
    check_change(change_of(0, 0), -160, 40, hypot(30, 50 / M_SQRT2), true);
    check_change(&changes.all, 0, hypot(50 / M_SQRT2, 50), hypot(50 / M_SQRT2, 50),
                 false);
    /* The number of blocks without samples has no upper bound. */
    compare(blocks_of_heap, false);
    ck_assert_uint_eq(changes.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct change *change = &changes.changes[i];
        bool gone = change == change_of(0, 0);
        ck_assert(!change->exact && change->verdict.tested != gone);
        ck_assert(isinf(change_most(change)) == gone && !isinf(change_least(change)));
    }
    const struct growth_input input = {.sides = sides,
                                       .sizes = (double[]){10, 20},
                                       .count = 2,
                                       .measure = bytes_of_heap};
    struct growth growth;
    growth_find(&growth, &input);
    for (size_t i = 0; i < growth.count; i++)
        if (strcmp(growth.rows[i].function->key, "other") == 0) {
            double half = 30 / 1.959963984540054 / 40;
            NEAR(growth.rows[i].points[0].variance, half * half);
            NEAR(growth.rows[i].points[1].variance, half * half / 2);
        }
    growth_free(&growth);
}

TEST(exponents)
{
    /* A power is found exactly. */
    struct growth_fit fit = growth_fit(
        (struct growth_point[]){{10, 300, 0}, {20, 1200, 0}, {40, 4800, 0}}, 3);
    NEAR(fit.exponent, 2);
    NEAR(fit.last, 2);
    ck_assert_double_lt(fit.error, 1e-6);
    /* n log2 n of 8, 16, 32, by hand with x in powers of two and y = log2: -1 0 1, and
       log2(24, 64, 160) = 4.58496 6 7.32193. The slope is 1.368483, the residuals are
       -.015669 .031037 -.015669 of the mean, their s^2 is .0014545 with one degree of
       freedom. */
    fit = growth_fit((struct growth_point[]){{8, 24, 0}, {16, 64, 0}, {32, 160, 0}}, 3);
    ck_assert_double_eq_tol(fit.exponent, (log2(160) - log2(24)) / 2, 1e-12);
    double bend = log2(24) - 2 * 6 + log2(160);
    ck_assert_double_eq_tol(fit.error, 12.706204736 * fabs(bend) / sqrt(6) / sqrt(2),
                            1e-6);
    ck_assert_double_eq_tol(fit.last, log2(160) - 6, 1e-12);
    /* Two points give no error. One point, or several points of one size, give no
       result. */
    fit = growth_fit((struct growth_point[]){{10, 5, 0}, {20, 0, 0}, {40, 5, 0}}, 3);
    ck_assert_uint_eq(fit.points, 2);
    ck_assert_double_eq_tol(fit.exponent, 0, 1e-12);
    ck_assert(isnan(fit.error));
    fit = growth_fit((struct growth_point[]){{10, 5, 0}, {20, 0, 0}}, 2);
    ck_assert(isnan(fit.exponent) && isnan(fit.error));
    fit = growth_fit((struct growth_point[]){{10, 5, 0}, {10, 6, 0}}, 2);
    ck_assert(isnan(fit.exponent));
    /* Logarithms known to +-0.1 at n and 2n: sqrt(2) 0.1 / ln 2. */
    fit = growth_fit((struct growth_point[]){{10, 5, 0.01}, {20, 10, 0.01}}, 2);
    NEAR(fit.exponent, 1);
    ck_assert_double_eq_tol(fit.error, 1.959963985 * sqrt(2) * 0.1 / log(2), 1e-6);
}
