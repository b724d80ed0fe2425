/* SPDX-License-Identifier: MIT */
/* Stops sampling, waits for handlers that are still running, and writes the profile.
   Owns nothing.  Any thread, signal handlers included.  */

#define _GNU_SOURCE
#include <errno.h>

#include "rt/process/end.h"
#include "rt/os/lock.h"
#include "rt/os/text.h"
#include "rt/os/strict.h"
#include "rt/os/sys.h"
#include "rt/sample/carryover.h"
#include "rt/sample/sampler.h"
#include "rt/count/counts.h"
#include "rt/heap/heap.h"
#include "rt/symbolize/trace.h"
#include "rt/process/gate.h"
#include "rt/process/handler.h"
#include "rt/process/run.h"
#include "rt/process/unregistered.h"
#include "rt/process/write.h"

#define MILLISECOND 1000000

/* Milliseconds to wait for another thread that writes.  */
#define END_PATIENCE 10000

/* Says what the file does not have.  */
static void end_say(void)
{
    ccprof_trace_end();
    if (ccprof_run.samples && ccprof_run.signal_is_ours && !ccprof_run.signal_is_ours())
        ccprof_say("the program has taken SIGPROF: samples are missing", NULL);
    if (ccprof_counts_are_switched())
        ccprof_say(
            "the program changes stacks without swapcontext, or moves fibres between "
            "threads: there are no inclusive counts",
            NULL);
}

static void end_write(bool orderly)
{
    end_say();
    if (orderly)
        ccprof_run.uncounted = ccprof_unregistered_gather();
    if (ccprof_run.signal_is_ours)
        ccprof_sampler_stop();
    ccprof_run_wait_for(&ccprof_run.handlers);
    ccprof_handler_estimate_rest(ccprof_carryover_missed(true));
    ccprof_gate_close();
    ccprof_write_end(orderly);
}

static bool end_is_written(int phase)
{
    return phase == CCPROF_PHASE_WRITING || phase == CCPROF_PHASE_HELD;
}

/* Waits until no thread writes.  Returns false if the calling thread itself writes, and a
   fatal signal has stopped it, or if the wait takes too long.  */
static bool end_wait(void)
{
    for (int i = 0; i < END_PATIENCE; i++) {
        if (!end_is_written(atomic_load(&ccprof_run.phase)))
            return true;
        if (atomic_load(&ccprof_run.writer) == ccprof_sys_gettid())
            return false;
        ccprof_heap_hurry();
        ccprof_sys_sleep(MILLISECOND);
    }
    return false;
}

/* Returns whether the calling thread ends the run.  Threads that are about to hold the
   run may do so before.  */
static bool end_is_ours(void)
{
    int phase;

    atomic_store(&ccprof_run.ending, true);
    do {
        phase = CCPROF_PHASE_SAMPLING;
        if (atomic_compare_exchange_strong(&ccprof_run.phase, &phase,
                                           CCPROF_PHASE_WRITING))
            return true;
    } while (end_is_written(phase) && end_wait());
    return false;
}

/* Returns whether the run is this process's.  */
static bool end_has_run(void)
{
    if (ccprof_strict)
        return false;

    pid_t self = ccprof_sys_getpid();
    if (self < 0 && ccprof_run_is_there())
        ccprof_say("the process may not call getpid (seccomp?): nothing is written",
                   NULL);
    return atomic_load(&ccprof_run.owner) == self;
}

void ccprof_end_run(bool orderly)
{
    int saved = errno;
    struct ccprof_blocked blocked;

    if (!end_has_run())
        return;
    ccprof_blocked_begin(&blocked);
    if (end_is_ours()) {
        atomic_store(&ccprof_run.writer, ccprof_sys_gettid());
        ccprof_blocked_write(&blocked);
        end_write(orderly);
        atomic_store(&ccprof_run.phase, CCPROF_PHASE_WRITTEN);
    }
    ccprof_blocked_end(&blocked);
    errno = saved;
}

/* Returns whether the calling thread holds the run.  Waits while another thread does.  */
static bool end_hold(void)
{
    while (ccprof_run_hold() != 0)
        if (atomic_load(&ccprof_run.phase) != CCPROF_PHASE_HELD || !end_wait())
            return false;
    return true;
}

bool ccprof_end_for_now(void)
{
    int saved = errno;
    struct ccprof_blocked blocked;
    bool held = false;

    if (!end_has_run())
        return false;
    ccprof_blocked_begin(&blocked);
    if (end_hold()) {
        held = true;
        ccprof_blocked_write(&blocked);
        end_say();
        ccprof_write_for_now();
    } else {
        ccprof_end_run(false);
    }
    ccprof_blocked_end(&blocked);
    errno = saved;
    return held;
}

void ccprof_end_resume(bool held)
{
    if (held)
        ccprof_run_release();
}
