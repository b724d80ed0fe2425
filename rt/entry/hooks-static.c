/* SPDX-License-Identifier: MIT */
/* Defines replacements of libc's functions for statically linked programs. Owns
   nothing. libc's own calls of _exit and _Exit reach these definitions, too. The
   definitions are weak, since a program may have its own. They run when the program
   calls these functions; _exit also in signal handlers and children of vfork. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "rt/count/counts.h"
#include "rt/process/exit.h"
#include "rt/entry/hooks.h"
#include "rt/entry/thread-create.h"

#define COMES_BEFORE __attribute__((weak, visibility("default")))

/* Defines NAME, which calls its replacement. */
#define REPLACED(type, name, parameters, arguments)                                      \
    COMES_BEFORE type name parameters                                                    \
    {                                                                                    \
        return ccprof_hooks_##name arguments;                                            \
    }

typedef ccprof_hooks_handler handler;
typedef char *const *words;
typedef struct timespec timespec;

REPLACED(int, sigaction, (int a, const struct sigaction *b, struct sigaction *c),
         (a, b, c))
REPLACED(handler, signal, (int a, handler b), (a, b))
REPLACED(handler, sysv_signal, (int a, handler b), (a, b))
REPLACED(handler, sigset, (int a, handler b), (a, b))
REPLACED(int, sigignore, (int a), (a))
REPLACED(int, sigwait, (const sigset_t *a, int *b), (a, b))
REPLACED(int, sigwaitinfo, (const sigset_t *a, siginfo_t *b), (a, b))
REPLACED(int, sigtimedwait, (const sigset_t *a, siginfo_t *b, const timespec *c),
         (a, b, c))
REPLACED(int, sigpending, (sigset_t * a), (a))
REPLACED(int, signalfd, (int a, const sigset_t *b, int c), (a, b, c))
REPLACED(int, sigsuspend, (const sigset_t *a), (a))
REPLACED(int, ppoll, (struct pollfd * a, nfds_t b, const timespec *c, const sigset_t *d),
         (a, b, c, d))
REPLACED(int, pselect,
         (int a, fd_set *b, fd_set *c, fd_set *d, const timespec *e, const sigset_t *f),
         (a, b, c, d, e, f))
REPLACED(int, epoll_pwait,
         (int a, struct epoll_event *b, int c, int d, const sigset_t *e), (a, b, c, d, e))
REPLACED(int, execve, (const char *a, words b, words c), (a, b, c))
REPLACED(int, execv, (const char *a, words b), (a, b))
REPLACED(int, execvp, (const char *a, words b), (a, b))
REPLACED(int, execvpe, (const char *a, words b, words c), (a, b, c))
REPLACED(int, fexecve, (int a, words b, words c), (a, b, c))
REPLACED(int, execveat, (int a, const char *b, words c, words d, int e), (a, b, c, d, e))

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

/* sigsetjmp is missing, since libc has no second name for it. */
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

COMES_BEFORE int swapcontext(ucontext_t *previous, const ucontext_t *resumed)
{
    return ccprof_counts_park(ccprof_libc.swapcontext, previous, resumed);
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

void ccprof_hooks_remember(void)
{
}

void ccprof_hooks_set_remembered(void)
{
}

const char *ccprof_hooks_start_heap(uint64_t size, uint64_t least)
{
    (void)size;
    (void)least;
    return "the program is linked statically";
}

bool ccprof_hooks_start_wait(void)
{
    return false;
}
