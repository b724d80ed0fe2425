/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits WAITERS WAITS MS BUSY: so many threads, main one of them, wait so often for so
   many milliseconds, in turn in each call that can be interrupted, beside threads that
   are busy. Prints how many of the waits were interrupted.  */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

static int count, milliseconds;
static _Atomic int interrupted;
static _Atomic bool done;

/* Waits in one of the calls that a signal can interrupt; returns what the call does.  */
static ssize_t wait_by(int call, int socket, int epoll)
{
    const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    struct timeval select_pause = {milliseconds / 1000, milliseconds % 1000 * 1000};
    struct pollfd one = {socket, POLLIN, 0};
    struct epoll_event event;
    sigset_t set;
    char byte;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    switch (call) {
    case 0:
        return nanosleep(&pause, NULL);
    case 1:
        return poll(&one, 1, milliseconds);
    case 2:
        return select(0, NULL, NULL, NULL, &select_pause);
    case 3:
        return epoll_wait(epoll, &event, 1, milliseconds);
    case 4:
        return recv(socket, &byte, 1, 0);
    default:
        return sigtimedwait(&set, NULL, &pause);
    }
}

static void *waiter(void *unused)
{
    struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
    int pair[2], epoll = epoll_create1(0);

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || epoll < 0 ||
        setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0)
        abort();
    for (int i = 0; i < count; i++) {
        errno = 0;
        if (wait_by(i % 6, pair[0], epoll) < 0 && errno == EINTR)
            atomic_fetch_add(&interrupted, 1);
    }
    return unused;
}

static void *busy(void *unused)
{
    static _Atomic int rounds;
    while (!atomic_load(&done))
        atomic_fetch_add_explicit(&rounds, 1, memory_order_relaxed);
    return unused;
}

int main(int argc, char **argv)
{
    enum { MOST = 200 };
    pthread_t waiting[MOST], working[MOST];
    int waiters = atoi(argv[1]), workers = argc == 5 ? atoi(argv[4]) : -1;

    if (waiters < 1 || waiters > MOST || workers < 0 || workers > MOST)
        return 2;
    count = atoi(argv[2]);
    milliseconds = atoi(argv[3]);
    for (int i = 0; i < workers; i++)
        if (pthread_create(&working[i], NULL, busy, NULL) != 0)
            abort();
    for (int i = 1; i < waiters; i++)
        if (pthread_create(&waiting[i], NULL, waiter, NULL) != 0)
            abort();
    waiter(NULL);
    for (int i = 1; i < waiters; i++)
        pthread_join(waiting[i], NULL);
    atomic_store(&done, true);
    for (int i = 0; i < workers; i++)
        pthread_join(working[i], NULL);
    printf("%d\n", interrupted);
    return 0;
}
