/* SPDX-License-Identifier: MIT */
/* Changes settings of the run while its gate has never been open. No sample is taken
   then, so no handler reads them. */

#include <errno.h>

#include "rt/process/choices.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"
#include "rt/samples/times.h"
#include "rt/sampler/sampler.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"

#define MILLISECOND 1000000u

/* The sampler starts with the settings when the gate opens. Timers that run already, for
   checkpoints, stop until then. */
static int choices_set_rate(unsigned hz)
{
    ccprof_run.settings.rate = hz;
    ccprof_sampler_postpone(&ccprof_run.settings);
    return 0;
}

/* Times are by thread, as with the setting. */
static int choices_set_times(unsigned milliseconds)
{
    if (milliseconds && !ccprof_threadnames_start())
        return ENOMEM;
    ccprof_run.settings.threads = ccprof_run.settings.threads || milliseconds;
    ccprof_run.settings.times = milliseconds;
    ccprof_times_start((uint64_t)milliseconds * MILLISECOND,
                       ccprof_sys_clock(CLOCK_MONOTONIC));
    return 0;
}

static int choices_set(unsigned now, unsigned value, int (*set)(unsigned value))
{
    int error = ECANCELED;

    if (!ccprof_run_enter())
        return error;
    if (!ccprof_run.samples || !ccprof_run.signal_is_ours || !ccprof_run.signal_is_ours())
        error = ENODATA;
    else
        error = now == value ? 0 : ccprof_gate_before_first(set, value);
    ccprof_run_leave();
    return error;
}

int ccprof_choices_rate(unsigned hz)
{
    return choices_set(ccprof_run.settings.rate, hz, choices_set_rate);
}

int ccprof_choices_times(unsigned milliseconds)
{
    return choices_set(ccprof_run.settings.times, milliseconds, choices_set_times);
}
