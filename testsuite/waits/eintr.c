// SPDX-License-Identifier: GPL-3.0-or-later
// eintr CALL WAITS: 100 threads wait for a moment, WAITS times altogether, by the call.
// Prints how many calls returned EINTR. Nothing in the program sends a signal.

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS 100

// Of each thread. Each thread with an odd number answers the one before it.
static struct thread {
    pthread_t id;
    int number;
    int input, output; // ends of pipes
    int epoll;
    int sockets[2]; // nothing is sent
    sem_t *mine, *others;
    int word;
} threads[THREADS];

static sem_t semaphores[THREADS];
static _Atomic long interrupted;
static int waits;
static const char *name;

// Makes one call. Returns -1 and sets errno as the call did.
typedef int Call(struct thread *me);

static const struct timespec brief = {0, 20000};

static struct timespec limit(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 20000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static int call_read(struct thread *me)
{
    char byte = 0;
    if (me->number % 2 == 0 && write(me->output, &byte, 1) != 1)
        err(2, "write");
    int result = (int)read(me->input, &byte, 1);
    // The other one waits for an answer, whatever came of this call.
    while (result < 0 && read(me->input, &byte, 1) < 0) {
    }
    int saved = errno;
    if (me->number % 2 && write(me->output, &byte, 1) != 1)
        err(2, "write");
    errno = saved;
    return result;
}

static int call_sem_wait(struct thread *me)
{
    if (me->number % 2 == 0)
        sem_post(me->others);
    int result = sem_wait(me->mine);
    int saved = errno;
    while (result && sem_wait(me->mine)) {
    }
    if (me->number % 2)
        sem_post(me->others);
    errno = saved;
    return result;
}

static int call_sem_timedwait(struct thread *me)
{
    struct timespec time = limit();
    return sem_timedwait(me->mine, &time);
}

static int call_poll(struct thread *me)
{
    struct pollfd entry = {me->input, POLLIN, 0};
    return poll(&entry, 1, 1);
}

static int call_ppoll(struct thread *me)
{
    struct pollfd entry = {me->input, POLLIN, 0};
    return ppoll(&entry, 1, &brief, NULL);
}

static int call_select(struct thread *me)
{
    struct timeval time = {0, 20};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(me->input, &set);
    return select(me->input + 1, &set, NULL, NULL, &time);
}

static int call_epoll_wait(struct thread *me)
{
    struct epoll_event event;
    return epoll_wait(me->epoll, &event, 1, 1);
}

// A socket with a time limit does not begin again after a signal (signal(7)).
static int call_recv(struct thread *me)
{
    char byte;
    return (int)recv(me->sockets[0], &byte, 1, 0);
}

static int call_nanosleep(struct thread *me)
{
    (void)me;
    return nanosleep(&brief, NULL);
}

static int call_clock_nanosleep(struct thread *me)
{
    (void)me;
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &brief, NULL);
    return errno ? -1 : 0;
}

static int call_futex(struct thread *me)
{
    return (int)syscall(SYS_futex, &me->word, FUTEX_WAIT_PRIVATE, 0, &brief, NULL, 0);
}

static int call_sigtimedwait(struct thread *me)
{
    sigset_t set;
    (void)me;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return sigtimedwait(&set, NULL, &brief);
}

static const struct {
    const char *name;
    Call *call;
} calls[] = {{"read", call_read},
             {"poll", call_poll},
             {"ppoll", call_ppoll},
             {"select", call_select},
             {"epoll_wait", call_epoll_wait},
             {"recv", call_recv},
             {"sem_wait", call_sem_wait},
             {"sem_timedwait", call_sem_timedwait},
             {"nanosleep", call_nanosleep},
             {"clock_nanosleep", call_clock_nanosleep},
             {"futex", call_futex},
             {"sigtimedwait", call_sigtimedwait}};

static Call *call;

static void *work(void *argument)
{
    struct thread *me = argument;
    for (int i = 0; i < waits / THREADS; i++)
        if (call(me) < 0 && errno == EINTR)
            interrupted++;
    return NULL;
}

static void prepare(struct thread *me, int number)
{
    struct timeval time = {0, 1000};
    struct epoll_event event = {.events = EPOLLIN};
    me->number = number;
    me->mine = &semaphores[number];
    me->others = &semaphores[number ^ 1];
    sem_init(me->mine, 0, 0);
    if (number % 2) {
        int there[2], back[2];
        if (pipe(there) || pipe(back))
            err(2, "pipe");
        me[-1].output = there[1];
        me[-1].input = back[0];
        me->input = there[0];
        me->output = back[1];
    }
    if (!strcmp(name, "epoll_wait")) {
        me->epoll = epoll_create1(0);
        // Descriptor 1 may be a file, which cannot be waited for; the pipes may not be
        // there yet.
        int ends[2];
        if (pipe(ends) || epoll_ctl(me->epoll, EPOLL_CTL_ADD, ends[0], &event))
            err(2, "epoll");
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, me->sockets) ||
        setsockopt(me->sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time))
        err(2, "socketpair");
}

int main(int argc, char **argv)
{
    name = argc > 2 ? argv[1] : "";
    waits = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(name, calls[i].name))
            call = calls[i].call;
    if (!call)
        errx(2, "no such call");
    for (int i = 0; i < THREADS; i++)
        prepare(&threads[i], i);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i].id, NULL, work, &threads[i]))
            errx(2, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);
    printf("%ld\n", interrupted);
    return 0;
}
