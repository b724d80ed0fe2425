// SPDX-License-Identifier: GPL-3.0-or-later
// shared MODE: a child takes a lock that it shares with its parent, and the parent waits
// for the lock for 30 ms. Prints the PIDs of both.
//
//     mutex rwlock robust inherit   the child's first thread holds this lock. With robust
//                                   it ends without releasing the lock
//     thread                        another thread of the child holds the mutex
//     timeout                       the parent waits for 10 ms
//     open                          the parent ends while a thread of it waits
//     filter                        the parent forbids to open files and to find threads,
//                                   and kills itself after the wait

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct locks {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
} * locks;
static const char *mode;
static int ends[2];

static int is(const char *name)
{
    return !strcmp(mode, name);
}

static void make_locks(void)
{
    pthread_mutexattr_t mutex;
    pthread_rwlockattr_t rwlock;
    locks = mmap(NULL, sizeof *locks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                 -1, 0);
    if (locks == MAP_FAILED || pipe(ends))
        err(2, "no memory");
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    if (is("robust"))
        pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    if (is("inherit"))
        pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&locks->mutex, &mutex);
    pthread_rwlockattr_init(&rwlock);
    pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&locks->rwlock, &rwlock);
}

static void *hold(void *unused)
{
    if (is("rwlock"))
        pthread_rwlock_wrlock(&locks->rwlock);
    else
        pthread_mutex_lock(&locks->mutex);
    if (write(ends[1], "", 1) != 1)
        err(2, "write");
    usleep(30000);
    if (is("open"))
        pause();
    if (is("rwlock"))
        pthread_rwlock_unlock(&locks->rwlock);
    else if (!is("robust"))
        pthread_mutex_unlock(&locks->mutex);
    return unused;
}

static void *wait_for_lock(void *unused)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int result = is("rwlock")    ? pthread_rwlock_rdlock(&locks->rwlock)
                 : is("timeout") ? pthread_mutex_timedlock(&locks->mutex, &until)
                                 : pthread_mutex_lock(&locks->mutex);
    if (result != (is("timeout") ? ETIMEDOUT : is("robust") ? EOWNERDEAD : 0))
        errx(2, "the lock: %s", strerror(result));
    return unused;
}

static void forbid(void)
{
    struct sock_filter code[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
        {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_openat},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_tgkill},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
        err(77, "seccomp");
}

int main(int argc, char **argv)
{
    pthread_t thread;
    char byte;
    mode = argc > 1 ? argv[1] : "";
    make_locks();
    const pid_t child = fork();
    if (child == 0) {
        if (is("thread"))
            pthread_create(&thread, NULL, hold, NULL);
        else
            hold(NULL);
        return is("thread") ? pthread_join(thread, NULL) : 0;
    }
    printf("%d %d\n", getpid(), child);
    fflush(stdout);
    if (child < 0 || read(ends[0], &byte, 1) != 1)
        err(2, "no child");
    if (is("filter"))
        forbid();
    if (is("open")) {
        pthread_create(&thread, NULL, wait_for_lock, NULL);
        usleep(30000);
        kill(child, SIGKILL);
    } else {
        wait_for_lock(NULL);
    }
    waitpid(child, NULL, 0);
    if (is("filter"))
        kill(getpid(), SIGKILL);
    return 0;
}
