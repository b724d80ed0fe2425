/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/cost.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <math.h>

/* 95 of 100 values of a normal distribution lie within so many standard deviations of the
   mean.  */
#define DEVIATIONS 1.96
/* If more samples than these are expected, a run has none in less than 5 of 100 cases:
   exp(-3).  */
#define EXPECTED_OF_NONE 3

/* What is uncertain is printed only if it is more than chance may do.  */
char *cost_uncertain(uint64_t samples, uint64_t less, uint64_t more, uint64_t rate,
                     uint64_t calls)
{
    double chance = DEVIATIONS * sqrt((double)samples);
    double most = (double)(samples + more), least = (double)(samples - less);
    if (calls == 0 || ((double)less <= chance && (double)more <= chance))
        return cost_of_call(samples, rate, calls);
    most += DEVIATIONS * sqrt(most);
    if (samples == 0 && most < EXPECTED_OF_NONE)
        most = EXPECTED_OF_NONE;
    least -= DEVIATIONS * sqrt(least);
    double of_one = 1 / (double)rate / (double)calls;
    if (samples == 0 || least <= 0) {
        BUF_OWN char *time = text_time(most * of_one);
        return buf_format("<%s", time);
    }
    BUF_OWN char *time = text_time((double)samples * of_one);
    return buf_format("%s +%.0f-%.0f%%", time, 100 * (most / (double)samples - 1),
                      100 * (1 - least / (double)samples));
}

char *cost_of_call(uint64_t samples, uint64_t rate, uint64_t calls)
{
    if (calls == 0)
        return buf_copy("-");
    double of_one = 1 / (double)rate / (double)calls;
    if (samples == 0) {
        BUF_OWN char *most = text_time(EXPECTED_OF_NONE * of_one);
        return buf_format("<%s", most);
    }
    BUF_OWN char *time = text_time((double)samples * of_one);
    char *text =
        buf_format("%s +-%.0f%%", time, 100 * DEVIATIONS / sqrt((double)samples));
    return text;
}
