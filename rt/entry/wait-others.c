/* SPDX-License-Identifier: MIT */
/* The replacements of libc's other functions that wait (wait-calls.h): polls, sleeps,
   signals, children, asynchronous input and output, names, msync and fclose; and the
   function that finds all replacements. Owns nothing.

   Some of these functions have another replacement, because of the sampler's signal
   (hooks.h). It is called in place of libc's function. */

#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "rt/entry/hooks.h"
#include "rt/entry/wait-calls.h"

int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                const sigset_t *mask, size_t size);
int __xpg_sigpause(int number);

typedef const struct timespec *limit;
typedef const sigset_t *signals;

/* A poll for one descriptor waits for what that is. If poll fails, the address may be
   wrong. */
#define POLLED      (b == 1 && result >= 0 ? a->fd : -1)
#define LATER(name) (ccprof_hooks_before_wait(), CCPROF_WAIT_LIBC(name))
#define PASSED      (result == 0)
#define AGAIN       (result < 0 && errno == EAGAIN)

/* Functions that wait: result, name, parameters, call, reason, descriptor or -1, and
   whether the time limit ended the wait. */
#define HOOKED(DO)                                                                       \
    DO(int, poll, (struct pollfd * a, nfds_t b, int c), LATER(poll)(a, b, c), POLL,      \
       POLLED, PASSED)                                                                   \
    DO(int, __poll_chk, (struct pollfd * a, nfds_t b, int c, size_t d),                  \
       LATER(__poll_chk)(a, b, c, d), POLL, POLLED, PASSED)                              \
    DO(int, ppoll, (struct pollfd * a, nfds_t b, limit c, signals d),                    \
       ccprof_hooks_ppoll(a, b, c, d), POLL, POLLED, PASSED)                             \
    DO(int, __ppoll_chk, (struct pollfd * a, nfds_t b, limit c, signals d, size_t e),    \
       ccprof_hooks_ppoll_checked(a, b, c, d, e), POLL, POLLED, PASSED)                  \
    DO(int, select, (int a, fd_set *b, fd_set *c, fd_set *d, struct timeval *e),         \
       LATER(select)(a, b, c, d, e), POLL, -1, PASSED)                                   \
    DO(int, pselect, (int a, fd_set *b, fd_set *c, fd_set *d, limit e, signals f),       \
       ccprof_hooks_pselect(a, b, c, d, e, f), POLL, -1, PASSED)                         \
    DO(int, epoll_wait, (int a, struct epoll_event *b, int c, int d),                    \
       LATER(epoll_wait)(a, b, c, d), POLL, a, PASSED)                                   \
    DO(int, epoll_pwait, (int a, struct epoll_event *b, int c, int d, signals e),        \
       ccprof_hooks_epoll_pwait(a, b, c, d, e), POLL, a, PASSED)                         \
    DO(int, epoll_pwait2, (int a, struct epoll_event *b, int c, limit d, signals e),     \
       ccprof_hooks_epoll_pwait2(a, b, c, d, e), POLL, a, PASSED)                        \
    DO(int, sigsuspend, (signals a), ccprof_hooks_sigsuspend(a), SIGNAL, -1, false)      \
    DO(int, __xpg_sigpause, (int a), ccprof_hooks_sigpause(a), SIGNAL, -1, false)        \
    DO(int, sigwait, (signals a, int *b), ccprof_hooks_sigwait(a, b), SIGNAL, -1, false) \
    DO(int, sigwaitinfo, (signals a, siginfo_t * b), ccprof_hooks_sigwaitinfo(a, b),     \
       SIGNAL, -1, false)                                                                \
    DO(int, sigtimedwait, (signals a, siginfo_t * b, limit c),                           \
       ccprof_hooks_sigtimedwait(a, b, c), SIGNAL, -1, AGAIN)

/* The same, without a call of another replacement and without a descriptor: result, name,
   parameters, arguments, reason, and whether the time limit ended the wait. */
#define A2 (a, b)
#define A3 (a, b, c)
#define A4 (a, b, c, d)
#define A5 (a, b, c, d, e)
#define A6 (a, b, c, d, e, f)
#define A7 (a, b, c, d, e, f, g)
#define A8 (a, b, c, d, e, f, g, h)
#define PLAIN(DO)                                                                        \
    DO(unsigned, sleep, (unsigned a), (a), SLEEP, PASSED)                                \
    DO(int, usleep, (useconds_t a), (a), SLEEP, PASSED)                                  \
    DO(int, nanosleep, (limit a, struct timespec * b), A2, SLEEP, PASSED)                \
    DO(int, clock_nanosleep, (clockid_t a, int b, limit c, struct timespec *d), A4,      \
       SLEEP, PASSED)                                                                    \
    DO(int, thrd_sleep, (limit a, struct timespec * b), A2, SLEEP, PASSED)               \
    DO(int, pause, (void), (), SIGNAL, false)                                            \
    DO(pid_t, wait, (int *a), (a), CHILD, false)                                         \
    DO(pid_t, waitpid, (pid_t a, int *b, int c), A3, CHILD, false)                       \
    DO(pid_t, wait3, (int *a, int b, struct rusage *c), A3, CHILD, false)                \
    DO(pid_t, wait4, (pid_t a, int *b, int c, struct rusage *d), A4, CHILD, false)       \
    DO(int, waitid, (idtype_t a, id_t b, siginfo_t * c, int d), A4, CHILD, false)        \
    DO(int, system, (const char *a), (a), CHILD, false)                                  \
    DO(int, pclose, (FILE * a), (a), CHILD, false)                                       \
    DO(int, aio_suspend, (const struct aiocb *const *a, int b, limit c), A3, ASYNC,      \
       AGAIN)                                                                            \
    DO(int, aio_suspend64, (const struct aiocb64 *const *a, int b, limit c), A3, ASYNC,  \
       AGAIN)                                                                            \
    DO(int, getaddrinfo,                                                                 \
       (const char *a, const char *b, const struct addrinfo *c, struct addrinfo **d),    \
       A4, LOOKUP, false)                                                                \
    DO(int, getnameinfo,                                                                 \
       (const struct sockaddr *a, socklen_t b, char *c, socklen_t d, char *e,            \
        socklen_t f, int g),                                                             \
       A7, LOOKUP, false)                                                                \
    DO(struct hostent *, gethostbyname, (const char *a), (a), LOOKUP, false)             \
    DO(struct hostent *, gethostbyname2, (const char *a, int b), A2, LOOKUP, false)      \
    DO(struct hostent *, gethostbyaddr, (const void *a, socklen_t b, int c), A3, LOOKUP, \
       false)                                                                            \
    DO(int, gethostbyname_r,                                                             \
       (const char *a, struct hostent *b, char *c, size_t d, struct hostent **e,         \
        int *f),                                                                         \
       A6, LOOKUP, false)                                                                \
    DO(int, gethostbyname2_r,                                                            \
       (const char *a, int b, struct hostent *c, char *d, size_t e, struct hostent **f,  \
        int *g),                                                                         \
       A7, LOOKUP, false)                                                                \
    DO(int, gethostbyaddr_r,                                                             \
       (const void *a, socklen_t b, int c, struct hostent *d, char *e, size_t f,         \
        struct hostent **g, int *h),                                                     \
       A8, LOOKUP, false)                                                                \
    DO(int, msync, (void *a, size_t b, int c), A3, SYNC, false)                          \
    DO(int, fclose, (FILE * a), (a), FILE, false)

#define CALL(type, name, parameters, call, why, fd, timed_out)                           \
    CCPROF_WAIT_RECORD(type, wait_##name, parameters, call, why, 0,                      \
                       if (fd >= 0) ccprof_wait_set_kind(&record, fd, false), timed_out)
#define PLAIN_CALL(type, name, parameters, arguments, why, timed_out)                    \
    CCPROF_WAIT_RECORD(type, wait_##name, parameters, CCPROF_WAIT_LIBC(name) arguments,  \
                       why, 0, , timed_out)

#define ALL(DO) HOOKED(DO) PLAIN(DO)
ALL(CCPROF_WAIT_POINTER)
HOOKED(CALL)
PLAIN(PLAIN_CALL)

/* System calls by number. The replacement of syscall (hooks.h) must jump to libc, since
   some system calls return twice. It is called with a seventh argument here, where the
   program would put it. If the program has passed fewer, that is any word, which the
   kernel ignores. */
long others_next_syscall(long number, long a, long b, long c, long d, long e,
                         long f) __asm__("ccprof_strict_syscall")
    __attribute__((visibility("hidden")));

#define SYSCALL (long number, long a, long b, long c, long d, long e, long f)
#define NEXT    others_next_syscall(number, a, b, c, d, e, f)

CCPROF_WAIT_RECORD(long, others_futex_wait, SYSCALL, NEXT, FUTEX, (uint64_t)a, ,
                   result < 0 && errno == ETIMEDOUT)
CCPROF_WAIT_RECORD(long, others_uring, SYSCALL, NEXT, ASYNC, 0, ,
                   result < 0 && errno == ETIME)

static __attribute__((noinline)) long others_futex_wake SYSCALL
{
    struct ccprof_wait_wake wake;

    CCPROF_WAIT_WAKE(&wake, (uint64_t)a);
    ccprof_wait_woke(&wake);
    return NEXT;
}

static long wait_syscall SYSCALL
{
    const int operation = (int)b & FUTEX_CMD_MASK;

    if (number == SYS_futex &&
        (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET))
        return others_futex_wait(number, a, b, c, d, e, f);
    if (number == SYS_futex &&
        (operation == FUTEX_WAKE || operation == FUTEX_WAKE_BITSET) &&
        ccprof_wait_has_waiters((uint64_t)a))
        return others_futex_wake(number, a, b, c, d, e, f);
    if (number == SYS_io_uring_enter && c > 0 && (d & IORING_ENTER_GETEVENTS))
        return others_uring(number, a, b, c, d, e, f);
    return ccprof_strict_syscall(number, a, b, c, d, e CCPROF_STRICT_LAST(f));
}

void ccprof_wait_calls_start(void)
{
    ccprof_wait_locks_start();
    ccprof_wait_files_start();
    ALL(CCPROF_WAIT_SET)
    ccprof_wait_openmp_start();
}

ccprof_hooks_function ccprof_wait_calls_find(const char *wanted)
{
    ccprof_hooks_function function = ccprof_wait_locks_find(wanted);

    if (!function)
        function = ccprof_wait_files_find(wanted);
    if (function)
        return function;
    ALL(CCPROF_WAIT_FIND)
    if (strcmp(wanted, "syscall") == 0)
        return (ccprof_hooks_function)wait_syscall;
    return ccprof_wait_openmp_find(wanted);
}
