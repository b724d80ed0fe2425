/* SPDX-License-Identifier: MIT */
/* Makes system calls without libc, for two reasons. libc's open, write and close are
   cancellation points, but a thread must not be cancelled in a signal handler. And
   the profiled program may define its own function with a name such as rename. All
   functions are async-signal-safe. On errors they return -1 and set errno. */

#ifndef CCPROF_SYS_H
#define CCPROF_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static inline int ccprof_sys_open(int folder, const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static inline int ccprof_sys_close(int fd)
{
    return (int)syscall(SYS_close, fd);
}

static inline ssize_t ccprof_sys_write(int fd, const void *from, size_t size)
{
    return syscall(SYS_write, fd, from, size);
}

static inline ssize_t ccprof_sys_pwrite(int fd, const void *from, size_t size,
                                        off_t offset)
{
    return syscall(SYS_pwrite64, fd, from, size, offset);
}

static inline ssize_t ccprof_sys_pread(int fd, void *to, size_t size, off_t offset)
{
    return syscall(SYS_pread64, fd, to, size, offset);
}

static inline int ccprof_sys_fcntl(int fd, int command, long argument)
{
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

static inline int ccprof_sys_fstat(int fd, struct stat *to)
{
    return (int)syscall(SYS_fstat, fd, to);
}

static inline int ccprof_sys_stat(const char *path, struct stat *to)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, to, 0);
}

static inline int ccprof_sys_rename(const char *from, const char *to)
{
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* Renames FROM unless TO exists. Errors: EEXIST if TO exists, EINVAL if the file
   system does not support this call. */
static inline int ccprof_sys_rename_new(const char *from, const char *to)
{
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u << 0);
}

/* Exchanges the names of two files. Error: EINVAL if the file system does not support
   this call. */
static inline int ccprof_sys_exchange(const char *a, const char *b)
{
    return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 1u << 1);
}

static inline int ccprof_sys_unlink(const char *path)
{
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static inline ssize_t ccprof_sys_readlink(const char *path, char *to, size_t size)
{
    return syscall(SYS_readlinkat, AT_FDCWD, path, to, size);
}

/* Returns the length of the path, including the NUL. */
static inline ssize_t ccprof_sys_getcwd(char *to, size_t size)
{
    return syscall(SYS_getcwd, to, size);
}

static inline pid_t ccprof_sys_getpid(void)
{
    return (pid_t)syscall(SYS_getpid);
}

static inline pid_t ccprof_sys_gettid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static inline int ccprof_sys_raise(int signal)
{
    return (int)syscall(SYS_tgkill, ccprof_sys_getpid(), ccprof_sys_gettid(), signal);
}

/* Returns the clock's time in nanoseconds, or 0 if the kernel has no such clock. */
static inline uint64_t ccprof_sys_clock(clockid_t clock)
{
    struct timespec now = {0, 0};
    syscall(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline void ccprof_sys_sleep(uint64_t nanoseconds)
{
    struct timespec time = {(time_t)(nanoseconds / 1000000000),
                            (long)(nanoseconds % 1000000000)};
    syscall(SYS_nanosleep, &time, NULL);
}

static inline void ccprof_sys_yield(void)
{
    syscall(SYS_sched_yield);
}

/* A kernel signal set: signal N is bit N-1. */
typedef uint64_t ccprof_sys_signals;

#define CCPROF_SYS_SIGNAL(number) ((ccprof_sys_signals)1 << ((number)-1))

static inline void ccprof_sys_mask(int how, ccprof_sys_signals set,
                                   ccprof_sys_signals *old)
{
    syscall(SYS_rt_sigprocmask, how, &set, old, sizeof set);
}

/* Fills a handler's mask with all signals. sigfillset omits libc's internal signals,
   with which libc could cancel a thread in the middle of a handler. */
static inline void ccprof_sys_fill(sigset_t *set)
{
    memset(set, 0xff, sizeof *set);
}

static inline ccprof_sys_signals ccprof_sys_pending(void)
{
    ccprof_sys_signals set = 0;
    syscall(SYS_rt_sigpending, &set, sizeof set);
    return set;
}

/* Discards one pending signal of the set. Does not wait for one. */
static inline void ccprof_sys_discard(ccprof_sys_signals set)
{
    const struct timespec now = {0, 0};
    syscall(SYS_rt_sigtimedwait, &set, NULL, &now, sizeof set);
}

/* Makes a signal that this thread has received pending again, in this thread even if it
   was sent to the process. */
static inline void ccprof_sys_put_back(int number, siginfo_t *info)
{
    syscall(SYS_rt_tgsigqueueinfo, ccprof_sys_getpid(), ccprof_sys_gettid(), number,
            info);
}

/* Checks arguments that one room passes to another. Only the unit tests, compiled
   with CCPROF_ASSERT, run these checks. In the runtime itself an assertion generates
   no code, since the runtime must never end a program. Use an assertion if a wrong
   argument would otherwise do harm unnoticed. */

#ifdef CCPROF_ASSERT
#define ccprof_assert(condition) ((condition) ? (void)0 : abort())
#else
#define ccprof_assert(condition) ((void)sizeof(condition))
#endif

#endif
