// SPDX-License-Identifier: GPL-3.0-or-later
// files MODE: threads that wait for descriptors, for time and for other processes, in a
// way that the name of the mode says. Prints what it knows itself (own.h).

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "own.h"

#define ROUNDS 60

static int one[2], other[2]; // descriptors of pipes or sockets
static int listener;
static const char *mode;

// Runs the function in a new thread and the other one in this one.
static void run_both(void *(*function)(void *), void *(*here)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL))
        errx(2, "no thread");
    here(NULL);
    OWN("join", pthread_join(thread, NULL));
}

static void *sleeper(void *argument)
{
    own_begin();
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec time = {0, 3000000};
        OWN("sleep", nanosleep(&time, NULL));
        OWN("sleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL));
        OWN("sleep", usleep(1500));
        own_burn(500);
    }
    own_end();
    return argument;
}

static void *burner(void *argument)
{
    own_burn(300000);
    return argument;
}

// Writes a byte to ONE every 4 ms, and reads one from OTHER after 10 of them.
static void *writes_slowly(void *argument)
{
    const char *reason = strcmp(mode, "pipe") ? "receive" : "pipe";
    char byte = 0;
    own_begin();
    for (int i = 0; i < 2 * ROUNDS; i++) {
        own_sleep(4000);
        if (write(one[1], &byte, 1) != 1)
            err(2, "write");
        if (i % 10 == 9)
            OWN(reason, if (read(other[0], &byte, 1) != 1) err(2, "read"));
    }
    own_end();
    return argument;
}

static void *reads(void *argument)
{
    const char *reason = strcmp(mode, "pipe") ? "receive" : "pipe";
    char byte;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        OWN(reason, if (read(one[0], &byte, 1) != 1) err(2, "read"));
        if (i % 10 == 9) {
            own_sleep(5000);
            if (write(other[1], &byte, 1) != 1)
                err(2, "write");
        }
    }
    return argument;
}

// Writes as much as fits into ONE, whose reader is slow.
static void *fills(void *argument)
{
    const char *reason = strcmp(mode, "full") ? "send" : "pipe";
    static char bytes[1 << 20];
    own_begin();
    for (int i = 0; i < 8; i++)
        for (size_t at = 0; at < sizeof bytes;) {
            ssize_t size;
            if (strcmp(mode, "full"))
                OWN(reason, size = send(one[1], bytes + at, sizeof bytes - at, 0));
            else
                OWN(reason, size = write(one[1], bytes + at, sizeof bytes - at));
            if (size <= 0)
                err(2, "write");
            at += (size_t)size;
        }
    close(one[1]);
    own_end();
    return argument;
}

static void *drains(void *argument)
{
    const char *reason = strcmp(mode, "full") ? "receive" : "pipe";
    static char bytes[1 << 16];
    ssize_t size;
    do {
        own_sleep(3000);
        if (strcmp(mode, "full"))
            OWN(reason, size = recv(one[0], bytes, sizeof bytes, 0));
        else
            OWN(reason, size = read(one[0], bytes, sizeof bytes));
    } while (size > 0);
    return argument;
}

static void *syncs(void *argument)
{
    static char bytes[1 << 18];
    int file = open("synced", O_RDWR | O_CREAT | O_TRUNC, 0600);
    long long end = own_clock(CLOCK_MONOTONIC) + 500000000;
    if (file < 0)
        err(2, "synced");
    for (int i = 0; own_clock(CLOCK_MONOTONIC) < end; i++) {
        OWN("file", if (pwrite(file, bytes, sizeof bytes, 0) < 0) err(2, "synced"));
        if (i % 2)
            OWN("sync", fsync(file));
        else
            OWN("sync", fdatasync(file));
    }
    close(file);
    return argument;
}

// A server on the loopback: accepts, and answers after 3 ms. A new connection after 10
// answers.
static void *serves(void *argument)
{
    char byte;
    own_begin();
    for (int i = 0; i < ROUNDS / 10; i++) {
        int connection;
        OWN("accept", connection = accept(listener, NULL, NULL));
        for (;;) {
            ssize_t size;
            OWN("receive", size = recv(connection, &byte, 1, 0));
            if (size <= 0)
                break;
            own_sleep(3000);
            OWN("send", if (send(connection, &byte, 1, 0) != 1) err(2, "send"));
        }
        close(connection);
    }
    own_end();
    return argument;
}

static void *asks(void *argument)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    getsockname(listener, (struct sockaddr *)&address, &size);
    for (int i = 0; i < ROUNDS / 10; i++) {
        int connection = socket(AF_INET, SOCK_STREAM, 0);
        char byte = 0;
        own_sleep(20000);
        OWN("connect", if (connect(connection, (struct sockaddr *)&address,
                                   sizeof address)) err(2, "connect"));
        for (int k = 0; k < 10; k++) {
            OWN("send", if (send(connection, &byte, 1, 0) != 1) err(2, "send"));
            OWN("receive", if (recv(connection, &byte, 1, 0) != 1) err(2, "recv"));
            own_burn(500);
        }
        close(connection);
    }
    return argument;
}

// Waits until ONE can be read, by poll, select and epoll in turn.
static void *polls(void *argument)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    char byte;
    epoll_ctl(epoll, EPOLL_CTL_ADD, one[0], &event);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        struct pollfd entry = {one[0], POLLIN, 0};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(one[0], &set);
        if (i % 3 == 0)
            OWN("poll", poll(&entry, 1, -1));
        else if (i % 3 == 1)
            OWN("poll", select(one[0] + 1, &set, NULL, NULL, NULL));
        else
            OWN("poll", epoll_wait(epoll, &event, 1, -1));
        if (read(one[0], &byte, 1) != 1)
            err(2, "read");
        if (i % 10 == 9 && write(other[1], &byte, 1) != 1)
            err(2, "write");
    }
    return argument;
}

// Time limits that pass, and children that end.
static void *awaits(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        OWN("poll", poll(NULL, 0, 4));
        if (i % 10 == 0) {
            pid_t child = fork();
            if (child == 0) {
                usleep(20000);
                _exit(0);
            }
            OWN("child", waitpid(child, NULL, 0));
        }
    }
    return argument;
}

// Two descriptions of one file, locked in turn; and a signal that is waited for.
static void *locks_file(void *argument)
{
    int file = open("locked", O_RDWR | O_CREAT, 0600);
    if (argument == NULL)
        own_begin();
    for (int i = 0; i < ROUNDS; i++) {
        OWN("filelock", flock(file, LOCK_EX));
        own_sleep(3000);
        OWN("filelock", flock(file, LOCK_UN));
        own_burn(100);
    }
    if (argument == NULL)
        own_end();
    return argument;
}

static void *locks_file_here(void *argument)
{
    struct timespec limit = {0, 100000000};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    locks_file(&limit);
    OWN("signal", sigtimedwait(&set, NULL, &limit));
    return argument;
}

static void make_descriptors(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (!strcmp(mode, "pipe") || !strcmp(mode, "full") || !strcmp(mode, "poll")) {
        if (pipe(one) || pipe(other))
            err(2, "pipe");
    } else if (!strcmp(mode, "socketpair") || !strcmp(mode, "full-socket")) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, one) ||
            socketpair(AF_UNIX, SOCK_STREAM, 0, other))
            err(2, "socketpair");
    } else if (!strcmp(mode, "tcp")) {
        listener = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(listener, (struct sockaddr *)&address, sizeof address) ||
            listen(listener, 5))
            err(2, "listen");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *mode;
        void *(*there)(void *), *(*here)(void *);
    } modes[] = {
        {"sleep", sleeper, burner}, {"pipe", writes_slowly, reads},
        {"full", fills, drains},    {"full-socket", fills, drains},
        {"sync", sleeper, syncs},   {"socketpair", writes_slowly, reads},
        {"tcp", serves, asks},      {"poll", writes_slowly, polls},
        {"await", sleeper, awaits}, {"filelock", locks_file, locks_file_here},
    };
    mode = argc > 1 ? argv[1] : "";
    own_begin();
    make_descriptors();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].mode, mode)) {
            run_both(modes[i].there, modes[i].here);
            own_report(stdout);
            return 0;
        }
    errx(2, "no such mode");
}
