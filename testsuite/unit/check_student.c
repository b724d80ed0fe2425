/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Student's distribution, Welch's degrees of freedom, and the shares of false findings.
   The expected values are those of other programs and of printed tables.  */

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "mlprof/base/student.h"
#include "runner.h"

#define NEAR(got, want, by) ck_assert_double_eq_tol(got, want, by)

/* Student's table: t beyond which 5 of 100 cases are, by degrees of freedom.  */
static const struct {
    double freedom, bound;
} bounds[] = {{1, 12.706205},  {2, 4.302653},       {3, 3.182446},  {4, 2.776445},
              {5, 2.570582},   {10, 2.228139},      {18, 2.100922}, {30, 2.042272},
              {120, 1.979930}, {INFINITY, 1.959964}};

START_TEST(bounds_are_those_of_the_table)
{
    NEAR(student_bound(bounds[_i].freedom), bounds[_i].bound, 1e-6);
    NEAR(student_beyond(bounds[_i].bound, bounds[_i].freedom), 0.05, 1e-6);
    NEAR(student_beyond(-bounds[_i].bound, bounds[_i].freedom), 0.05, 1e-6);
}
END_TEST

/* With one degree of freedom it is Cauchy's distribution, with two 1 - t / sqrt(2 + t^2).
 */
START_TEST(few_degrees_have_formulas)
{
    static const double ts[] = {0, 0.001, 0.3, 1, 2, 5, 50, 1e6};
    for (size_t i = 0; i < sizeof ts / sizeof *ts; i++) {
        double t = ts[i], one = 1 - 2 * atan(t) / M_PI, two = 1 - t / sqrt(2 + t * t);
        NEAR(student_beyond(t, 1), one, 1e-12);
        NEAR(student_beyond(t, 2), two, 1e-12);
    }
    /* Far out: 2 / (pi t).  */
    NEAR(student_beyond(1e12, 1) * 1e12, 2 / M_PI, 1e-6);
    NEAR(student_beyond(INFINITY, 3), 0, 1e-300);
    /* Many degrees are as good as infinitely many.  */
    NEAR(student_beyond(3, 2e6), 0.0026997960632601866, 1e-12);
    NEAR(student_beyond(3, 9e5), 0.0026997960632601866, 1e-6);
}
END_TEST

/* Variances by hand: of 5.1 4.9 4.7 4.6 5.0 it is 0.172 / 4; of 3.5 3.0 3.2, whose mean
   is 9.7 / 3, 0.12667 / 2.  */
START_TEST(welch)
{
    static const double one[] = {5.1, 4.9, 4.7, 4.6, 5.0}, other[] = {3.5, 3.0, 3.2};
    struct student_mean a = student_mean(one, 5), b = student_mean(other, 3);
    NEAR(a.mean, 4.86, 1e-12);
    NEAR(a.variance, 0.043 / 5, 1e-12);
    NEAR(a.freedom, 4, 1e-300);
    NEAR(b.mean, 9.7 / 3, 1e-12);
    NEAR(b.variance, 0.38 / 3 / 2 / 3, 1e-9);
    /* By hand: (A + B)^2 / (A^2 / 4 + B^2 / 2).  */
    double v = 0.0086, w = b.variance;
    NEAR(student_freedom(&a, &b), (v + w) * (v + w) / (v * v / 4 + w * w / 2), 1e-9);
    /* A variance that is known takes nothing.  */
    b.freedom = INFINITY;
    NEAR(student_freedom(&a, &b), (v + w) * (v + w) * 4 / (v * v), 1e-9);
    a.freedom = INFINITY;
    ck_assert(isinf(student_freedom(&a, &b)));
    a = student_mean(one, 1);
    NEAR(a.variance, 0, 1e-300);
    NEAR(a.freedom, 0, 1e-300);
}
END_TEST

/* The example of the paper (Benjamini, Hochberg, p. 293): of its 15 probabilities the
   four least are findings where 5 of 100 may be false, since 0.0095 * 15 / 4 is below
   0.05, but 0.0201 * 15 / 5 is not.  */
START_TEST(false_findings)
{
    double p[] = {0.3240, 0.0001, 0.0004, 0.0019, 0.0201, 0.0278, 0.0298, 0.0344,
                  0.0459, 0.0095, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    student_false_findings(p, 15);
    NEAR(p[1], 0.0015, 1e-12);
    NEAR(p[2], 0.0030, 1e-12);
    NEAR(p[3], 0.0095, 1e-12);
    NEAR(p[9], 0.035625, 1e-12);
    NEAR(p[4], 0.0603, 1e-12);
    /* 0.0298 * 15 / 7, less than 0.0278 * 15 / 6 of the one before.  */
    NEAR(p[5], 0.447 / 7, 1e-12);
    NEAR(p[6], 0.447 / 7, 1e-12);
    NEAR(p[7], 0.0645, 1e-12);
    NEAR(p[14], 1, 1e-300);
    student_false_findings(p, 1e-300);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("student");
    TCase *tests = tcase_create("student");
    tcase_add_loop_test(tests, bounds_are_those_of_the_table, 0,
                        sizeof bounds / sizeof *bounds);
    tcase_add_test(tests, few_degrees_have_formulas);
    tcase_add_test(tests, welch);
    tcase_add_test(tests, false_findings);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
