/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/nosamples.h"
#include "mlprof/base/buf.h"
#include "mlprof/view/balance.h"

/* If more samples than these were to be expected, chance does not explain that there are
   none: exp(-5) is less than one percent.  */
#define EXPECTED_OF_NONE 5

/* The greatest rate that the runtime accepts (ccprof(1)).  */
#define RATE_MOST 10000

char *nosamples_text(const struct profile *profile)
{
    if (!(profile->kind & CCPROF_KIND_TIME) || profile->samples || profile->own)
        return NULL;
    if (profile->moved > 0)
        return buf_copy("no samples: all of them are in the other files that the program "
                        "has written; name these, too");
    bool on_clock = profile->clock == PROFILE_WALL;
    const char *what = on_clock ? "time" : "CPU time";
    double seconds = (double)(on_clock ? profile->wall : profile->cpu) / 1e9;
    if (profile->refused) {
        BUF_OWN char *names = balance_refused(profile);
        return buf_format(
            "no samples: the program was not allowed to call %s, by a filter of its own "
            "(seccomp) for example",
            names);
    }
    if (seconds * (double)profile->rate > EXPECTED_OF_NONE)
        return buf_format(
            "no samples in %.3g s of %s: %sthe signal SIGPROF was taken or blocked, by "
            "another profiler for example (gcc -pg), or sampling was never started "
            "(CCPROF=start=no)",
            seconds, what,
            profile->engines == PROFILE_THREAD_TIMER
                ? "the program never ran at the kernel's tick, by which engine "
                  "thread-timer samples, as one that works briefly and waits; or "
                : "");
    BUF_OWN char *more =
        profile->rate < RATE_MOST
            ? buf_format(", or sample more often: CCPROF=rate=%d", RATE_MOST)
            : buf_copy("");
    char *text =
        buf_format("no samples: the program used %.3g s of %s, and one is taken every "
                   "%.3g s; let it run longer%s",
                   seconds, what, 1 / (double)profile->rate, more);
    return text;
}
