/* SPDX-License-Identifier: MIT */
/* Chooses the engine and finds threads. Owns the chosen engine and the state of the
   search for threads. The constructor and the child of a fork call start, any thread
   calls stop, and the SIGPROF handler calls take. */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "rt/sampler/sampler.h"
#include "rt/os/lock.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/timer.h"
#include "rt/unwind/cpu.h"
#include "rt/sampler/engine.h"
#include "rt/sampler/threads.h"

#define SECOND 1000000000u

/* The CPU time, in periods, after which a thread found by a search gets an engine. */
#define SAMPLER_OLD 2

/* Minimum nanoseconds between two searches for threads. A search may take at most
   this fraction (1 / PART) of the time. */
#define SAMPLER_SEARCH      100000000u
#define SAMPLER_SEARCH_PART 100

/* The engines for CPU time, the best first. A setting chooses the first one to try. */
static const struct ccprof_engine *const by_cpu[] = {
    [CCPROF_SETTINGS_TASK_CLOCK] = &ccprof_engine_task_clock,
    [CCPROF_SETTINGS_THREAD_TIMER] = &ccprof_engine_thread_timer,
    NULL};
static const struct ccprof_engine *const by_wall[] = {&ccprof_engine_wall_timer, NULL};

static struct {
    /* The engine in use, followed by the engines to try after it. */
    const struct ccprof_engine *const *engines;
    enum ccprof_settings_clock clock;
    uint64_t period;
    _Atomic bool paused;          /* no thread has a timer until the sampler resumes */
    uint64_t waits;               /* number of waits of the process at the start */
    _Atomic uint64_t unseen;      /* CPU time used by threads before they were armed */
    _Atomic uint64_t unarmed;     /* number of threads for which no engine worked */
    _Atomic uint64_t interrupted; /* number of system calls interrupted by signals */
    _Atomic uint64_t late;        /* samples that were due more than a tick before */
    pid_t child;                  /* this process, if it is a forked child; or 0 */
    ccprof_spin searching;
    _Atomic uint64_t next_search; /* time of the next search, CLOCK_MONOTONIC_COARSE */
    struct ccprof_tasks tasks;
} sampler;

static uint64_t sampler_waits_now(void)
{
    struct rusage used;
    return syscall(SYS_getrusage, RUSAGE_SELF, &used) == 0 ? (uint64_t)used.ru_nvcsw : 0;
}

/* Returns whether a thread found by a search gets an engine. Short threads are not
   worth one. The first thread of a forked child is sampled from its first tick on. */
static bool sampler_is_old(pid_t tid)
{
    return sampler.clock == CCPROF_SETTINGS_WALL || tid == sampler.child ||
           ccprof_sys_clock(ccprof_timer_clock(tid)) >= SAMPLER_OLD * sampler.period;
}

static void sampler_consider(pid_t tid)
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

/* Searches the kernel's list of threads, if a search is due. The list is opened only
   if it has threads that are not armed: another thread of the program may be opening a
   file and rely on the number of its descriptor. */
static void sampler_search(void)
{
    uint64_t before = ccprof_sys_clock(CLOCK_MONOTONIC_COARSE), took, tasks;

    if (before < atomic_load(&sampler.next_search) ||
        !ccprof_spin_try(&sampler.searching))
        return;
    before = ccprof_sys_clock(CLOCK_MONOTONIC);
    tasks = ccprof_tasks_count();
    if (tasks == 0 || tasks > ccprof_threads_armed())
        ccprof_tasks_walk(&sampler.tasks, sampler_consider);
    ccprof_threads_reap();
    took = (ccprof_sys_clock(CLOCK_MONOTONIC) - before) * SAMPLER_SEARCH_PART;
    atomic_store(&sampler.next_search,
                 before + (took > SAMPLER_SEARCH ? took : SAMPLER_SEARCH));
    ccprof_spin_release(&sampler.searching);
}

static void sampler_choose(const struct ccprof_settings *settings,
                           enum ccprof_settings_clock clock)
{
    sampler.clock = clock;
    sampler.engines = clock == CCPROF_SETTINGS_WALL ? by_wall : by_cpu + settings->engine;
    sampler.period = SECOND / settings->rate;
}

/* Arms the calling thread with the first engine that works, which becomes the
   sampler's engine. Returns 0 or an errno value. */
static int sampler_begin(const struct ccprof_settings *settings,
                         enum ccprof_settings_clock clock)
{
    pid_t self = ccprof_sys_gettid();
    const struct ccprof_thread *thread;
    int error;

    sampler_choose(settings, clock);
    sampler.waits = sampler_waits_now();
    ccprof_timer_tick();
    error = ccprof_threads_arm(self, sampler.engines, false, sampler.period);
    /* Another thread is changing the slots, or this thread is ending. */
    if (error == EBUSY)
        return 0;
    thread = ccprof_threads_find(self);
    while (*sampler.engines && thread && thread->engine != *sampler.engines)
        sampler.engines++;
    if (!*sampler.engines) {
        ccprof_sampler_stop();
        /* After a stop there is no engine, although ERROR is 0. */
        return error ? error : EAGAIN;
    }
    return 0;
}

static void sampler_search_unless_single(void)
{
    if (!ccprof_tasks_alone())
        sampler_search();
}

/* Most forked children run for less than a tick, and an engine costs more than the
   process timer. So a child has only this timer until the first tick that finds it
   running. Then its first thread gets the parent's engine. */
static int sampler_start_child(void)
{
    sampler.waits = sampler_waits_now();
    return ccprof_process_timer_start(sampler.period, true);
}

/* Uses the process timer only for CPU time. With clock=wall even waiting threads get
   signals, often enough to search for other threads. */
static int sampler_start(const struct ccprof_settings *settings)
{
    int error = sampler_begin(settings, settings->clock);

    if (error)
        return error;
    if (settings->clock == CCPROF_SETTINGS_CPU)
        ccprof_process_timer_start(sampler.period, false);
    sampler_search_unless_single();
    return 0;
}

int ccprof_sampler_start(const struct ccprof_settings *settings)
{
    if (sampler.child && sampler.clock == CCPROF_SETTINGS_CPU && *sampler.engines &&
        sampler_start_child() == 0)
        return 0;
    return sampler_start(settings);
}

void ccprof_sampler_postpone(const struct ccprof_settings *settings)
{
    sampler_choose(settings, settings->clock);
    ccprof_sampler_pause();
}

int ccprof_sampler_resume(const struct ccprof_settings *settings)
{
    if (!atomic_load(&sampler.paused))
        return 0;
    ccprof_threads_resume();
    atomic_store(&sampler.paused, false);
    atomic_store(&sampler.next_search, 0);
    return sampler_start(settings);
}

void ccprof_sampler_pause(void)
{
    atomic_store(&sampler.paused, true);
    ccprof_sampler_stop();
}

/* Does not use the process timer, since its signal may reach a waiting thread. */
int ccprof_sampler_pulse(const struct ccprof_settings *settings)
{
    int error = sampler_begin(settings, CCPROF_SETTINGS_CPU);

    if (!error)
        sampler_search_unless_single();
    return error;
}

void ccprof_sampler_take_pulse_as_samples(void)
{
    ccprof_process_timer_start(sampler.period, false);
    sampler_search_unless_single();
}

void ccprof_sampler_stop(void)
{
    ccprof_process_timer_stop();
    ccprof_threads_stop();
}

void ccprof_sampler_drop(void)
{
    ccprof_threads_drop();
    atomic_store(&sampler.paused, false);
    sampler.child = ccprof_sys_getpid();
    sampler.tasks.position = 0;
    atomic_store(&sampler.unseen, 0);
    atomic_store(&sampler.unarmed, 0);
    atomic_store(&sampler.interrupted, 0);
    atomic_store(&sampler.late, 0);
    atomic_store(&sampler.next_search, 0);
    ccprof_spin_release(&sampler.searching);
}

/* Handles a signal of the process timer in the calling thread. ENGINE is the thread's
   engine, or null. The kernel chooses the thread that gets this signal, so the CPU
   time may have been used by other threads. A thread without an engine therefore
   takes at most twice the samples of this signal, and other threads take the rest. */
static struct ccprof_taken sampler_take_process_timer(pid_t self,
                                                      const struct ccprof_engine *engine,
                                                      const siginfo_t *info, bool at_call)
{
    bool is_first = ccprof_process_timer_awaits_tick();
    struct ccprof_taken taken = {.samples = ccprof_process_timer_take(info)};

    if (engine)
        return (struct ccprof_taken){0};
    if (is_first) {
        sampler_consider(self);
        ccprof_process_timer_postpone(1);
        /* If the child worked with SIGPROF blocked, the signal came late. */
        at_call = at_call && !ccprof_ticks_are_mostly_user();
    } else {
        ccprof_remainder_owe(taken.samples);
        sampler_consider(self);
        taken.samples = ccprof_remainder_take(2 * (1 + (uint64_t)info->si_overrun));
    }
    taken.kernel = at_call ? taken.samples : 0;
    return taken;
}

/* Counts samples that are late since the program blocked signals, and returns whether
   there are any. A timer of CPU time that expires while its signal is pending counts
   the expirations. A blocked signal arrives at the system call that unblocks it;
   elsewhere the kernel's tick itself was late, as on a busy virtual machine. The signal
   is also pending while a long system call works, but there it is at its place. Called
   before the engine takes the signal. */
static bool sampler_count_late(const struct ccprof_thread *thread, const siginfo_t *info,
                               bool at_call)
{
    uint64_t periods = info->si_code == SI_TIMER ? (uint64_t)info->si_overrun : 0;
    uint64_t time = periods * sampler.period;

    if (periods == 0 || !at_call || sampler.clock != CCPROF_SETTINGS_CPU ||
        time <= ccprof_timer_tick() || ccprof_ticks_user(&thread->ticks) <= time / 2)
        return false;
    atomic_fetch_add(&sampler.late, periods);
    return true;
}

/* Handles a signal of the thread's engine. */
static struct ccprof_taken sampler_take_engine(struct ccprof_thread *thread,
                                               const struct ccprof_engine *engine,
                                               const siginfo_t *info, bool at_call)
{
    bool is_late = sampler_count_late(thread, info, at_call);
    struct ccprof_taken taken = engine->take(thread, info, at_call);

    /* The signal arrived at the system call that unblocked it. */
    if (is_late)
        taken.kernel = 0;
    if (sampler.clock == CCPROF_SETTINGS_WALL)
        return taken;
    ccprof_process_timer_postpone(ccprof_threads_count());
    uint64_t claimed = ccprof_remainder_take(2 * taken.samples);
    if (taken.kernel == taken.samples)
        taken.kernel += claimed;
    taken.samples += claimed;
    return taken;
}

struct ccprof_taken ccprof_sampler_take(const siginfo_t *info, const void *context,
                                        const struct ccprof_cpu_call *call)
{
    pid_t self = ccprof_sys_gettid();
    struct ccprof_thread *thread = ccprof_threads_find(self);
    const struct ccprof_engine *engine = thread ? thread->engine : NULL;
    struct ccprof_taken taken = {0};

    if (ccprof_cpu_is_interrupted_call(context))
        atomic_fetch_add(&sampler.interrupted, 1);
    if (ccprof_process_timer_is(info))
        taken = sampler_take_process_timer(self, engine, info, call != NULL);
    else if (engine)
        taken = sampler_take_engine(thread, engine, info, call != NULL);
    sampler_search();
    return taken;
}

/* Signals of descriptors have si_code POLL_IN to POLL_HUP. Only the engine task-clock
   requests SIGPROF from a descriptor. */
bool ccprof_sampler_is_ours(const siginfo_t *info)
{
    if (info->si_code == SI_TIMER)
        return ccprof_process_timer_is(info) ||
               ccprof_threads_holds(info->si_value.sival_ptr);
    return info->si_code >= POLL_IN && info->si_code <= POLL_HUP;
}

/* Returns the number of samples for the CPU time that the calling thread used before
   it was armed. All threads together get one sample for each period of such CPU time. */
static uint64_t sampler_samples_before_arming(void)
{
    uint64_t used = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID),
             before = atomic_fetch_add(&sampler.unseen, used) + sampler.period / 2;

    return (before + used) / sampler.period - before / sampler.period;
}

uint64_t ccprof_sampler_thread_begin(void)
{
    if (atomic_load(&sampler.paused))
        return 0;
    int error =
        ccprof_threads_arm(ccprof_sys_gettid(), sampler.engines, true, sampler.period);
    if (error && sampler.clock == CCPROF_SETTINGS_WALL)
        atomic_fetch_add(&sampler.unarmed, 1);
    /* The tick may come while only this thread runs and the first one waits. */
    if (ccprof_process_timer_awaits_tick())
        ccprof_process_timer_postpone(ccprof_threads_count());
    return sampler.clock == CCPROF_SETTINGS_CPU ? sampler_samples_before_arming() : 0;
}

uint64_t ccprof_sampler_thread_end(void)
{
    ccprof_threads_disarm(ccprof_sys_gettid());
    return ccprof_remainder_missed(false);
}

const char *ccprof_sampler_engine(void)
{
    return (*sampler.engines)->name;
}

uint64_t ccprof_sampler_threads(void)
{
    return ccprof_threads_count() +
           (sampler.child && !ccprof_threads_find(sampler.child));
}

uint64_t ccprof_sampler_unarmed(void)
{
    return atomic_load(&sampler.unarmed);
}

uint64_t ccprof_sampler_interrupted(void)
{
    return atomic_load(&sampler.interrupted);
}

uint64_t ccprof_sampler_late(void)
{
    return atomic_load(&sampler.late);
}

uint64_t ccprof_sampler_waits(void)
{
    return sampler_waits_now() - sampler.waits;
}

/* A bit for each name in CCPROF_REFUSED_NAMES (rt/format.h), in the same order. */
enum {
    REFUSED_CLOCK = 1,
    REFUSED_THREAD = 2,
    REFUSED_EVENT = 4,
    REFUSED_FCNTL = 8,
    REFUSED_IOCTL = 16,
    REFUSED_CREATE = 32,
    REFUSED_SETTIME = 64
};

static unsigned refused_unless(int expected, unsigned bit)
{
    return errno == expected ? 0 : bit;
}

/* Tries each system call. The first two calls are harmless. Each other call has an
   invalid argument for which the kernel returns a known error; a different error comes
   from a seccomp filter. Pointers are valid all the same, since valgrind reads the
   memory before the kernel does. */
static unsigned refused_calls(void)
{
    const struct itimerspec never = {{0, 0}, {0, 0}};
    const struct perf_event_attr event = {.size = sizeof event};
    struct timespec now;
    unsigned refused = 0;
    int saved = errno, timer;

    if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) != 0)
        refused |= REFUSED_CLOCK;
    if (ccprof_sys_gettid() < 0)
        refused |= REFUSED_THREAD;
    syscall(SYS_perf_event_open, &event, 0, -1, -1,
            ~0ul); /* all bits are invalid flags */
    refused |= refused_unless(EINVAL, REFUSED_EVENT);
    ccprof_sys_fcntl(-1, F_GETFD, 0);
    refused |= refused_unless(EBADF, REFUSED_FCNTL);
    syscall(SYS_ioctl, -1, 0, 0);
    refused |= refused_unless(EBADF, REFUSED_IOCTL);
    syscall(SYS_timer_create, 1000, NULL, &timer);
    refused |= refused_unless(EINVAL, REFUSED_CREATE);
    syscall(SYS_timer_settime, -1, 0, &never, NULL);
    refused |= refused_unless(EINVAL, REFUSED_SETTIME);
    errno = saved;
    return refused;
}

/* Samples are possible with timers even if the perf event is refused. */
unsigned ccprof_sampler_refused(bool wall)
{
    const unsigned refused = refused_calls();
    bool event = refused & (REFUSED_EVENT | REFUSED_FCNTL | REFUSED_IOCTL);
    bool timers = refused & (REFUSED_CREATE | REFUSED_SETTIME);
    bool samples =
        !(refused & (REFUSED_CLOCK | REFUSED_THREAD)) && !(timers && (wall || event));

    return samples ? 0 : refused;
}
