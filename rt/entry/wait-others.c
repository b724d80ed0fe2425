/* SPDX-License-Identifier: MIT */
/* The replacements of libc's other functions that wait (wait-calls.h): polls, sleeps,
   signals, children, asynchronous input and output, names; and the function that finds
   all replacements. Owns nothing.

   Some of these functions have another replacement, because of the sampler's signal
   (hooks.h). It is called in place of libc's function. */

#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <gnu/lib-names.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
#define POLLED (b == 1 && result >= 0 ? a->fd : -1)
#define PASSED (result == 0)

/* Functions that wait: result, name, parameters, call, reason, descriptor or -1, and
   whether the time limit ended the wait. */
#define CALLS(DO)                                                                        \
    DO(int, poll, (struct pollfd * a, nfds_t b, int c),                                  \
       (ccprof_hooks_before_wait(), CCPROF_WAIT_LIBC(poll)(a, b, c)), POLL, POLLED,      \
       PASSED)                                                                           \
    DO(int, __poll_chk, (struct pollfd * a, nfds_t b, int c, size_t d),                  \
       (ccprof_hooks_before_wait(), CCPROF_WAIT_LIBC(__poll_chk)(a, b, c, d)), POLL,     \
       POLLED, PASSED)                                                                   \
    DO(int, ppoll, (struct pollfd * a, nfds_t b, limit c, signals d),                    \
       ccprof_hooks_ppoll(a, b, c, d), POLL, POLLED, PASSED)                             \
    DO(int, __ppoll_chk, (struct pollfd * a, nfds_t b, limit c, signals d, size_t e),    \
       ccprof_hooks_ppoll_checked(a, b, c, d, e), POLL, POLLED, PASSED)                  \
    DO(int, select, (int a, fd_set *b, fd_set *c, fd_set *d, struct timeval *e),         \
       (ccprof_hooks_before_wait(), CCPROF_WAIT_LIBC(select)(a, b, c, d, e)), POLL, -1,  \
       PASSED)                                                                           \
    DO(int, pselect, (int a, fd_set *b, fd_set *c, fd_set *d, limit e, signals f),       \
       ccprof_hooks_pselect(a, b, c, d, e, f), POLL, -1, PASSED)                         \
    DO(int, epoll_wait, (int a, struct epoll_event *b, int c, int d),                    \
       (ccprof_hooks_before_wait(), CCPROF_WAIT_LIBC(epoll_wait)(a, b, c, d)), POLL, a,  \
       PASSED)                                                                           \
    DO(int, epoll_pwait, (int a, struct epoll_event *b, int c, int d, signals e),        \
       ccprof_hooks_epoll_pwait(a, b, c, d, e), POLL, a, PASSED)                         \
    DO(int, epoll_pwait2, (int a, struct epoll_event *b, int c, limit d, signals e),     \
       ccprof_hooks_epoll_pwait2(a, b, c, d, e), POLL, a, PASSED)                        \
    DO(unsigned, sleep, (unsigned a), CCPROF_WAIT_LIBC(sleep)(a), SLEEP, -1, PASSED)     \
    DO(int, usleep, (useconds_t a), CCPROF_WAIT_LIBC(usleep)(a), SLEEP, -1, PASSED)      \
    DO(int, nanosleep, (limit a, struct timespec * b),                                   \
       CCPROF_WAIT_LIBC(nanosleep)(a, b), SLEEP, -1, PASSED)                             \
    DO(int, clock_nanosleep, (clockid_t a, int b, limit c, struct timespec *d),          \
       CCPROF_WAIT_LIBC(clock_nanosleep)(a, b, c, d), SLEEP, -1, PASSED)                 \
    DO(int, thrd_sleep, (limit a, struct timespec * b),                                  \
       CCPROF_WAIT_LIBC(thrd_sleep)(a, b), SLEEP, -1, PASSED)                            \
    DO(int, pause, (void), CCPROF_WAIT_LIBC(pause)(), SIGNAL, -1, false)                 \
    DO(int, sigsuspend, (signals a), ccprof_hooks_sigsuspend(a), SIGNAL, -1, false)      \
    DO(int, __xpg_sigpause, (int a), ccprof_hooks_sigpause(a), SIGNAL, -1, false)        \
    DO(int, sigwait, (signals a, int *b), ccprof_hooks_sigwait(a, b), SIGNAL, -1, false) \
    DO(int, sigwaitinfo, (signals a, siginfo_t * b), ccprof_hooks_sigwaitinfo(a, b),     \
       SIGNAL, -1, false)                                                                \
    DO(int, sigtimedwait, (signals a, siginfo_t * b, limit c),                           \
       ccprof_hooks_sigtimedwait(a, b, c), SIGNAL, -1, result < 0 && errno == EAGAIN)    \
    DO(pid_t, wait, (int *a), CCPROF_WAIT_LIBC(wait)(a), CHILD, -1, false)               \
    DO(pid_t, waitpid, (pid_t a, int *b, int c), CCPROF_WAIT_LIBC(waitpid)(a, b, c),     \
       CHILD, -1, false)                                                                 \
    DO(pid_t, wait3, (int *a, int b, struct rusage *c),                                  \
       CCPROF_WAIT_LIBC(wait3)(a, b, c), CHILD, -1, false)                               \
    DO(pid_t, wait4, (pid_t a, int *b, int c, struct rusage *d),                         \
       CCPROF_WAIT_LIBC(wait4)(a, b, c, d), CHILD, -1, false)                            \
    DO(int, waitid, (idtype_t a, id_t b, siginfo_t * c, int d),                          \
       CCPROF_WAIT_LIBC(waitid)(a, b, c, d), CHILD, -1, false)                           \
    DO(int, system, (const char *a), CCPROF_WAIT_LIBC(system)(a), CHILD, -1, false)      \
    DO(int, pclose, (FILE * a), CCPROF_WAIT_LIBC(pclose)(a), CHILD, -1, false)           \
    DO(int, aio_suspend, (const struct aiocb *const *a, int b, limit c),                 \
       CCPROF_WAIT_LIBC(aio_suspend)(a, b, c), ASYNC, -1, result < 0 && errno == EAGAIN) \
    DO(int, aio_suspend64, (const struct aiocb64 *const *a, int b, limit c),             \
       CCPROF_WAIT_LIBC(aio_suspend64)(a, b, c), ASYNC, -1,                              \
       result < 0 && errno == EAGAIN)                                                    \
    DO(int, getaddrinfo,                                                                 \
       (const char *a, const char *b, const struct addrinfo *c, struct addrinfo **d),    \
       CCPROF_WAIT_LIBC(getaddrinfo)(a, b, c, d), LOOKUP, -1, false)                     \
    DO(int, getnameinfo,                                                                 \
       (const struct sockaddr *a, socklen_t b, char *c, socklen_t d, char *e,            \
        socklen_t f, int g),                                                             \
       CCPROF_WAIT_LIBC(getnameinfo)(a, b, c, d, e, f, g), LOOKUP, -1, false)            \
    DO(struct hostent *, gethostbyname, (const char *a),                                 \
       CCPROF_WAIT_LIBC(gethostbyname)(a), LOOKUP, -1, false)                            \
    DO(struct hostent *, gethostbyname2, (const char *a, int b),                         \
       CCPROF_WAIT_LIBC(gethostbyname2)(a, b), LOOKUP, -1, false)                        \
    DO(struct hostent *, gethostbyaddr, (const void *a, socklen_t b, int c),             \
       CCPROF_WAIT_LIBC(gethostbyaddr)(a, b, c), LOOKUP, -1, false)                      \
    DO(int, gethostbyname_r,                                                             \
       (const char *a, struct hostent *b, char *c, size_t d, struct hostent **e,         \
        int *f),                                                                         \
       CCPROF_WAIT_LIBC(gethostbyname_r)(a, b, c, d, e, f), LOOKUP, -1, false)           \
    DO(int, gethostbyname2_r,                                                            \
       (const char *a, int b, struct hostent *c, char *d, size_t e, struct hostent **f,  \
        int *g),                                                                         \
       CCPROF_WAIT_LIBC(gethostbyname2_r)(a, b, c, d, e, f, g), LOOKUP, -1, false)       \
    DO(int, gethostbyaddr_r,                                                             \
       (const void *a, socklen_t b, int c, struct hostent *d, char *e, size_t f,         \
        struct hostent **g, int *h),                                                     \
       CCPROF_WAIT_LIBC(gethostbyaddr_r)(a, b, c, d, e, f, g, h), LOOKUP, -1, false)

#define CALL(type, name, parameters, call, why, fd, timed_out)                           \
    static type wait_##name parameters                                                   \
    {                                                                                    \
        struct ccprof_wait record;                                                       \
        CCPROF_WAIT_BEGIN(&record, CCPROF_WAIT_##why, 0);                                \
        type result = call;                                                              \
        const int file = fd;                                                             \
        if (file >= 0)                                                                   \
            ccprof_wait_set_kind(&record, file, false);                                  \
        ccprof_wait_end(&record, timed_out);                                             \
        return result;                                                                   \
    }
CALLS(CCPROF_WAIT_POINTER)
CALLS(CALL)

/* System calls by number. The replacement of syscall (hooks.h) must jump to libc, since
   some system calls return twice. It is called with a seventh argument here, where the
   program would put it. If the program has passed fewer, that is any word, which the
   kernel ignores. */
long others_next_syscall(long number, long a, long b, long c, long d, long e,
                         long f) __asm__("ccprof_strict_syscall")
    __attribute__((visibility("hidden")));

static __attribute__((noinline)) long others_futex_wait(long number, long a, long b,
                                                        long c, long d, long e, long f)
{
    struct ccprof_wait wait;

    CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_FUTEX, (uint64_t)a);
    long result = others_next_syscall(number, a, b, c, d, e, f);
    ccprof_wait_end(&wait, result < 0 && errno == ETIMEDOUT);
    return result;
}

static __attribute__((noinline)) long others_futex_wake(long number, long a, long b,
                                                        long c, long d, long e, long f)
{
    struct ccprof_wait_wake wake;

    CCPROF_WAIT_WAKE(&wake, (uint64_t)a);
    ccprof_wait_woke(&wake);
    return others_next_syscall(number, a, b, c, d, e, f);
}

static __attribute__((noinline)) long others_uring(long number, long a, long b, long c,
                                                   long d, long e, long f)
{
    struct ccprof_wait wait;

    CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_ASYNC, 0);
    long result = others_next_syscall(number, a, b, c, d, e, f);
    ccprof_wait_end(&wait, result < 0 && errno == ETIME);
    return result;
}

static long wait_syscall(long number, long a, long b, long c, long d, long e, long f)
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

/* Before glibc 2.34, libc has several libraries. */
void *ccprof_wait_calls_libc(const char *name, bool *is_own)
{
    static const char *const libraries[] = {LIBPTHREAD_SO, LIBRT_SO, LIBC_SO};
    void *function = NULL;

    for (size_t i = 0; i < 3 && !function; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        function = library ? dlsym(library, name) : NULL;
    }
    *is_own = function != dlsym(RTLD_DEFAULT, name);
    return function;
}

void ccprof_wait_calls_start(void)
{
    ccprof_wait_locks_start();
    ccprof_wait_files_start();
    CALLS(CCPROF_WAIT_SET)
    ccprof_wait_openmp_start();
}

ccprof_hooks_function ccprof_wait_calls_find(const char *wanted)
{
    ccprof_hooks_function function = ccprof_wait_locks_find(wanted);

    if (!function)
        function = ccprof_wait_files_find(wanted);
    if (function)
        return function;
    CALLS(CCPROF_WAIT_FIND)
    if (strcmp(wanted, "syscall") == 0)
        return (ccprof_hooks_function)wait_syscall;
    return ccprof_wait_openmp_find(wanted);
}
