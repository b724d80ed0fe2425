/* SPDX-License-Identifier: MIT */
/* Samples each thread with the kernel's event task-clock: a high-resolution timer that
   runs while the thread runs. It does not depend on the kernel's tick.

   The runtime keeps no descriptor open, since the program may close any descriptor and
   may count its descriptors. Each event is mapped, which keeps it alive, and its
   descriptor is closed at once. Without a descriptor the delay of an event cannot be
   changed, so the event comes at regular intervals of CPU time, between half a period
   and a whole period. A sample is due at a random moment (engine.h) and is taken at
   the next event. The delay is chosen randomly for each thread, so no program can run
   in step with it.

   If the first sample of a thread is due less than half a period after its start, a
   second event comes once at that moment. Both events are made at the start, so that
   no later system call is needed, which a seccomp filter might refuse.

   The event sends no signal while the kernel works for the thread. Otherwise a signal
   could stay pending during an exec and kill the new program. At the next signal, the
   thread's CPU clock shows how many samples are due for the kernel time. These
   samples wait for the signal of a second timer, on the thread's CPU time, that finds
   the thread in the kernel (engine.h). While samples wait, this signal comes at every
   tick, so that a short process does not end before it. If that takes too long, the
   samples are counted at the place where the thread is then.

   An event represents the time from half a delay before it to half a delay after it.
   Otherwise the samples due between the last event and the end of a process would be
   missing.

   Owns the timers and the mappings of the events. Called when threads are armed, and
   by the SIGPROF handler. */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "rt/os/timer.h"
#include "rt/sampler/engine.h"

/* The maximum number of threads with events, and the number of pages per thread. The
   kernel limits the number of pages that a user's events lock (perf_event_mlock_kb:
   129 pages per processor, then RLIMIT_MEMLOCK). */
#define TASK_CLOCK_MOST  256
#define TASK_CLOCK_PAGES 2

/* The minimum delay of the event is a period divided by PART (or the thread's CPU time
   so far divided by PART, if that is less), and at least LEAST nanoseconds. An event
   in the kernel sends no signal and comes again after the same delay. In virtual
   machines an interrupt may take about as long as a very short delay, so the thread
   would hardly make progress. */
#define TASK_CLOCK_LEAST_PART 8
#define TASK_CLOCK_LEAST      30000

/* Maximum time that samples of kernel time wait for a signal in the kernel: WAIT
   periods plus WAIT_TIME nanoseconds. */
#define TASK_CLOCK_WAIT      4
#define TASK_CLOCK_WAIT_TIME 16000000

/* If the event sends no signal for this number of periods, the thread is assumed to have
   been in the kernel nearly all the time, unless the ticks show user time. */
#define TASK_CLOCK_SILENT 16

/* If the ticks show more than this number of periods of user time that was not sampled,
   the event is assumed not to have come. */
#define TASK_CLOCK_MISSED 8

/* Maximum number of periods of user time that are remembered as not sampled yet. */
#define TASK_CLOCK_UNSEEN 64

/* The pages for events. They are reserved at the start: if the kernel chose an
   address later, it might be one that the program has just unmapped and is about to
   map again. */
static struct {
    char *start; /* null: not reserved */
    size_t page; /* page size in bytes */
    _Atomic bool used[TASK_CLOCK_MOST];
} pages;

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

/* Returns the delay of a thread's first event. The first sample is taken at this
   event or at the second one. */
static uint32_t task_clock_first(const struct ccprof_interval *interval, uint64_t now)
{
    uint64_t delay = ccprof_interval_wait(interval, now);
    uint64_t least =
        (now < interval->period ? now : interval->period) / TASK_CLOCK_LEAST_PART;
    if (least < TASK_CLOCK_LEAST)
        least = TASK_CLOCK_LEAST;
    if (delay > interval->period)
        delay /= 2;
    return (uint32_t)(delay > least ? delay : least);
}

/* Returns whether DELAY is the delay of the regular event; otherwise it is the delay
   of the event that comes once. */
static bool task_clock_is_regular(uint64_t delay, uint64_t period)
{
    return delay >= period / 2;
}

/* Makes the event send SIGPROF to the thread, and starts it. ONCE: the event ends
   after its first signal. */
static bool task_clock_enable(int fd, pid_t tid, bool once)
{
    struct f_owner_ex owner = {F_OWNER_TID, tid};
    return ccprof_sys_fcntl(fd, F_SETOWN_EX, (long)&owner) == 0 &&
           ccprof_sys_fcntl(fd, F_SETSIG, SIGPROF) == 0 &&
           ccprof_sys_fcntl(fd, F_SETFL, O_RDWR | O_ASYNC) == 0 &&
           syscall(SYS_ioctl, fd, once ? PERF_EVENT_IOC_REFRESH : PERF_EVENT_IOC_ENABLE,
                   once) == 0;
}

/* Returns whether FD still refers to the thread's event. Another thread may have
   closed the descriptor and opened a file under the same number. ERROR is the error
   of task_clock_enable, or 0. After an error the answer follows from ERROR, since a
   seccomp filter would refuse this check, too. */
static bool task_clock_owns_descriptor(int fd, pid_t tid, int error)
{
    struct f_owner_ex owner = {0, 0};

    if (error)
        return error != EBADF && error != ENOTTY;
    return ccprof_sys_fcntl(fd, F_GETOWN_EX, (long)&owner) == 0 &&
           owner.type == F_OWNER_TID && owner.pid == tid &&
           ccprof_sys_fcntl(fd, F_GETSIG, 0) == SIGPROF;
}

/* Reserves SIZE bytes of addresses by mapping them without access. ADDRESS and FLAGS
   choose the address as for mmap. Returns null on errors. */
static char *task_clock_reserve(char *address, size_t size, int flags)
{
    long got = syscall(SYS_mmap, address, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    return got == -1 ? NULL : (char *)got;
}

/* Returns the pages for a thread, or null. Only one thread at a time arms threads. */
static char *task_clock_take_pages(void)
{
    const size_t each = TASK_CLOCK_PAGES;

    if (!pages.start) {
        pages.page = getauxval(AT_PAGESZ);
        pages.start = task_clock_reserve(NULL, TASK_CLOCK_MOST * each * pages.page, 0);
    }
    for (size_t i = 0; pages.start && i < TASK_CLOCK_MOST; i++)
        if (!atomic_exchange(&pages.used[i], true))
            return pages.start + i * each * pages.page;
    return NULL;
}

static void task_clock_give_pages(char *address)
{
    atomic_store(
        &pages.used[(size_t)(address - pages.start) / (TASK_CLOCK_PAGES * pages.page)],
        false);
}

/* Ends the events of a thread. */
static void task_clock_end(char *address)
{
    task_clock_reserve(address, TASK_CLOCK_PAGES * pages.page, MAP_FIXED);
    task_clock_give_pages(address);
}

/* Starts an event of the thread, and maps it at the page ADDRESS to keep it alive.
   Returns 0 or an errno value. */
static int task_clock_start_event(struct ccprof_thread *thread, uint64_t delay, bool once,
                                  char *address)
{
    int fd = task_clock_open(thread->tid, delay), error = 0;

    if (fd < 0)
        return errno;
    if (syscall(SYS_mmap, address, pages.page, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
                0) == -1 ||
        !task_clock_enable(fd, thread->tid, once))
        error = errno;
    if (task_clock_owns_descriptor(fd, thread->tid, error))
        ccprof_sys_close(fd);
    return error;
}

/* Starts the second timer. If the kernel has no timer left, samples of kernel time
   are taken at the event. */
static void task_clock_start_timer(struct ccprof_thread *thread, uint64_t period)
{
    uint64_t first = ccprof_timer_phase(period), late = ccprof_timer_tick() / 2;
    int timer;

    /* The signal comes at a tick, half a tick late on average. */
    first = first > late ? first - late : 1;
    if (ccprof_timer_make(&timer, ccprof_timer_clock(thread->tid), SIGPROF, thread->tid,
                          thread) == 0 &&
        ccprof_timer_start(timer, first, period) == 0)
        thread->kernel_timer = timer;
    else
        thread->kernel_timer = -1;
}

/* Starts the thread's one or two events. */
static int task_clock_start_events(struct ccprof_thread *thread, uint64_t period,
                                   char *address)
{
    uint64_t delay;
    int error;

    thread->has_two_events = !task_clock_is_regular(thread->delay, period);
    delay = thread->delay + (thread->has_two_events ? period / 2 : 0);
    error = task_clock_start_event(thread, delay, false, address);
    if (!error && thread->has_two_events)
        error = task_clock_start_event(thread, thread->delay, true, address + pages.page);
    return error;
}

static int task_clock_arm(struct ccprof_thread *thread, uint64_t period)
{
    uint64_t now = ccprof_sys_clock(ccprof_timer_clock(thread->tid));
    char *address = task_clock_take_pages();
    int error;

    if (!address)
        return EMFILE;
    ccprof_remainder_resume(thread, period, now);
    thread->has_left_sample = false;
    thread->ticks = (struct ccprof_ticks){0};
    thread->delay = task_clock_first(&thread->interval, now);
    thread->planned = now + thread->delay;
    error = task_clock_start_events(thread, period, address);
    if (error) {
        task_clock_end(address);
        return error;
    }
    thread->event = address;
    task_clock_start_timer(thread, period);
    return 0;
}

/* The thread of an event cannot be queried, so this compares CPU times. A new thread
   with the number of an ended thread has used less CPU time than that thread, and a
   thread that has ended has no clock. */
static bool task_clock_is_armed(const struct ccprof_thread *thread)
{
    return thread->event &&
           ccprof_sys_clock(ccprof_timer_clock(thread->tid)) + thread->delay >=
               thread->planned;
}

/* Reserves a page of an event again. Returns false if the page has been mapped for
   another purpose. */
static bool task_clock_reserve_again(char *address)
{
    char *got = task_clock_reserve(address, pages.page, MAP_FIXED_NOREPLACE);

    if (got && got != address)
        syscall(SYS_munmap, got, pages.page);
    return got == address;
}

/* The kernel does not copy the pages of events to the child of a fork, so they are
   reserved again. Pages that have been mapped for another purpose are never used
   again. */
static void task_clock_drop(struct ccprof_thread *thread)
{
    if (task_clock_reserve_again(thread->event) &&
        (!thread->has_two_events || task_clock_reserve_again(thread->event + pages.page)))
        task_clock_give_pages(thread->event);
}

static void task_clock_disarm(struct ccprof_thread *thread)
{
    thread->kernel += thread->has_left_sample;
    if (thread->ending)
        ccprof_remainder_keep(thread, ccprof_sys_clock(ccprof_timer_clock(thread->tid)));
    if (thread->kernel_timer != -1)
        ccprof_timer_delete(thread->kernel_timer);
    task_clock_end(thread->event);
}

/* Plans the next event after the event at NOW. After the event that comes once, this
   is the next regular event. */
static void task_clock_plan_next(struct ccprof_thread *thread, uint64_t now)
{
    uint64_t period = thread->interval.period, start = thread->planned - thread->delay;

    if (task_clock_is_regular(thread->delay, period)) {
        thread->planned = now + thread->delay;
        return;
    }
    thread->delay += period / 2;
    thread->planned = start + ((now - start) / thread->delay + 1) * thread->delay;
}

/* Returns the number of events since the planned time that came in the kernel and
   therefore sent no signal. Each of them is followed by the next event after the same
   delay. In user mode an event sends its signal at once, but if the program blocks
   SIGPROF, the signal arrives at the system call that unblocks it. Then no event was
   silent: the ticks show user time that has not been sampled. */
static uint64_t task_clock_silent(const struct ccprof_thread *thread, uint64_t now,
                                  bool at_call)
{
    uint64_t passed = now > thread->planned ? now - thread->planned : 0;
    uint64_t silent = (passed + thread->delay / 2) / thread->delay;
    if (silent == 0 || !at_call)
        return silent;
    int64_t user = thread->ticks.unseen + (int64_t)ccprof_ticks_user(&thread->ticks);
    return user > (int64_t)(passed / 2) ? 0 : silent;
}

/* Divides the DUE samples, which became due since the previous signal, equally among
   SILENT events in the kernel and this event. A remainder goes to one of these at
   random. Adds the kernel's samples to the waiting ones, and returns the samples of
   this event. */
static uint64_t task_clock_divide_due(struct ccprof_thread *thread, uint64_t due,
                                      uint64_t silent, uint64_t now)
{
    uint64_t all = silent + 1;
    uint64_t here = (due + ccprof_interval_pick(&thread->interval, all)) / all;

    if (thread->kernel == 0)
        thread->kernel_since = now;
    thread->kernel += (uint32_t)(due - here);
    return here;
}

/* If several samples are due, leaves one for the next event, since two samples at
   different moments show more than two at the same moment. Returns the samples to
   take now. */
static uint64_t task_clock_leave_one(struct ccprof_thread *thread, uint64_t due)
{
    due += thread->has_left_sample;
    thread->has_left_sample = due > 1;
    return due - thread->has_left_sample;
}

/* Returns the samples of kernel time that have waited too long. These samples are
   counted at the place in the code where the thread is now. */
static uint64_t task_clock_take_expired(struct ccprof_thread *thread, uint64_t now)
{
    uint64_t kernel = thread->kernel;
    if (kernel == 0 ||
        now - thread->kernel_since <
            TASK_CLOCK_WAIT * thread->interval.period + TASK_CLOCK_WAIT_TIME)
        return 0;
    thread->kernel = 0;
    return kernel;
}

/* Subtracts DUE samples in user mode from the user time that has not been sampled yet. */
static void task_clock_subtract_user(struct ccprof_thread *thread, uint64_t due)
{
    int64_t most = TASK_CLOCK_UNSEEN * (int64_t)thread->interval.period;
    int64_t unseen = thread->ticks.unseen - (int64_t)(due * thread->interval.period);

    thread->ticks.unseen = unseen > most ? most : unseen < -most ? -most : unseen;
}

/* While samples wait for kernel time, makes the signal of the second timer come at the
   next tick. */
static void task_clock_hurry(const struct ccprof_thread *thread)
{
    if (thread->kernel != 0 && thread->kernel_timer != -1 &&
        thread->interval.period > ccprof_timer_tick())
        ccprof_timer_in(thread->kernel_timer, 1, thread->interval.period);
}

/* Takes the samples at a signal of the event. */
static struct ccprof_taken task_clock_at_event(struct ccprof_thread *thread, bool at_call)
{
    struct ccprof_taken taken = {0};
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    uint64_t silent = task_clock_silent(thread, now, at_call);
    uint64_t due = ccprof_interval_take(&thread->interval, now + thread->delay / 2);

    if (silent != 0)
        due = task_clock_divide_due(thread, due, silent, now);
    task_clock_subtract_user(thread, due);
    task_clock_plan_next(thread, now);
    taken.kernel = task_clock_take_expired(thread, now);
    task_clock_hurry(thread);
    taken.samples = taken.kernel + task_clock_leave_one(thread, due);
    return taken;
}

/* Returns how many of DUE samples, for which no signal of the event came, are user time
   by the ticks. In a thread that runs only a few microseconds in user mode between
   waits, the event seldom falls. LEAST periods of user time may be missing. */
static uint64_t task_clock_user(struct ccprof_thread *thread, uint64_t due, int64_t least)
{
    int64_t user = thread->ticks.unseen / (int64_t)thread->interval.period - least;

    if (user < 0)
        user = 0;
    if ((uint64_t)user < due)
        due = (uint64_t)user;
    task_clock_subtract_user(thread, due);
    return due;
}

/* Takes the due samples if no signal of the event has come for many periods. */
static struct ccprof_taken task_clock_without_event(struct ccprof_thread *thread)
{
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    struct ccprof_taken taken = {0};

    if (ccprof_interval_late(&thread->interval, now) <
        TASK_CLOCK_SILENT * thread->interval.period)
        return taken;
    taken.samples = ccprof_interval_take(&thread->interval, now);
    taken.kernel = taken.samples - task_clock_user(thread, taken.samples, 0);
    task_clock_plan_next(thread, now);
    return taken;
}

/* Handles the events that should have come but sent no signal, since they came in the
   kernel. The samples due at the last of them are kernel time, except for user time
   that the ticks show: returns its samples. */
static uint64_t task_clock_find_silent(struct ccprof_thread *thread)
{
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID), last, due, user;

    if (now <= thread->planned)
        return 0;
    last = now - (now - thread->planned) % thread->delay;
    thread->planned = last + thread->delay;
    due = ccprof_interval_take(&thread->interval, last + thread->delay / 2);
    user = task_clock_user(thread, due, TASK_CLOCK_MISSED);
    if (thread->kernel == 0)
        thread->kernel_since = now;
    thread->kernel += (uint32_t)(due - user);
    return user;
}

/* Returns whether the signal of the second timer arrived at the system call that
   unblocks SIGPROF. Otherwise it would have come after a period. The signal of the
   event follows immediately: no event was silent. */
static bool task_clock_was_blocked(struct ccprof_thread *thread, bool at_call)
{
    if (!at_call || thread->ticks.all == 0 ||
        ccprof_ticks_user(&thread->ticks) < thread->interval.period + ccprof_timer_tick())
        return false;
    uint64_t now = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    if (thread->planned < now)
        thread->planned = now;
    return true;
}

/* Takes the samples at a signal of the second timer: those that wait for kernel time, if
   the thread is in the kernel. */
static struct ccprof_taken task_clock_at_timer(struct ccprof_thread *thread, bool at_call)
{
    struct ccprof_taken taken = {0};
    bool was_blocked = task_clock_was_blocked(thread, at_call);

    if (!ccprof_ticks_are_kernel(&thread->ticks, at_call) || was_blocked) {
        taken = task_clock_without_event(thread);
        task_clock_hurry(thread);
        return taken;
    }
    taken.samples = task_clock_find_silent(thread);
    taken.kernel = thread->kernel;
    thread->kernel = 0;
    taken.samples += taken.kernel;
    taken.interrupted = !at_call;
    return taken;
}

static struct ccprof_taken task_clock_take(struct ccprof_thread *thread,
                                           const siginfo_t *info, bool at_call)
{
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == thread)
        return task_clock_at_timer(thread, at_call);
    return info->si_code > 0 ? task_clock_at_event(thread, at_call)
                             : (struct ccprof_taken){0};
}

const struct ccprof_engine ccprof_engine_task_clock = {
    "task-clock",    task_clock_arm,      task_clock_disarm,
    task_clock_drop, task_clock_is_armed, task_clock_take};
