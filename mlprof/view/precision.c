/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/precision.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/text.h"
#include "mlprof/view/rows-table.h"

#include <inttypes.h>
#include <math.h>

/* Shares are good if they are wrong by no more than this.  */
#define GOOD 0.01

/* Shares that may be wrong by more than this are told even in brief.  */
#define POOR 0.05

/* The greatest rate that the runtime accepts (ccprof(1)).  */
#define RATE_MOST 10000

/* The least number of samples whose shares are good.  */
static uint64_t samples_wanted(void)
{
    uint64_t least = 0, most = 1 << 20;
    while (most - least > 1) {
        uint64_t middle = least + (most - least) / 2;
        if (statistics_bound(middle) > GOOD)
            least = middle;
        else
            most = middle;
    }
    return most;
}

/* Prints the rate, to two digits, or the number of runs that would make shares good.  */
static void print_remedy(FILE *out, const struct profile *profile)
{
    double times = (double)samples_wanted() / (double)profile->samples;
    double rate = times * (double)profile->rate;
    double step = pow(10, floor(log10(rate)) - 1);
    rate = ceil(rate / step) * step;
    fprintf(out, "; +-%.0f: ", 100 * GOOD);
    if (profile->rate < RATE_MOST)
        fprintf(out, "CCPROF=rate=%.0f", rate < RATE_MOST ? rate : RATE_MOST);
    if (rate > RATE_MOST && profile->rate < RATE_MOST) {
        times *= (double)profile->rate / RATE_MOST;
        fputs(" and ", out);
    } else if (profile->rate < RATE_MOST) {
        fputs(", or ", out);
    }
    fprintf(out, "%.0f runs", fmax(ceil(times), 2));
}

bool precision_is_poor(const struct profile *profile)
{
    return statistics_bound(profile->samples) > POOR;
}

bool precision_print(FILE *out, const struct profile *profile, bool marked, bool brief)
{
    double bound = statistics_bound(profile->samples);
    bool few = profile->samples && (brief ? precision_is_poor(profile) : bound > GOOD);
    if (few) {
        BUF_OWN char *number = text_number(profile->samples, "sample");
        fprintf(out, "%s: shares are good to +-%.1f points", number, 100 * bound);
        print_remedy(out, profile);
        putc('\n', out);
    }
    if (marked)
        fputs(ROWS_TABLE_MARK " not certainly less than the row above\n", out);
    return few || marked;
}
