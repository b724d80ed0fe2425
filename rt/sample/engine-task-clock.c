/* SPDX-License-Identifier: MIT */
/* Samples each thread by the kernel's event task-clock: a timer of high resolution that
   runs while the thread runs, and so does not depend on the kernel's tick.

   The event is silent while the kernel works for the thread: otherwise a signal could be
   left over at an exec, and kill the program that follows.  When the next signal comes,
   the thread's CPU clock tells how many samples are due for the time in the kernel.
   These samples wait for the next system call at which a second timer, which runs on the
   thread's CPU time beside the event, finds the thread.  If no such call comes soon, they
   count where the thread is.

   Owns the timers and the descriptors of the events.  The descriptors have high numbers,
   are closed by exec, and are never more than a quarter of those that the program may
   have.  */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

#include "rt/os/timer.h"
#include "rt/unwind/cpu.h"
#include "rt/sample/carryover.h"
#include "rt/sample/engine.h"

/* The first number for descriptors, if the limit allows, and the most descriptors.  */
#define TASK_CLOCK_FD_FROM 700
#define TASK_CLOCK_FD_MOST 256
/* If the program may have fewer descriptors than this, the engine takes none.  */
#define TASK_CLOCK_FD_FEW 64

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

static _Atomic int descriptors;

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

/* Moves the descriptor away from the numbers that the program will get for its files;
   returns -1, with the descriptor closed, if no number is free.  */
static int task_clock_move_up(int fd, int limit)
{
    int from = limit < 2 * TASK_CLOCK_FD_FROM ? limit / 2 : TASK_CLOCK_FD_FROM;
    int up = ccprof_sys_move_up(fd, from), error = errno;
    if (up != fd)
        return up;
    ccprof_sys_close(fd);
    errno = error;
    return -1;
}

static int task_clock_limit(void)
{
    struct rlimit limit = {0, 0};
    syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
    return limit.rlim_cur < 1 << 20 ? (int)limit.rlim_cur : 1 << 20;
}

static uint64_t task_clock_delay(const struct ccprof_interval *interval, uint64_t now)
{
    uint64_t delay = ccprof_interval_wait(interval, now);
    uint64_t least =
        (now < interval->period ? now : interval->period) / TASK_CLOCK_LEAST_PART;
    if (least < TASK_CLOCK_LEAST)
        least = TASK_CLOCK_LEAST;
    return delay > least ? delay : least;
}

/* Plans the event for the next sample.  */
static void task_clock_set(struct ccprof_thread *thread, uint64_t now)
{
    thread->delay = task_clock_delay(&thread->interval, now);
    thread->planned = now + thread->delay;
}

static void task_clock_plan(struct ccprof_thread *thread, uint64_t now)
{
    task_clock_set(thread, now);
    syscall(SYS_ioctl, thread->handle, PERF_EVENT_IOC_PERIOD, &thread->delay);
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

static int task_clock_arm_in(struct ccprof_thread *thread, uint64_t period, int limit)
{
    uint64_t now = ccprof_sys_clock(ccprof_timer_clock(thread->tid));
    int fd;

    ccprof_carryover_begin(thread, period, now);
    task_clock_set(thread, now);
    fd = task_clock_open(thread->tid, thread->delay);
    if (fd < 0)
        return errno;
    fd = task_clock_move_up(fd, limit);
    if (fd < 0)
        return errno;
    thread->handle = fd;
    if (!task_clock_enable(fd, thread->tid)) {
        int error = errno;
        ccprof_sys_close(fd);
        return error;
    }
    task_clock_time_kernel(thread, period);
    return 0;
}

static int task_clock_arm(struct ccprof_thread *thread, uint64_t period)
{
    int limit = task_clock_limit();
    int error = EMFILE;

    if (atomic_fetch_add(&descriptors, 1) < TASK_CLOCK_FD_MOST &&
        limit >= TASK_CLOCK_FD_FEW && atomic_load(&descriptors) <= limit / 4)
        error = task_clock_arm_in(thread, period, limit);
    if (error)
        atomic_fetch_sub(&descriptors, 1);
    return error;
}

/* Returns whether the descriptor is still the event, and who gets its signals: the
   program may have closed the descriptor and opened a file under its number.  */
static bool task_clock_owner(const struct ccprof_thread *thread, pid_t *tid)
{
    struct f_owner_ex owner = {0, 0};
    bool ours = ccprof_sys_fcntl(thread->handle, F_GETOWN_EX, (long)&owner) == 0 &&
                owner.type == F_OWNER_TID &&
                ccprof_sys_fcntl(thread->handle, F_GETSIG, 0) == SIGPROF;
    *tid = owner.pid;
    return ours;
}

static bool task_clock_is_armed(const struct ccprof_thread *thread)
{
    pid_t owner;
    return task_clock_owner(thread, &owner) && owner == thread->tid;
}

/* The owner is 0 after the end of the thread.  */
static bool task_clock_is_ours(const struct ccprof_thread *thread)
{
    pid_t owner;
    return task_clock_owner(thread, &owner) && (owner == thread->tid || owner == 0);
}

static void task_clock_drop(struct ccprof_thread *thread)
{
    atomic_fetch_sub(&descriptors, 1);
    if (task_clock_is_ours(thread))
        ccprof_sys_close(thread->handle);
}

static void task_clock_disarm(struct ccprof_thread *thread)
{
    if (thread->ending)
        ccprof_carryover_end(thread, ccprof_sys_clock(ccprof_timer_clock(thread->tid)));
    if (thread->kernel_timer != -1)
        ccprof_timer_delete(thread->kernel_timer);
    /* A child of the process may have the descriptor, too, and so keep the event
       alive.  */
    if (task_clock_is_ours(thread))
        syscall(SYS_ioctl, thread->handle, PERF_EVENT_IOC_DISABLE, 0);
    task_clock_drop(thread);
}

/* Returns how often the event has come in the kernel, where it is silent, since it was
   planned.  After each silent event the next one comes after the same delay.  */
static uint64_t task_clock_silent(const struct ccprof_thread *thread, uint64_t now)
{
    uint64_t late = now > thread->planned ? now - thread->planned : 0;
    return (late + thread->delay / 2) / thread->delay;
}

/* Divides the DUE samples after the event has come in the kernel SILENT times.  The first
   sample was due in the kernel.  The other samples are divided between this address and
   the kernel in the ratio of the events after that; the remainder goes to one of them at
   random.  Returns the samples for this address.  */
static uint64_t task_clock_after_kernel(struct ccprof_thread *thread, uint64_t due,
                                        uint64_t silent, uint64_t now)
{
    uint64_t here = 0;
    if (due > 1)
        here = (due - 1 + ccprof_interval_pick(&thread->interval, silent)) / silent;
    if (thread->kernel == 0)
        thread->kernel_since = now;
    thread->kernel += due - here;
    return here;
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
    task_clock_plan(thread, now);
    return due + task_clock_waited(thread, now);
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
    task_clock_plan(thread, now);
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
    return info->si_code > 0 && info->si_fd == thread->handle ? task_clock_here(thread)
                                                              : 0;
}

const struct ccprof_engine ccprof_engine_task_clock = {
    "task-clock",    task_clock_arm,      task_clock_disarm,
    task_clock_drop, task_clock_is_armed, task_clock_take};
