/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Student's distribution, Welch's degrees of freedom, common variances, and families of
   findings. The expected values are from printed tables or computed by hand. */

#include <math.h>

#include "mlprof/base/statistics.h"
#include "testsuite/unit/tests.h"

#define NEAR(got, want, by) ck_assert_double_eq_tol(got, want, by)

/* Student's table: t that is exceeded in 5 of 100 cases, by degrees of freedom. */
static const struct {
    double freedom, bound;
} bounds[] = {{1, 12.706205}, {3, 3.182446}, {18, 2.100922}, {INFINITY, 1.959964}};

TEST_ROWS(bounds_are_those_of_the_table, bounds)
{
    NEAR(student_bound(bounds[_i].freedom), bounds[_i].bound, 1e-6);
    NEAR(student_beyond(bounds[_i].bound, bounds[_i].freedom), 0.05, 1e-6);
    NEAR(student_beyond(-bounds[_i].bound, bounds[_i].freedom), 0.05, 1e-6);
}

/* With one degree of freedom it is Cauchy's distribution, with two degrees 1 - t / sqrt(2
   + t^2). */
TEST(few_degrees_have_formulas)
{
    static const double ts[] = {0, 0.3, 5, 1e6};
    for (size_t i = 0; i < LENGTH(ts); i++) {
        double t = ts[i], one = 1 - 2 * atan(t) / M_PI, two = 1 - t / sqrt(2 + t * t);
        NEAR(student_beyond(t, 1), one, 1e-12);
        NEAR(student_beyond(t, 2), two, 1e-12);
    }
    /* For large t: 2 / (pi t). */
    NEAR(student_beyond(1e12, 1) * 1e12, 2 / M_PI, 1e-6);
    NEAR(student_beyond(INFINITY, 3), 0, 1e-300);
    /* Many degrees are equivalent to infinitely many. */
    NEAR(student_beyond(3, 2e6), 0.0026997960632601866, 1e-12);
    NEAR(student_beyond(3, 9e5), 0.0026997960632601866, 1e-6);
}

/* Variances computed by hand: 0.172 / 4 for 5.1 4.9 4.7 4.6 5.0; 0.12667 / 2 for 3.5 3.0
   3.2, whose mean is 9.7 / 3. */
TEST(welch)
{
    static const double one[] = {5.1, 4.9, 4.7, 4.6, 5.0}, other[] = {3.5, 3.0, 3.2};
    struct student_mean a = student_mean(one, 5), b = student_mean(other, 3);
    NEAR(a.mean, 4.86, 1e-12);
    NEAR(a.variance, 0.043 / 5, 1e-12);
    NEAR(a.freedom, 4, 1e-300);
    NEAR(b.mean, 9.7 / 3, 1e-12);
    NEAR(b.variance, 0.38 / 3 / 2 / 3, 1e-9);
    /* Computed by hand: (A + B)^2 / (A^2 / 4 + B^2 / 2). */
    double v = 0.0086, w = b.variance;
    NEAR(student_freedom(&a, &b), (v + w) * (v + w) / (v * v / 4 + w * w / 2), 1e-9);
    /* A known variance costs no degree of freedom. */
    b.freedom = INFINITY;
    NEAR(student_freedom(&a, &b), (v + w) * (v + w) * 4 / (v * v), 1e-9);
    a.freedom = INFINITY;
    ck_assert(isinf(student_freedom(&a, &b)));
    a = student_mean(one, 1);
    NEAR(a.variance, 0, 1e-300);
    NEAR(a.freedom, 0, 1e-300);
}

/* Computed by hand: 5 times the smallest, 4 times the next one. 3 times 0.012 is less
   than the previous result, so it gets that result. */
TEST(family)
{
    double p[] = {0.5, 0.001, 0.012, 0.01, 0.7};
    student_family(p, 5);
    NEAR(p[1], 0.005, 1e-12);
    NEAR(p[3], 0.04, 1e-12);
    NEAR(p[2], 0.04, 1e-12);
    NEAR(p[0], 1, 1e-12);
    NEAR(p[4], 1, 1e-12);
    student_family(p, 0);
}

TEST(common_variance)
{
    double ratios[] = {7, 7, 7};
    /* Three equal ratios have half of the total freedom. By Wilson and Hilferty the
       median is (8 / 9)^3 of the mean with 2 degrees. */
    struct student_common common = student_common(ratios, 3, 2);
    NEAR(common.ratio, 7 * 729.0 / 512, 1e-12);
    NEAR(common.freedom, 3, 1e-12);
    /* Logarithms that vary by the trigamma of 1, pi^2 / 6, plus that of 1 / 2, pi^2 / 2:
       the common freedom is 1. */
    double away = sqrt(M_PI * M_PI / 6 + M_PI * M_PI / 2);
    ratios[0] = 5 * exp(away);
    ratios[1] = 5 * exp(-away);
    ratios[2] = 5;
    common = student_common(ratios, 3, 2);
    NEAR(common.ratio, 5 * 729.0 / 512, 1e-12);
    NEAR(common.freedom, 1, 1e-6);
    common = student_common(ratios, 2, 2);
    NEAR(common.ratio, 1, 1e-300);
    ck_assert(isinf(common.freedom));
}
