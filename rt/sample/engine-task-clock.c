/* SPDX-License-Identifier: MIT */
/* Samples each thread by the kernel's event task-clock: a timer of high resolution that
   runs while the thread runs, and so does not depend on the kernel's tick.

   The process owns no descriptor.  A mapping of one page keeps each event alive after its
   descriptor is closed, which happens at once: the program may close any descriptor, and
   may count them.  Without a descriptor the delay of an event cannot change.  So the
   event is a metronome: it comes after each half to whole period of the thread's CPU
   time.  A sample is due at a random moment (interval.h) and is taken when the event
   comes next. The delay is drawn anew for each thread, so no program runs in step with
   it.

   If the first sample of a thread is due sooner than half a period after its start, the
   first event comes then, and the handler replaces it by one with a longer delay.

   The event is silent while the kernel works for the thread: otherwise a signal could be
   left over at an exec, and kill the program that follows.  When the next signal comes,
   the thread's CPU clock tells how many samples are due for the time in the kernel.
   These samples wait for the next system call at which a second timer, which runs on the
   thread's CPU time beside the event, finds the thread.  If no such call comes soon, they
   count where the thread is.

   Owns the timers and the mappings of the events.  Called where threads are armed, and by
   the SIGPROF handler.  */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/os/timer.h"
#include "rt/unwind/cpu.h"
#include "rt/sample/carryover.h"
#include "rt/sample/engine.h"

/* The most events of a process.  The kernel limits the pages that the events of a user
   lock (perf_event_mlock_kb: 129 pages for each processor, then RLIMIT_MEMLOCK).  */
#define TASK_CLOCK_MOST 256

/* The size of the mapping, which the kernel rounds up to a page: the page that describes
   the event, and no buffer.  */
#define TASK_CLOCK_MAP 1

/* The least delay of the event is this part of a period, or of the thread's life so far
   if that is shorter, and at least this many nanoseconds.  An event that comes in the
   kernel is silent and comes again after the same delay.  If an interrupt took about as
   long as the delay, which happens in virtual machines, the thread would hardly get out
   of the kernel.  */
#define TASK_CLOCK_LEAST_PART 8
#define TASK_CLOCK_LEAST      30000

/* How long samples wait for a system call: this many periods, plus this many
   nanoseconds.  */
#define TASK_CLOCK_WAIT      4
#define TASK_CLOCK_WAIT_TIME 16000000

/* After this many periods without a signal, the thread has been in the kernel nearly all
   the time: in system calls, or in something else, page faults for example.  */
#define TASK_CLOCK_SILENT_CALL 8
#define TASK_CLOCK_SILENT      16

static _Atomic int events;

static int task_clock_open(pid_t tid, uint64_t first)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.sample_period = first;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Returns the delay of the first event of a thread: the first sample is due then.  */
static uint64_t task_clock_first(const struct ccprof_interval *interval, uint64_t now)
{
    uint64_t delay = ccprof_interval_wait(interval, now);
    uint64_t least =
        (now < interval->period ? now : interval->period) / TASK_CLOCK_LEAST_PART;
    if (least < TASK_CLOCK_LEAST)
        least = TASK_CLOCK_LEAST;
    return delay > least ? delay : least;
}

/* Returns whether the events of a thread may go on with this delay.  */
static bool task_clock_is_steady(uint64_t delay, uint64_t period)
{
    return delay >= period / 2 && delay <= period;
}

/* Returns a delay of half a period to a period, after whose first or second multiple the
   next sample is due.  */
static uint64_t task_clock_steady(const struct ccprof_interval *interval, uint64_t now)
{
    uint64_t wait = ccprof_interval_wait(interval, now), period = interval->period;

    if (wait < period / 2)
        wait += period / 2;
    return wait > period ? wait / 2 : wait;
}

/* Lets the event send SIGPROF to the thread, and starts it.  */
static bool task_clock_enable(int fd, pid_t tid)
{
    struct f_owner_ex owner = {F_OWNER_TID, tid};
    return ccprof_sys_fcntl(fd, F_SETOWN_EX, (long)&owner) == 0 &&
           ccprof_sys_fcntl(fd, F_SETSIG, SIGPROF) == 0 &&
           ccprof_sys_fcntl(fd, F_SETFL, O_RDWR | O_ASYNC) == 0 &&
           syscall(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

/* Returns whether the descriptor is that of the thread's event.  Another thread may have
   closed it and opened a file under its number.  ERROR is what task_clock_enable met: a
   filter of system calls refuses this question, too.  */
static bool task_clock_is_ours(int fd, pid_t tid, int error)
{
    struct f_owner_ex owner = {0, 0};

    if (error)
        return error != EBADF && error != ENOTTY;
    return ccprof_sys_fcntl(fd, F_GETOWN_EX, (long)&owner) == 0 &&
           owner.type == F_OWNER_TID && owner.pid == tid &&
           ccprof_sys_fcntl(fd, F_GETSIG, 0) == SIGPROF;
}

/* Starts an event whose delay is that of THREAD; *EVENT becomes its mapping.  Returns 0
   or an errno value.  */
static int task_clock_make(struct ccprof_thread *thread, uint64_t now, void **event)
{
    int fd = task_clock_open(thread->tid, thread->delay), error = 0;
    long at;

    if (fd < 0)
        return errno;
    at = syscall(SYS_mmap, NULL, TASK_CLOCK_MAP, PROT_READ, MAP_SHARED, fd, 0);
    thread->handle = fd;
    thread->planned = now + thread->delay;
    if (at == -1 || !task_clock_enable(fd, thread->tid))
        error = errno;
    if (task_clock_is_ours(fd, thread->tid, error))
        ccprof_sys_close(fd);
    if (at != -1 && error)
        syscall(SYS_munmap, at, TASK_CLOCK_MAP);
    else if (!error)
        *event = (void *)at;
    return error;
}

/* Puts EVENT in the place of the thread's event, which ends.  */
static void task_clock_replace(struct ccprof_thread *thread, void *event)
{
    void *before = atomic_exchange(&thread->event, event);
    if (before)
        syscall(SYS_munmap, before, TASK_CLOCK_MAP);
}

/* Starts the second timer.  If the kernel has no timer left, the event alone takes the
   samples for time in the kernel.  */
static void task_clock_time_kernel(struct ccprof_thread *thread, uint64_t period)
{
    int timer;

    if (ccprof_timer_make(&timer, ccprof_timer_clock(thread->tid), thread->tid, thread) ==
            0 &&
        ccprof_timer_start(timer, ccprof_timer_phase(period), period) == 0)
        thread->kernel_timer = timer;
    else
        thread->kernel_timer = -1;
}

static int task_clock_arm_in(struct ccprof_thread *thread, uint64_t period)
{
    uint64_t now = ccprof_sys_clock(ccprof_timer_clock(thread->tid));
    void *event = NULL;
    int error;

    ccprof_carryover_begin(thread, period, now);
    thread->late = 0;
    thread->pending = NULL;
    thread->delay = task_clock_first(&thread->interval, now);
    error = task_clock_make(thread, now, &event);
    task_clock_replace(thread, event);
    if (!error)
        task_clock_time_kernel(thread, period);
    return error;
}

static int task_clock_arm(struct ccprof_thread *thread, uint64_t period)
{
    int error = EMFILE;

    if (atomic_fetch_add(&events, 1) < TASK_CLOCK_MOST)
        error = task_clock_arm_in(thread, period);
    if (error)
        atomic_fetch_sub(&events, 1);
    return error;
}

/* An event cannot tell whose it is.  But a new thread that has the number of an earlier
   one has used less CPU time than that one, and a thread that has ended has no clock.  */
static bool task_clock_is_armed(const struct ccprof_thread *thread)
{
    return thread->event &&
           ccprof_sys_clock(ccprof_timer_clock(thread->tid)) + thread->delay >=
               thread->planned;
}

/* The child of a fork has no copy of the mapping.  */
static void task_clock_drop(struct ccprof_thread *thread)
{
    (void)thread;
    atomic_fetch_sub(&events, 1);
}

static void task_clock_disarm(struct ccprof_thread *thread)
{
    thread->kernel += thread->late;
    if (thread->ending)
        ccprof_carryover_end(thread, ccprof_sys_clock(ccprof_timer_clock(thread->tid)));
    if (thread->kernel_timer != -1)
        ccprof_timer_delete(thread->kernel_timer);
    task_clock_replace(thread, NULL);
    atomic_fetch_sub(&events, 1);
}

/* Replaces the thread's first event, which came early, by one with a longer delay.  If
   that cannot be made, the thread has no event any more, and is armed again at the next
   signal of the second timer.  Another thread may have stopped the sampling meanwhile. */
static void task_clock_make_steady(struct ccprof_thread *thread)
{
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    void *event = NULL;

    thread->delay = task_clock_steady(&thread->interval, now);
    task_clock_make(thread, now, &event);
    task_clock_replace(thread, event);
    if (!atomic_load(&thread->engine))
        task_clock_replace(thread, NULL);
}

/* Plans the event that follows the one at NOW.  */
static void task_clock_go_on(struct ccprof_thread *thread, uint64_t now)
{
    thread->planned = now + thread->delay;
    if (!task_clock_is_steady(thread->delay, thread->interval.period))
        thread->pending = task_clock_make_steady;
}

/* Returns how often the event has come in the kernel, where it is silent, since it was
   planned.  After each silent event the next one comes after the same delay.  */
static uint64_t task_clock_silent(const struct ccprof_thread *thread, uint64_t now)
{
    uint64_t late = now > thread->planned ? now - thread->planned : 0;
    return (late + thread->delay / 2) / thread->delay;
}

/* Divides the DUE samples, which became due between the event before and this one: SILENT
   events came in the kernel, and one here.  The remainder goes to one of them at random.
   Returns the samples for this address.  */
static uint64_t task_clock_after_kernel(struct ccprof_thread *thread, uint64_t due,
                                        uint64_t silent, uint64_t now)
{
    uint64_t all = silent + 1;
    uint64_t here = (due + ccprof_interval_pick(&thread->interval, all)) / all;

    if (thread->kernel == 0)
        thread->kernel_since = now;
    thread->kernel += due - here;
    return here;
}

/* Leaves one of several samples that are due here to the next event: two samples of one
   moment tell less than two of two.  */
static uint64_t task_clock_spread(struct ccprof_thread *thread, uint64_t due)
{
    due += thread->late;
    thread->late = due > 1;
    return due - thread->late;
}

/* Returns the samples that have waited for a system call for too long: they count
   here.  */
static uint64_t task_clock_waited(struct ccprof_thread *thread, uint64_t now)
{
    uint64_t kernel = thread->kernel;
    if (kernel == 0 ||
        now - thread->kernel_since <
            TASK_CLOCK_WAIT * thread->interval.period + TASK_CLOCK_WAIT_TIME)
        return 0;
    thread->kernel = 0;
    return kernel;
}

/* Takes the samples at a signal of the event.  */
static uint64_t task_clock_here(struct ccprof_thread *thread)
{
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    uint64_t silent = task_clock_silent(thread, now);
    uint64_t due = ccprof_interval_take(&thread->interval, now);

    if (silent != 0)
        due = task_clock_after_kernel(thread, due, silent, now);
    task_clock_go_on(thread, now);
    return task_clock_spread(thread, due) + task_clock_waited(thread, now);
}

/* Takes the samples of a thread that is hardly ever out of the kernel, and so may get no
   signal of the event at all.  Any other thread gets its signal sooner.  */
static uint64_t task_clock_missed(struct ccprof_thread *thread, bool at_call)
{
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID), due;
    uint64_t silent = at_call ? TASK_CLOCK_SILENT_CALL : TASK_CLOCK_SILENT;

    if (ccprof_interval_late(&thread->interval, now) < silent * thread->interval.period)
        return 0;
    due = ccprof_interval_take(&thread->interval, now);
    task_clock_go_on(thread, now);
    return due;
}

/* Takes the samples at a signal of the second timer: those that wait for a system call,
   if the thread is at one, and those for which no event came.  */
static uint64_t task_clock_kernel(struct ccprof_thread *thread, bool at_call)
{
    uint64_t waited = at_call ? thread->kernel : 0;

    thread->kernel -= waited;
    return waited + task_clock_missed(thread, at_call);
}

static uint64_t task_clock_take(struct ccprof_thread *thread, const siginfo_t *info,
                                const void *context)
{
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == thread)
        return task_clock_kernel(thread, ccprof_cpu_is_at_call(context));
    return thread->event && info->si_code > 0 && info->si_fd == thread->handle
               ? task_clock_here(thread)
               : 0;
}

const struct ccprof_engine ccprof_engine_task_clock = {
    "task-clock",    task_clock_arm,      task_clock_disarm,
    task_clock_drop, task_clock_is_armed, task_clock_take};
