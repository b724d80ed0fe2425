/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Functions of two sides are matched, changes found, exponents fitted.  The expected
   numbers were computed apart, from the formulas of the papers.  */

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlprof/base/buf.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/growth.h"
#include "random.h"
#include "runner.h"

#define NEAR(got, want)                                                                  \
    ck_assert_double_eq_tol(got, want, 1e-9 * fmax(1, fabs((double)(want))))

static void add_function(struct side *side, const char *key, const char *file,
                         uint32_t line)
{
    side->functions = buf_grow(side->functions, &side->function_capacity,
                               side->function_count + 1, sizeof *side->functions);
    side->functions[side->function_count++] =
        (struct side_function){.key = buf_copy(key),
                               .file = file ? buf_copy(file) : NULL,
                               .shown = buf_copy(key),
                               .line = line};
}

/* A run of SAMPLES at 100 Hz, of the kind time, or of the kind count if there are none;
   with a count for each of COUNT functions.  */
static void add_run(struct side *side, uint64_t samples, const uint64_t *counts,
                    size_t count)
{
    enum side_measure measure = samples ? SIDE_TIME : SIDE_CALLS;
    struct side_run run = {.kind = samples ? CCPROF_KIND_TIME : CCPROF_KIND_COUNT,
                           .rate = samples ? 100 : 0,
                           .samples = samples,
                           .seconds = (double)samples / 100,
                           .count = count};
    run.values = buf_alloc((count + 1) * sizeof *run.values);
    for (size_t i = 0; i < count; i++) {
        run.values[i].of[measure] = counts[i];
        run.totals[measure] += counts[i];
    }
    if (samples)
        run.totals[SIDE_TIME] = samples;
    side->runs = buf_grow(side->runs, &side->run_capacity, side->run_count + 1,
                          sizeof *side->runs);
    side->runs[side->run_count++] = run;
}

/* The row of a match in which one side has the function NUMBER.  */
static size_t row_of(const struct match *match, size_t side, uint32_t number)
{
    for (size_t row = 0; row < match->count; row++)
        if (match->functions[row * match->sides + side] == number)
            return row;
    ck_abort_msg("no row has it");
    return 0;
}

static uint32_t other(const struct match *match, uint32_t number)
{
    return match->functions[row_of(match, 0, number) * match->sides + 1];
}

START_TEST(functions_are_matched)
{
    struct side before = {0}, after = {0};
    const struct side *const sides[] = {&before, &after};
    add_function(&before, "main", "m.c", 1);        /* 0 */
    add_function(&before, "twice", "a.c", 5);       /* 1 */
    add_function(&before, "twice", "b.c", 5);       /* 2 */
    add_function(&before, "moved", "old.c", 5);     /* 3 */
    add_function(&before, "gone", "m.c", 9);        /* 4 */
    add_function(&before, "many", "x.c", 1);        /* 5 */
    add_function(&before, "many", "y.c", 1);        /* 6 */
    add_function(&before, "nested", "m.c", 80);     /* 7 */
    add_function(&before, "nested", "m.c", 20);     /* 8 */
    add_function(&before, "<unprofiled>", NULL, 0); /* 9 */
    add_function(&after, "<unprofiled>", NULL, 0);  /* 0 */
    add_function(&after, "nested", "m.c", 30);      /* 1 */
    add_function(&after, "nested", "m.c", 90);      /* 2 */
    add_function(&after, "many", "z.c", 1);         /* 3 */
    add_function(&after, "fresh", "m.c", 9);        /* 4 */
    add_function(&after, "moved", "new/old.c", 7);  /* 5 */
    add_function(&after, "twice", "b.c", 50);       /* 6 */
    add_function(&after, "twice", "a.c", 70);       /* 7 */
    add_function(&after, "main", "m.c", 100);       /* 8 */
    struct match match;
    match_find(&match, sides, 2);
    static const uint32_t want[] = {8,          7,          6, 5, MATCH_NONE,
                                    MATCH_NONE, MATCH_NONE, 2, 1, 0};
    for (uint32_t i = 0; i < 10; i++)
        ck_assert_uint_eq(other(&match, i), want[i]);
    /* Those that are on one side: gone, many, many; many, fresh.  */
    ck_assert_uint_eq(match.count, 12);
    ck_assert_str_eq(match_function(&match, sides, row_of(&match, 0, 4))->key, "gone");
    ck_assert_uint_eq(match_function(&match, sides, row_of(&match, 0, 0))->line, 100);
    match_free(&match);
    side_free(&before);
    side_free(&after);
}
END_TEST

static void add_functions(struct side *side, const char *names)
{
    char text[2] = "";
    for (; *names; names++) {
        text[0] = *names;
        add_function(side, text, "m.c", 1);
    }
}

static const struct change *change_of(const struct changes *changes,
                                      const struct match *match, size_t side,
                                      uint32_t number)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->changes[i].row == row_of(match, side, number))
            return &changes->changes[i];
    return NULL;
}

START_TEST(one_run_a_side)
{
    struct side before = {0}, after = {0};
    const struct side *const sides[] = {&before, &after};
    add_functions(&before, "fgon");
    add_functions(&after, "fgwn");
    add_run(&before, 1000, (uint64_t[]){200, 500, 0, 0}, 4);
    add_run(&after, 1100, (uint64_t[]){300, 490, 3, 0}, 4);
    struct match match;
    struct changes changes;
    match_find(&match, sides, 2);
    changes_find(&changes, &match, sides, SIDE_TIME, false);

    /* Of nothing nothing is told.  */
    ck_assert_uint_eq(changes.count, 3);
    ck_assert_uint_eq(changes.tested, 2);
    ck_assert_uint_eq(changes.certain, 1);
    const struct change *f = &changes.changes[0];
    ck_assert_ptr_eq(f, change_of(&changes, &match, 0, 0));
    NEAR(f->before, 2);
    NEAR(f->after, 3);
    NEAR(f->share[0], 0.2);
    NEAR(f->share[1], 300.0 / 1100);
    /* Newcombe's interval and Fisher's test of 200 and 300 of 1,100 each; twice the
       chance, since the least of two.  */
    NEAR(f->interval.least, 0.6157022332892621);
    NEAR(f->interval.most, 1.3814948604570854);
    ck_assert_double_eq_tol(f->chance, 2 * 3.5067209234290463e-07, 1e-14);
    ck_assert(f->certain && f->tested && !f->exact);
    const struct change *g = change_of(&changes, &match, 0, 1);
    NEAR(g->after - g->before, -0.1);
    ck_assert_double_eq_tol(g->chance, 0.668547364192833, 1e-9);
    ck_assert(!g->certain);
    /* Three samples cannot be certain: one of eight times they are all on one side.  */
    const struct change *w = change_of(&changes, &match, 1, 2);
    ck_assert(!w->tested && !w->certain && !w->exists[0] && w->exists[1]);
    ck_assert(changes.all.exact);
    changes_free(&changes);

    changes_find(&changes, &match, sides, SIDE_TIME, true);
    f = change_of(&changes, &match, 0, 0);
    NEAR(f->before, 0.2);
    NEAR(f->after, 300.0 / 1100);
    NEAR(f->interval.least, 0.036371677021915565);
    NEAR(f->interval.most, 0.10865965254132243);
    changes_free(&changes);
    match_free(&match);
    side_free(&before);
    side_free(&after);
}
END_TEST

/* 2.0 2.1 1.9 s before, 2.5 2.6 2.4 s after: t = 6.124 with 4 degrees of freedom, 0.0036;
   of 20 s in all samples alone are less uncertain.  */
START_TEST(several_runs)
{
    struct side before = {0}, after = {0};
    const struct side *const sides[] = {&before, &after};
    add_functions(&before, "f");
    add_functions(&after, "f");
    static const uint64_t counts[] = {2000, 2100, 1900, 2500, 2600, 2400};
    for (size_t i = 0; i < 6; i++)
        add_run(i < 3 ? &before : &after, 200000, &counts[i], 1);
    struct match match;
    struct changes changes;
    match_find(&match, sides, 2);
    changes_find(&changes, &match, sides, SIDE_TIME, false);
    const struct change *f = &changes.changes[0];
    NEAR(f->before, 20);
    NEAR(f->after, 25);
    ck_assert_double_eq_tol(f->interval.least, 5 - 2.2669579353660216, 1e-7);
    ck_assert_double_eq_tol(f->interval.most, 5 + 2.2669579353660216, 1e-7);
    NEAR(f->chance, 0.0036022326091039725);
    ck_assert(f->certain);
    changes_free(&changes);

    /* The same of counts, and of those that do not differ from run to run.  */
    for (size_t i = 0; i < 3; i++) {
        before.runs[i].kind = after.runs[i].kind = CCPROF_KIND_COUNT;
        before.runs[i].values[0].of[SIDE_CALLS] = counts[i];
        after.runs[i].values[0].of[SIDE_CALLS] = counts[i + 3];
    }
    changes_find(&changes, &match, sides, SIDE_CALLS, false);
    f = &changes.changes[0];
    NEAR(f->before, 2000);
    NEAR(f->chance, 0.0036022326091039725);
    ck_assert(f->tested && !f->exact);
    changes_free(&changes);
    /* One run is as far from the truth as the others are: t = 500 / (100 sqrt(4 / 3))
       with 2 degrees of freedom, 1 - t / sqrt(2 + t^2).  */
    after.run_count = 1;
    changes_find(&changes, &match, sides, SIDE_CALLS, false);
    NEAR(changes.changes[0].chance, 1 - 1 / sqrt(1 + 2 / 18.75));
    changes_free(&changes);
    after.run_count = 3;
    for (size_t i = 0; i < 3; i++) {
        before.runs[i].values[0].of[SIDE_CALLS] = 7;
        after.runs[i].values[0].of[SIDE_CALLS] = 8;
    }
    changes_find(&changes, &match, sides, SIDE_CALLS, false);
    f = &changes.changes[0];
    ck_assert(f->exact && f->certain);
    NEAR(f->interval.least, 1);
    NEAR(f->interval.most, 1);
    changes_free(&changes);
    match_free(&match);
    side_free(&before);
    side_free(&after);
}
END_TEST

START_TEST(counts_are_exact)
{
    struct side before = {0}, after = {0};
    const struct side *const sides[] = {&before, &after};
    add_functions(&before, "efg");
    add_functions(&after, "efh");
    add_run(&before, 0, (uint64_t[]){5, 1000000, 7}, 3);
    add_run(&after, 0, (uint64_t[]){5, 1000001, 1}, 3);
    struct match match;
    struct changes changes;
    match_find(&match, sides, 2);
    changes_find(&changes, &match, sides, SIDE_CALLS, false);
    ck_assert_uint_eq(changes.equal, 1);
    ck_assert_uint_eq(changes.count, 4);
    ck_assert_uint_eq(changes.certain, 3);
    ck_assert_uint_eq(changes.tested, 0);
    ck_assert_ptr_eq(change_of(&changes, &match, 0, 2), &changes.changes[0]);
    const struct change *f = change_of(&changes, &match, 0, 1);
    ck_assert(f->exact && f->certain);
    NEAR(f->after - f->before, 1);
    ck_assert(!change_of(&changes, &match, 1, 2)->exists[0]);
    NEAR(changes.all.before, 1000012);
    NEAR(changes.all.after, 1000007);
    changes_free(&changes);
    match_free(&match);
    side_free(&before);
    side_free(&after);
}
END_TEST

#define FUNCTIONS 8

/* Adds a run of SAMPLES balls from an urn with so many of each function; SHIFT of a
   hundred samples belong to the first one or, if it is negative, to the last one
   beforehand.  */
static void add_drawn_run(struct side *side, uint64_t samples, const unsigned *urn,
                          int shift)
{
    uint64_t counts[FUNCTIONS] = {0};
    unsigned all = 0;
    for (size_t i = 0; i < FUNCTIONS; i++)
        all += urn[i];
    for (uint64_t n = 0; n < samples; n++) {
        uint64_t ball = random_below(all);
        size_t function = 0;
        while (ball >= urn[function])
            ball -= urn[function++];
        if (shift && random_below(100) < (uint64_t)abs(shift))
            function = shift > 0 ? 0 : FUNCTIONS - 1;
        counts[function]++;
    }
    add_run(side, samples, counts, FUNCTIONS);
}

struct drawn {
    size_t rows, certain; /* of all pairs */
    size_t any;           /* pairs with a certain row */
    size_t found;         /* pairs in which the last function is certain */
};

/* Compares PAIRS of RUNS a side with balls of the two urns; runs of a side differ by up
   to UNEVEN of a hundred samples.  */
static struct drawn draw(size_t pairs, size_t runs, const unsigned *before_urn,
                         const unsigned *after_urn, uint64_t after_samples,
                         unsigned uneven)
{
    struct drawn drawn = {0};
    for (size_t n = 0; n < pairs; n++) {
        struct side before = {0}, after = {0};
        const struct side *const sides[] = {&before, &after};
        struct match match;
        struct changes changes;
        add_functions(&before, "abcdefgh");
        add_functions(&after, "abcdefgh");
        for (size_t i = 0; i < 2 * runs; i++) {
            int shift = uneven ? (int)random_below(2 * uneven + 1) - (int)uneven : 0;
            add_drawn_run(i < runs ? &before : &after, i < runs ? 1000 : after_samples,
                          i < runs ? before_urn : after_urn, shift);
        }
        match_find(&match, sides, 2);
        changes_find(&changes, &match, sides, SIDE_TIME, false);
        drawn.rows += changes.count;
        drawn.certain += changes.certain;
        drawn.any += changes.certain > 0;
        const struct change *last = change_of(&changes, &match, 0, FUNCTIONS - 1);
        drawn.found += last && last->certain;
        changes_free(&changes);
        match_free(&match);
        side_free(&before);
        side_free(&after);
    }
    return drawn;
}

/* Of equal builds at most 5 of 100 rows are called different; even at most 5 of 100 pairs
   have such a row, plus three standard deviations of so many pairs.  */
START_TEST(equal_sides)
{
    static const unsigned urn[FUNCTIONS] = {300, 200, 150, 100, 100, 100, 45, 5};
    struct drawn one = draw(1000, 1, urn, urn, 1000, 0);
    ck_assert_uint_le(20 * one.certain, one.rows);
    ck_assert_uint_le(one.any, 50 + 21);
    /* What is only as certain as samples are would be wrong here in most pairs.  */
    struct drawn five = draw(300, 5, urn, urn, 1000, 10);
    ck_assert_uint_le(20 * five.certain, five.rows);
    ck_assert_uint_le(five.any, 15 + 12);
}
END_TEST

/* A twentieth of all more in a function that had a twentieth: found by 1,000 samples a
   side, 10 s, in nine of ten pairs; by ten runs of them always.  */
START_TEST(planted_slowdown)
{
    static const unsigned before[FUNCTIONS] = {300, 200, 150, 100, 100, 50, 50, 50};
    static const unsigned after[FUNCTIONS] = {300, 200, 150, 100, 100, 50, 50, 100};
    struct drawn one = draw(200, 1, before, after, 1050, 0);
    ck_assert_uint_ge(one.found, 180);
    struct drawn ten = draw(20, 10, before, after, 1050, 0);
    ck_assert_uint_eq(ten.found, 20);
}
END_TEST

START_TEST(exponents)
{
    /* A power is found exactly.  */
    struct growth_fit fit = growth_fit(
        (struct growth_point[]){{10, 300, 0}, {20, 1200, 0}, {40, 4800, 0}}, 3);
    NEAR(fit.exponent, 2);
    NEAR(fit.last, 2);
    ck_assert_double_lt(fit.error, 1e-6);
    /* n log2 n of 8, 16, 32, by hand with x in powers of two and y = log2: -1 0 1, and
       log2(24, 64, 160) = 4.58496 6 7.32193: the slope is 1.368483, what is left
       -.015669 .031037 -.015669 of their mean, s^2 of it .0014545 in one degree.  */
    fit = growth_fit((struct growth_point[]){{8, 24, 0}, {16, 64, 0}, {32, 160, 0}}, 3);
    ck_assert_double_eq_tol(fit.exponent, (log2(160) - log2(24)) / 2, 1e-12);
    double bend = log2(24) - 2 * 6 + log2(160);
    ck_assert_double_eq_tol(fit.error, 12.706204736 * fabs(bend) / sqrt(6) / sqrt(2),
                            1e-6);
    ck_assert_double_eq_tol(fit.last, log2(160) - 6, 1e-12);
    /* Two points say nothing of the error; one, or one size, nothing at all.  */
    fit = growth_fit((struct growth_point[]){{10, 5, 0}, {20, 0, 0}, {40, 5, 0}}, 3);
    ck_assert_uint_eq(fit.points, 2);
    ck_assert_double_eq_tol(fit.exponent, 0, 1e-12);
    ck_assert(isnan(fit.error));
    fit = growth_fit((struct growth_point[]){{10, 5, 0}, {20, 0, 0}}, 2);
    ck_assert(isnan(fit.exponent) && isnan(fit.error));
    fit = growth_fit((struct growth_point[]){{10, 5, 0}, {10, 6, 0}}, 2);
    ck_assert(isnan(fit.exponent));
    /* Logarithms known to +-0.1 at n and 2n: sqrt(2) 0.1 / ln 2.  */
    fit = growth_fit((struct growth_point[]){{10, 5, 0.01}, {20, 10, 0.01}}, 2);
    NEAR(fit.exponent, 1);
    ck_assert_double_eq_tol(fit.error, 1.959963985 * sqrt(2) * 0.1 / log(2), 1e-6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("change");
    TCase *tests = tcase_create("change");
    tcase_add_test(tests, functions_are_matched);
    tcase_add_test(tests, one_run_a_side);
    tcase_add_test(tests, several_runs);
    tcase_add_test(tests, counts_are_exact);
    tcase_add_test(tests, equal_sides);
    tcase_add_test(tests, planted_slowdown);
    tcase_add_test(tests, exponents);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
