/* SPDX-License-Identifier: MIT */
/* Replaces prctl and syscall, to act before a thread enters the strict mode of
   seccomp, and to pass system calls with sets of signals to their replacements. Owns
   nothing. Runs when the program calls these functions. */

#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "rt/os/lock.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/regions/regions.h"
#include "rt/heap/heap.h"
#include "rt/process/exit.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/entry/hooks.h"
#include "rt/entry/thread-create.h"

/* Blocks the signals whose handlers in the runtime make system calls. The signals
   that end the program are not blocked; they get their default actions. */
static void strict_block_signals(void)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;
    ccprof_sys_signals set = 0;

    if (ccprof_run.signal_is_ours && ccprof_run.signal_is_ours())
        set |= CCPROF_SYS_SIGNAL(SIGPROF);
    if (settings->write)
        set |= CCPROF_SYS_SIGNAL(settings->write);
    if (settings->toggle)
        set |= CCPROF_SYS_SIGNAL(settings->toggle);
    ccprof_sys_mask(SIG_BLOCK, set, NULL);
}

/* Ends the calling thread for the runtime, if the run belongs to this process. */
static void strict_end_thread(bool goes_on)
{
    if (ccprof_run_exists() && atomic_load(&ccprof_run.owner) == ccprof_sys_getpid())
        ccprof_thread_create_end(goes_on);
}

/* Writes the profile, since nothing can be written in strict mode. If the process
   continues with other threads, a later file replaces this one. Does nothing if
   seccomp is already active, since its mode cannot be changed any more. */
static void strict_prepare(void)
{
    int saved = errno;

    if (syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_DISABLED) {
        ccprof_end_resume(ccprof_end_for_now());
        if (ccprof_run_exists())
            strict_block_signals();
        strict_end_thread(true);
        ccprof_regions_guard();
        ccprof_heap_leave_out();
        ccprof_exit_restore_defaults();
        ccprof_strict = true;
    }
    errno = saved;
}

/* A filter may forbid to open files. */
static bool strict_is_prctl(int option, unsigned long a)
{
    if (option == PR_SET_SECCOMP && a == SECCOMP_MODE_FILTER)
        ccprof_thread_ready_stop();
    return option == PR_SET_SECCOMP && a == SECCOMP_MODE_STRICT;
}

int ccprof_strict_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                        unsigned long d)
{
    if (strict_is_prctl(option, a))
        strict_prepare();
    return (int)syscall(SYS_prctl, option, a, b, c, d);
}

/* A thread that ends itself with the system call runs no destructors of libc. The
   runtime must forget the thread here, since later the thread's memory may not exist
   any more. The system calls handled here have at most five arguments. */
static __attribute__((noinline)) long strict_handle_call(long number, long a, long b,
                                                         long c, long d, long e)
{
    if (number == SYS_signalfd4 && c == sizeof(ccprof_sys_signals))
        return ccprof_hooks_signalfd((int)a, (const sigset_t *)b, (int)d);
    if (number == SYS_rt_sigpending && b == sizeof(ccprof_sys_signals))
        return ccprof_hooks_sigpending((sigset_t *)a);
    if (number == SYS_rt_sigtimedwait && d == sizeof(ccprof_sys_signals))
        return ccprof_hooks_sigtimedwait((const sigset_t *)a, (siginfo_t *)b,
                                         (const struct timespec *)c);
    if (number == SYS_exit) {
        if (!ccprof_strict)
            strict_end_thread(false);
    } else if (number == SYS_seccomp && a == SECCOMP_SET_MODE_FILTER) {
        ccprof_thread_ready_stop();
    } else if (number == SYS_prctl
                   ? strict_is_prctl((int)a, (unsigned long)b)
                   : number == SYS_seccomp && a == SECCOMP_SET_MODE_STRICT && b == 0 &&
                         c == 0) {
        strict_prepare();
    }
    return syscall(number, a, b, c, d, e);
}

/* All other system calls must be made by a jump, since some return twice. The last
   argument stays in its place, on x86-64 the first word of the caller's stack. If the
   caller passes fewer arguments, that word is a variable of the caller, which other
   threads may change at any time. */
long ccprof_strict_syscall(long number, long a, long b, long c, long d,
                           long e CCPROF_STRICT_LAST(long f))
{
    ccprof_last_call = (struct ccprof_last_call){number, {(uint64_t)a, (uint64_t)b}};
    switch (number) {
    case SYS_prctl:
    case SYS_seccomp:
    case SYS_exit:
    case SYS_signalfd4:
    case SYS_rt_sigpending:
    case SYS_rt_sigtimedwait:
        return strict_handle_call(number, a, b, c, d, e);
    }
    return syscall(number, a, b, c, d, e CCPROF_STRICT_LAST(f));
}
