/* SPDX-License-Identifier: MIT */
/* Owns the choice of the engine and the searches for new threads.  start: constructor,
   child of a fork; stop: any thread; take: the SIGPROF handler.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "rt/sample/sampler.h"
#include "rt/os/spin.h"
#include "rt/os/sys.h"
#include "rt/os/tasks.h"
#include "rt/os/timer.h"
#include "rt/unwind/cpu.h"
#include "rt/sample/engine.h"
#include "rt/sample/threads.h"

#define SECOND 1000000000u

/* CPU time of a thread, in periods.  */
#define SAMPLER_OLD 2

/* Between two looks for threads, in nanoseconds; and a look takes at most this part
   of the time.  */
#define SAMPLER_LOOK      100000000u
#define SAMPLER_LOOK_PART 100

/* For CPU time, the best first: settings choose where to begin.  */
static const struct ccprof_engine *const by_cpu[] = {
    [CCPROF_SETTINGS_TASK_CLOCK] = &ccprof_engine_task_clock,
    [CCPROF_SETTINGS_THREAD_TIMER] = &ccprof_engine_thread_timer,
    [CCPROF_SETTINGS_PROCESS_TIMER] = NULL};
static const struct ccprof_engine *const by_wall[] = {&ccprof_engine_wall_timer, NULL};

static struct {
    const struct ccprof_engine *const *engines; /* the rest of those above */
    enum ccprof_settings_clock clock;
    bool has_process; /* the process's timer goes */
    uint64_t period;
    uint64_t waits; /* at the start */
    /* Periods of the process's CPU time that its timer has told of, less the samples that
       were due so far.  */
    _Atomic int64_t owed;
    _Atomic uint64_t unarmed; /* threads that the process's timer cannot stand in for */
    ccprof_spin looking;
    _Atomic uint64_t next_look; /* on CLOCK_MONOTONIC_COARSE */
    struct ccprof_tasks tasks;
} sampler;

static uint64_t sampler_waits_now(void)
{
    struct rusage used;
    return syscall(SYS_getrusage, RUSAGE_SELF, &used) == 0 ? (uint64_t)used.ru_nvcsw : 0;
}

/* Whether an engine is to take over from the process's timer, which for briefer threads
   is not worth the while.  */
static bool sampler_is_old(pid_t tid)
{
    return sampler.clock == CCPROF_SETTINGS_WALL ||
           ccprof_sys_clock(ccprof_timer_clock(tid)) >= SAMPLER_OLD * sampler.period;
}

static void sampler_meet(pid_t tid)
{
    static const struct ccprof_engine *const none[] = {NULL};
    const struct ccprof_thread *thread = ccprof_threads_find(tid);
    bool old;

    if (thread && (thread->engine || !*sampler.engines))
        return;
    old = sampler_is_old(tid);
    if (old || !thread)
        ccprof_threads_arm(tid, old ? sampler.engines : none, false, sampler.period);
}

/* Looks at the threads that the kernel knows of, if it is time.  */
static void sampler_look(void)
{
    uint64_t before = ccprof_sys_clock(CLOCK_MONOTONIC_COARSE), took;

    if (before < atomic_load(&sampler.next_look) || !ccprof_spin_try(&sampler.looking))
        return;
    before = ccprof_sys_clock(CLOCK_MONOTONIC);
    ccprof_tasks_walk(&sampler.tasks, sampler_meet);
    ccprof_threads_reap();
    took = (ccprof_sys_clock(CLOCK_MONOTONIC) - before) * SAMPLER_LOOK_PART;
    atomic_store(&sampler.next_look,
                 before + (took > SAMPLER_LOOK ? took : SAMPLER_LOOK));
    ccprof_spin_release(&sampler.looking);
}

/* The first engine that works for the calling thread, and the process's timer: of
   the two one is enough.  */
int ccprof_sampler_start(const struct ccprof_settings *settings)
{
    pid_t self = ccprof_sys_gettid();
    const struct ccprof_thread *thread;
    int error;

    sampler.clock = settings->clock;
    sampler.engines =
        settings->clock == CCPROF_SETTINGS_WALL ? by_wall : by_cpu + settings->engine;
    sampler.period = SECOND / settings->rate;
    sampler.waits = sampler_waits_now();
    atomic_store(&sampler.owed, 0);
    error = ccprof_engine_process_start(sampler.period);
    sampler.has_process = error == 0;
    ccprof_threads_arm(self, sampler.engines, false, sampler.period);
    thread = ccprof_threads_find(self);
    while (*sampler.engines && thread && thread->engine != *sampler.engines)
        sampler.engines++;
    if (!*sampler.engines && (settings->clock == CCPROF_SETTINGS_WALL || error)) {
        ccprof_sampler_stop();
        return error ? error : EAGAIN;
    }
    if (!ccprof_tasks_alone())
        sampler_look();
    return 0;
}

void ccprof_sampler_stop(void)
{
    if (sampler.has_process)
        ccprof_engine_process_stop();
    sampler.has_process = false;
    ccprof_threads_stop();
}

void ccprof_sampler_drop(void)
{
    ccprof_threads_drop();
    sampler.tasks.at = 0;
    atomic_store(&sampler.unarmed, 0);
    atomic_store(&sampler.next_look, 0);
    ccprof_spin_release(&sampler.looking);
}

/* How many samples of the process's timer are due in a thread that no engine samples, to
   which it came PERIODS times.  It is those that all the signals stood for, whichever
   threads they came to, less those that were taken: so that the sum is right, though a
   thread is hit by chance.  At most twice PERIODS are taken: what is owed may be the time
   of a thread that blocks SIGPROF.  */
static uint64_t sampler_claim(uint64_t periods)
{
    int64_t owed = atomic_load(&sampler.owed);
    int64_t most = 2 * (int64_t)periods, claim;

    do
        claim = owed < 0 ? 0 : owed < most ? owed : most;
    while (!atomic_compare_exchange_weak(&sampler.owed, &owed, owed - claim));
    return (uint64_t)claim;
}

/* The samples that are due for time in the kernel: those that have waited for a system
   call, if this is one, and those of which the engine has not heard.  */
static uint64_t sampler_kernel(struct ccprof_thread *thread,
                               const struct ccprof_engine *engine, bool at_call)
{
    uint64_t waited = at_call ? thread->kernel : 0;
    uint64_t missed = engine->missed ? engine->missed(thread, at_call) : 0;

    thread->kernel -= waited;
    atomic_fetch_sub(&sampler.owed, (int64_t)missed);
    return waited + missed;
}

/* The process's timer came to the calling thread: there are samples if no engine takes
   any there, or none for the kernel's time.  */
static uint64_t sampler_caught(pid_t self, struct ccprof_thread *thread,
                               const struct ccprof_engine *engine, uint64_t periods,
                               const void *context)
{
    if (engine) {
        if (engine->is_armed(thread))
            return sampler_kernel(thread, engine, ccprof_cpu_is_at_call(context));
        ccprof_threads_arm(self, sampler.engines, false, sampler.period);
    } else {
        sampler_meet(self);
    }
    return sampler.clock == CCPROF_SETTINGS_WALL ? 0 : sampler_claim(periods);
}

/* The thread's engine sent the signal, or another one.  Samples for time in the kernel
   are due now, and come later.  */
static uint64_t sampler_taken(struct ccprof_thread *thread,
                              const struct ccprof_engine *engine, const siginfo_t *info)
{
    uint64_t kernel = thread->kernel;
    uint64_t weight = engine->take(thread, info);

    atomic_fetch_sub(&sampler.owed, (int64_t)(weight + thread->kernel - kernel));
    return weight;
}

uint64_t ccprof_sampler_take(const siginfo_t *info, const void *context)
{
    pid_t self = ccprof_sys_gettid();
    struct ccprof_thread *thread = ccprof_threads_find(self);
    const struct ccprof_engine *engine = thread ? thread->engine : NULL;
    uint64_t periods = ccprof_engine_process_take(info);
    uint64_t weight = 0;

    if (periods != 0) {
        atomic_fetch_add(&sampler.owed, (int64_t)periods);
        weight = sampler_caught(self, thread, engine, periods, context);
    } else if (engine) {
        weight = sampler_taken(thread, engine, info);
    }
    sampler_look();
    return weight;
}

/* Signals of descriptors have small positive codes; nobody but the engine asks for
   SIGPROF from one.  */
bool ccprof_sampler_is_ours(const siginfo_t *info)
{
    if (info->si_code == SI_TIMER)
        return ccprof_engine_process_take(info) != 0 ||
               ccprof_threads_holds(info->si_value.sival_ptr);
    return info->si_code >= POLL_IN && info->si_code <= POLL_HUP;
}

void ccprof_sampler_thread_begin(void)
{
    bool armed =
        ccprof_threads_arm(ccprof_sys_gettid(), sampler.engines, true, sampler.period);
    if (!armed && sampler.clock == CCPROF_SETTINGS_WALL)
        atomic_fetch_add(&sampler.unarmed, 1);
}

void ccprof_sampler_thread_end(void)
{
    ccprof_threads_disarm(ccprof_sys_gettid());
}

const char *ccprof_sampler_engine(void)
{
    return *sampler.engines ? (*sampler.engines)->name : CCPROF_ENGINE_PROCESS;
}

uint64_t ccprof_sampler_threads(void)
{
    return ccprof_threads_count();
}

uint64_t ccprof_sampler_unarmed(void)
{
    return atomic_load(&sampler.unarmed);
}

uint64_t ccprof_sampler_waits(void)
{
    return sampler_waits_now() - sampler.waits;
}
