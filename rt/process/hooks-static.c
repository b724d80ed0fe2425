/* SPDX-License-Identifier: MIT */
/* Defines replacements of libc's functions for statically linked programs.  Owns
   nothing. libc's own calls of _exit and _Exit reach these definitions, too.  The
   definitions are weak, since a program may have its own.  They run when the program
   calls these functions; _exit also in signal handlers and children of vfork.  */

#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "rt/count/counts.h"
#include "rt/process/exit.h"
#include "rt/process/hooks.h"
#include "rt/process/thread-create.h"

#define COMES_BEFORE __attribute__((weak, visibility("default")))

COMES_BEFORE int sigaction(int number, const struct sigaction *action,
                           struct sigaction *old)
{
    return ccprof_hooks_sigaction(number, action, old);
}

COMES_BEFORE ccprof_hooks_handler signal(int number, ccprof_hooks_handler handler)
{
    return ccprof_hooks_signal(number, handler);
}

COMES_BEFORE ccprof_hooks_handler sysv_signal(int number, ccprof_hooks_handler handler)
{
    return ccprof_hooks_sysv_signal(number, handler);
}

COMES_BEFORE int sigwait(const sigset_t *set, int *number)
{
    return ccprof_hooks_sigwait(set, number);
}

COMES_BEFORE int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    return ccprof_hooks_sigwaitinfo(set, info);
}

COMES_BEFORE int sigtimedwait(const sigset_t *set, siginfo_t *info,
                              const struct timespec *timeout)
{
    return ccprof_hooks_sigtimedwait(set, info, timeout);
}

COMES_BEFORE int sigpending(sigset_t *set)
{
    return ccprof_hooks_sigpending(set);
}

COMES_BEFORE ccprof_hooks_handler sigset(int number, ccprof_hooks_handler handler)
{
    return ccprof_hooks_sigset(number, handler);
}

COMES_BEFORE int sigignore(int number)
{
    return ccprof_hooks_sigignore(number);
}

COMES_BEFORE int signalfd(int fd, const sigset_t *set, int flags)
{
    return ccprof_hooks_signalfd(fd, set, flags);
}

COMES_BEFORE int sigsuspend(const sigset_t *mask)
{
    return ccprof_hooks_sigsuspend(mask);
}

COMES_BEFORE int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask)
{
    return ccprof_hooks_ppoll(files, count, timeout, mask);
}

COMES_BEFORE int pselect(int count, fd_set *readable, fd_set *writable,
                         fd_set *exceptional, const struct timespec *timeout,
                         const sigset_t *mask)
{
    return ccprof_hooks_pselect(count, readable, writable, exceptional, timeout, mask);
}

COMES_BEFORE int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout,
                             const sigset_t *mask)
{
    return ccprof_hooks_epoll_pwait(fd, events, most, timeout, mask);
}

COMES_BEFORE int prctl(int option, ...)
{
    va_list list;
    unsigned long argument[4];

    va_start(list, option);
    for (int i = 0; i < 4; i++)
        argument[i] = va_arg(list, unsigned long);
    va_end(list);
    return ccprof_strict_prctl(option, argument[0], argument[1], argument[2],
                               argument[3]);
}

/* sigsetjmp is missing, since libc has no second name for it.  */
COMES_BEFORE __attribute__((noreturn)) void longjmp(jmp_buf buffer, int value)
{
    ccprof_hooks_longjmp(buffer, value);
}

COMES_BEFORE __attribute__((noreturn)) void _longjmp(jmp_buf buffer, int value)
{
    ccprof_hooks_longjmp(buffer, value);
}

COMES_BEFORE __attribute__((noreturn)) void siglongjmp(sigjmp_buf buffer, int value)
{
    ccprof_hooks_longjmp(buffer, value);
}

COMES_BEFORE int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument)
{
    return ccprof_thread_create(thread, attributes, start, argument);
}

COMES_BEFORE int swapcontext(ucontext_t *out, const ucontext_t *in)
{
    return ccprof_counts_park(ccprof_libc.swapcontext, out, in);
}

COMES_BEFORE int execve(const char *path, char *const argument[], char *const variable[])
{
    return ccprof_hooks_execve(path, argument, variable);
}

COMES_BEFORE int execv(const char *path, char *const argument[])
{
    return ccprof_hooks_execv(path, argument);
}

COMES_BEFORE int execvp(const char *file, char *const argument[])
{
    return ccprof_hooks_execvp(file, argument);
}

COMES_BEFORE int execvpe(const char *file, char *const argument[], char *const variable[])
{
    return ccprof_hooks_execvpe(file, argument, variable);
}

COMES_BEFORE int fexecve(int fd, char *const argument[], char *const variable[])
{
    return ccprof_hooks_fexecve(fd, argument, variable);
}

COMES_BEFORE int execveat(int folder, const char *path, char *const argument[],
                          char *const variable[], int flags)
{
    return ccprof_hooks_execveat(folder, path, argument, variable, flags);
}

COMES_BEFORE int execl(const char *path, const char *first, ...)
{
    int result;
    CCPROF_HOOKS_EXEC_LIST(first, result = ccprof_hooks_execve(path, argument, environ));
    return result;
}

COMES_BEFORE int execlp(const char *file, const char *first, ...)
{
    int result;
    CCPROF_HOOKS_EXEC_LIST(first, result = ccprof_hooks_execvpe(file, argument, environ));
    return result;
}

COMES_BEFORE int execle(const char *path, const char *first, ...)
{
    int result;
    CCPROF_HOOKS_EXEC_LIST(
        first, result = ccprof_hooks_execve(path, argument, va_arg(list, char *const *)));
    return result;
}

__attribute__((weak, noreturn, visibility("default"))) void _exit(int status)
{
    ccprof_end_run(false);
    for (;;)
        syscall(SYS_exit_group, status);
}

__attribute__((weak, alias("_exit"), noreturn, visibility("default"))) void
_Exit(int status);

void ccprof_hooks_set(void)
{
}

const char *ccprof_hooks_start_heap(uint64_t size, uint64_t least)
{
    (void)size;
    (void)least;
    return "the program is linked statically";
}
