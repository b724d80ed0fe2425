/* SPDX-License-Identifier: MIT */
/* The replacements of libc's functions that libccprof.so.1 and libccprof.a have in
   common: exec, functions that concern SIGPROF or change a signal's action, and
   longjmp. Owns nothing. Runs when the program calls these functions. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "rt/format.h"
#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/regions/regions.h"
#include "rt/sampler/sampler.h"
#include "rt/heap/heap.h"
#include "rt/wait/wait.h"
#include "rt/process/children.h"
#include "rt/process/exit.h"
#include "rt/process/request.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/process/write.h"
#include "rt/entry/hooks.h"

/* Returns whether a file is worth writing before the exec. The child of a fork
   usually does very little before its exec, so counters that it inherited do not
   count. */
static bool exec_has_measured(void)
{
    if (atomic_load(&ccprof_run.memory->table.samples) != 0 || ccprof_regions_ended())
        return true;
    return !ccprof_run.is_child && ((ccprof_run.kinds & CCPROF_KINDS_COUNTED) ||
                                    ccprof_regions_any() || ccprof_heap_is_on());
}

static void exec_write(void)
{
    if (!ccprof_run_exists() || atomic_load(&ccprof_run.owner) != ccprof_sys_getpid())
        return;
    bool has_time = ccprof_children_close();
    if (has_time || exec_has_measured())
        ccprof_write_so_far();
}

/* Returns RESULT. The program continues after an exec that failed. */
static int exec_failed(int result)
{
    if (atomic_load(&ccprof_run.phase) == CCPROF_PHASE_SAMPLING &&
        atomic_load(&ccprof_run.owner) == ccprof_sys_getpid())
        ccprof_children_open();
    return result;
}

/* Returns whether PATH is executable. If not, the exec fails and no file is needed. */
static bool exec_is_possible(int folder, const char *path)
{
    return syscall(SYS_faccessat, folder, path, X_OK) == 0;
}

int ccprof_hooks_execve(const char *path, char *const argument[], char *const variable[])
{
    int saved = errno;
    if (path && exec_is_possible(AT_FDCWD, path))
        exec_write();
    errno = saved;
    return exec_failed(ccprof_libc.execve(path, argument, variable));
}

int ccprof_hooks_execv(const char *path, char *const argument[])
{
    return ccprof_hooks_execve(path, argument, environ);
}

int ccprof_hooks_execvpe(const char *file, char *const argument[], char *const variable[])
{
    int saved = errno;
    if (!strchr(file, '/') || exec_is_possible(AT_FDCWD, file))
        exec_write();
    errno = saved;
    return exec_failed(ccprof_libc.execvpe(file, argument, variable));
}

int ccprof_hooks_execvp(const char *file, char *const argument[])
{
    return ccprof_hooks_execvpe(file, argument, environ);
}

int ccprof_hooks_execveat(int folder, const char *path, char *const argument[],
                          char *const variable[], int flags)
{
    int saved = errno;
    exec_write();
    errno = saved;
    return exec_failed(
        (int)syscall(SYS_execveat, folder, path, argument, variable, flags));
}

/* If the kernel has no execveat, uses the path of the descriptor in /proc. */
int ccprof_hooks_fexecve(int fd, char *const argument[], char *const variable[])
{
    char path[40];
    struct ccprof_text text;

    if (fd < 0 || !argument || !variable) {
        errno = EINVAL;
        return -1;
    }
    ccprof_hooks_execveat(fd, "", argument, variable, AT_EMPTY_PATH);
    if (errno != ENOSYS)
        return -1;
    ccprof_text_open(&text, path, sizeof path, NULL);
    ccprof_text_string(&text, "/proc/self/fd/");
    ccprof_text_decimal(&text, (uint64_t)fd);
    ccprof_text_end(&text);
    return ccprof_libc.execve(path, argument, variable);
}

int ccprof_hooks_execl(const char *path, const char *first, ...)
{
    int result;
    CCPROF_HOOKS_EXEC_LIST(first, result = ccprof_hooks_execve(path, argument, environ));
    return result;
}

int ccprof_hooks_execlp(const char *file, const char *first, ...)
{
    int result;
    CCPROF_HOOKS_EXEC_LIST(first, result = ccprof_hooks_execvpe(file, argument, environ));
    return result;
}

int ccprof_hooks_execle(const char *path, const char *first, ...)
{
    int result;
    CCPROF_HOOKS_EXEC_LIST(
        first, result = ccprof_hooks_execve(path, argument, va_arg(list, char *const *)));
    return result;
}

#define SECOND 1000000000u

/* Handles the program's action for a signal that the runtime uses itself. Returns
   whether the call is complete. */
static bool hooks_program_action(int number, const struct sigaction *action,
                                 struct sigaction *old)
{
    return (number == SIGPROF && ccprof_handler_program(action, old)) ||
           (number == CCPROF_REQUEST_SIGNAL && ccprof_request_program(action, old));
}

int ccprof_hooks_sigaction(int number, const struct sigaction *action,
                           struct sigaction *old)
{
    if (hooks_program_action(number, action, old))
        return 0;
    return ccprof_exit_sigaction(number, action, old);
}

/* Implements signal and sysv_signal. LIBC is libc's function, for all other cases, and
   FLAGS are those of its actions. */
static ccprof_hooks_handler
sigprof_signal(int number, ccprof_hooks_handler handler, int flags,
               ccprof_hooks_handler (*libc)(int, ccprof_hooks_handler))
{
    struct sigaction action, old;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    if (flags == SA_RESTART && number > 0 && number < _NSIG)
        memcpy(&action.sa_mask, &(ccprof_sys_signals){CCPROF_SYS_SIGNAL(number)},
               sizeof(ccprof_sys_signals));
    if (hooks_program_action(number, &action, &old))
        return old.sa_handler;
    /* Other handlers must be installed by LIBC, since the flags of the handler depend
       on the function. */
    if (handler == SIG_DFL)
        return ccprof_exit_sigaction(number, &action, &old) == 0 ? old.sa_handler
                                                                 : SIG_ERR;
    return ccprof_exit_visible_handler(libc(number, handler));
}

ccprof_hooks_handler ccprof_hooks_signal(int number, ccprof_hooks_handler handler)
{
    return sigprof_signal(number, handler, SA_RESTART, ccprof_libc.signal);
}

ccprof_hooks_handler ccprof_hooks_sysv_signal(int number, ccprof_hooks_handler handler)
{
    return sigprof_signal(number, handler, (int)SA_RESETHAND | SA_NODEFER,
                          ccprof_libc.sysv_signal);
}

int ccprof_hooks_sigignore(int number)
{
    const struct sigaction action = {.sa_handler = SIG_IGN};

    return ccprof_hooks_sigaction(number, &action, NULL);
}

ccprof_hooks_handler ccprof_hooks_sigset(int number, ccprof_hooks_handler handler)
{
    const struct sigaction action = {.sa_handler = handler};
    struct sigaction old;
    sigset_t set, mask;
    const bool holds = handler == SIG_HOLD;

    sigemptyset(&set);
    if (handler == SIG_ERR || sigaddset(&set, number) != 0) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if (ccprof_hooks_sigaction(number, holds ? NULL : &action, &old) != 0 ||
        sigprocmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &set, &mask) != 0)
        return SIG_ERR;
    return sigismember(&mask, number) == 1 ? SIG_HOLD : old.sa_handler;
}

/* Waits for a signal, at most until the time UNTIL of CLOCK_MONOTONIC in nanoseconds;
   0 means no time limit. */
static int sigprof_wait(const sigset_t *set, siginfo_t *info, uint64_t until)
{
    uint64_t now = until ? ccprof_sys_clock(CLOCK_MONOTONIC) : 0;
    uint64_t left = until > now ? until - now : 0;
    struct timespec timeout = {(time_t)(left / SECOND), (long)(left % SECOND)};

    return ccprof_libc.sigtimedwait(set, info, until ? &timeout : NULL);
}

static int sigprof_wait_for_program(const sigset_t *set, siginfo_t *info, uint64_t until)
{
    siginfo_t information;
    int number;

    if (!info)
        info = &information;
    do
        number = sigprof_wait(set, info, until);
    while ((number == SIGPROF && ccprof_sampler_is_ours(info)) ||
           (number == CCPROF_REQUEST_SIGNAL && ccprof_request_serve(info)));
    return number;
}

int ccprof_hooks_sigwait(const sigset_t *set, int *number)
{
    int saved = errno, error = 0, got;

    do
        got = sigprof_wait_for_program(set, NULL, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        error = errno;
    else
        *number = got;
    errno = saved;
    return error;
}

int ccprof_hooks_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    return sigprof_wait_for_program(set, info, 0);
}

int ccprof_hooks_sigtimedwait(const sigset_t *set, siginfo_t *info,
                              const struct timespec *timeout)
{
    uint64_t until = 0;

    /* Let libc report an invalid timeout. */
    if (timeout && (timeout->tv_sec < 0 || timeout->tv_nsec < 0 ||
                    (unsigned long)timeout->tv_nsec >= SECOND))
        return ccprof_libc.sigtimedwait(set, info, timeout);
    if (timeout && timeout->tv_sec < INT32_MAX)
        until = ccprof_sys_clock(CLOCK_MONOTONIC) + (uint64_t)timeout->tv_sec * SECOND +
                (uint64_t)timeout->tv_nsec;
    return sigprof_wait_for_program(set, info, until);
}

/* Removes all pending signals NUMBER. There may be several, since the signal of each
   timer is queued separately. Puts the last one back that is not the runtime's. If there
   is none, removes the signal from *SET. */
static void sigpending_hide(sigset_t *set, int number, bool (*is_ours)(const siginfo_t *))
{
    static const struct timespec now;
    ccprof_sys_signals only = CCPROF_SYS_SIGNAL(number);
    siginfo_t one, other;
    bool has_other = false;

    if (sigismember(set, number) != 1)
        return;
    while (syscall(SYS_rt_sigtimedwait, &only, &one, &now, sizeof only) == number) {
        if (is_ours(&one))
            continue;
        other = one;
        has_other = true;
    }
    if (has_other)
        ccprof_sys_put_back(number, &other);
    else
        sigdelset(set, number);
}

int ccprof_hooks_sigpending(sigset_t *set)
{
    int saved = errno;

    if (syscall(SYS_rt_sigpending, set, sizeof(ccprof_sys_signals)) != 0)
        return -1;
    if (ccprof_handler_is_installed())
        sigpending_hide(set, SIGPROF, ccprof_sampler_is_ours);
    if (ccprof_request_is_installed())
        sigpending_hide(set, CCPROF_REQUEST_SIGNAL, ccprof_request_serve);
    errno = saved;
    return 0;
}

static void jump_leave(const void *buffer)
{
    uintptr_t stack = ccprof_jump_stack(buffer);
    if (stack == 0)
        return;
    ccprof_regions_jump(buffer, stack);
    ccprof_wait_jump(stack);
}

void ccprof_hooks_longjmp(sigjmp_buf buffer, int value)
{
    jump_leave(buffer);
    ccprof_libc.siglongjmp(buffer, value);
}

void ccprof_hooks_longjmp_checked(sigjmp_buf buffer, int value)
{
    jump_leave(buffer);
    ccprof_libc.siglongjmp_checked(buffer, value);
}
