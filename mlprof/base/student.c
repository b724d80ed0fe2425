/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/student.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define LEVEL 0.05

/* The continued fraction of the incomplete beta function, by Lentz's method (NIST Digital
   Library of Mathematical Functions, 8.17.22 and 3.10).  */
static double beta_fraction(double x, double a, double b)
{
    static const double tiny = 1e-300, enough = 1e-15;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double before = value;
        const double terms[] = {even, odd};
        for (size_t i = 0; i < 2; i++) {
            d = 1 + terms[i] * d;
            c = 1 + terms[i] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= d * c;
        }
        if (fabs(value - before) < enough * value)
            break;
    }
    return value;
}

/* lgamma would write to a variable that all threads share.  */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* The regularized incomplete beta function at X.  Y is 1 - X, computed by the caller
   since that difference would not be exact for an X near 1.  */
static double beta(double x, double y, double a, double b)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front =
        exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(y, b, a) / b;
}

double student_beyond(double t, double freedom)
{
    assert(freedom > 0);
    /* So many degrees of freedom are as good as infinitely many.  */
    if (freedom > 1e6)
        return erfc(fabs(t) / sqrt(2));
    if (isinf(t))
        return 0;
    double sum = freedom + t * t;
    return beta(freedom / sum, t * t / sum, freedom / 2, 0.5);
}

double student_bound(double freedom)
{
    double least = 0, most = 2;
    while (student_beyond(most, freedom) > LEVEL)
        most *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (least + most) / 2;
        if (student_beyond(middle, freedom) > LEVEL)
            least = middle;
        else
            most = middle;
    }
    return most;
}

/* The part of one side in the denominator of Welch's degrees of freedom.  */
static double part(const struct student_mean *side)
{
    return isinf(side->freedom) ? 0 : side->variance * side->variance / side->freedom;
}

double student_freedom(const struct student_mean *one, const struct student_mean *other)
{
    double sum = one->variance + other->variance;
    double parts = part(one) + part(other);
    return parts > 0 ? sum * sum / parts : INFINITY;
}

struct student_mean student_mean(const double *values, size_t count)
{
    assert(count > 0);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double freedom = (double)count - 1;
    return (struct student_mean){
        .mean = mean,
        .variance = count > 1 ? squares / freedom / (double)count : 0,
        .freedom = freedom,
    };
}

bool student_ratio(const struct student_mean *above, const struct student_mean *below,
                   double *least, double *most)
{
    double ratio = above->mean / below->mean;
    struct student_mean scaled = *below;
    scaled.variance *= ratio * ratio;
    if (!(above->freedom > 0) || !(below->freedom > 0) ||
        !(above->variance + scaled.variance > 0))
        return false;
    double t = student_bound(student_freedom(above, &scaled));
    /* The ratio r is in the interval if above - r * below may be 0: if r solves a
       quadratic inequality.  */
    double a = below->mean * below->mean - t * t * below->variance;
    double b = above->mean * below->mean;
    double c = above->mean * above->mean - t * t * above->variance;
    if (!(a > 0))
        return false;
    double root = sqrt(fmax(b * b - a * c, 0));
    *least = (b - root) / a;
    *most = (b + root) / a;
    return true;
}

/* The second derivative of the logarithm of the gamma function (NIST Digital Library of
   Mathematical Functions, 5.15.5 and 5.15.8).  */
static double trigamma(double x)
{
    double sum = 0;
    for (; x < 10; x++)
        sum += 1 / (x * x);
    double square = 1 / (x * x);
    return sum + 1 / x + square / 2 +
           square / x * (1.0 / 6 - square * (1.0 / 30 - square / 42));
}

/* The argument for which trigamma, which decreases, is VALUE.  */
static double inverse_trigamma(double value)
{
    double least = 1e-6, most = 1e12;
    for (int i = 0; i < 100; i++) {
        double middle = sqrt(least * most);
        if (trigamma(middle) > value)
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* How much the logarithms of RATIOS vary beyond what chance alone makes, as degrees of
   freedom.  */
static double freedom_between(const double *ratios, size_t count, double freedom)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(ratios[i]);
    for (size_t i = 0; i < count; i++) {
        double away = log(ratios[i]) - sum / (double)count;
        squares += away * away;
    }
    double beyond = count > 1 ? squares / ((double)count - 1) - trigamma(freedom / 2) : 0;
    return beyond > 0 ? 2 * inverse_trigamma(beyond) : INFINITY;
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return BUF_ORDER(a, b);
}

struct student_common student_common(double *ratios, size_t count, double freedom)
{
    if (count < 3)
        return (struct student_common){1, INFINITY};
    BUF_SORT(ratios, count, by_size);
    double middle = (ratios[(count - 1) / 2] + ratios[count / 2]) / 2;
    return (struct student_common){
        .ratio = middle / pow(1 - 2 / (9 * freedom), 3),
        .freedom =
            fmin((double)count * freedom / 2, freedom_between(ratios, count, freedom)),
    };
}

static int by_value(const void *one, const void *other)
{
    return by_size(*(double *const *)one, *(double *const *)other);
}

void student_family(double *probabilities, size_t count)
{
    double **order = buf_alloc((count + 1) * sizeof *order), most = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = &probabilities[i];
    BUF_SORT(order, count, by_value);
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fmin(*order[i] * (double)(count - i), 1));
        *order[i] = most;
    }
    free(order);
}
