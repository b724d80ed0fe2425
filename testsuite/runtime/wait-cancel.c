/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cancels a thread in each function that is a point of cancellation and waits, and once
   more before it calls the function. Prints whether the thread was cancelled and its
   handlers ran, which unlock a mutex. */

#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "wait-same.h"

/* What the calls wait for, and never get. */
static int empty_pipe[2], full_pipe[2], empty_socket[2], full_socket[2];
static int listener, idle_listener, caller, poller, locked;
static struct sockaddr_un peer = {.sun_family = AF_UNIX, .sun_path = "socket"};
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c_mutex;
static cnd_t c_condition;
static pthread_t endless;
static sigset_t some_signals, all_signals;
static char buffer[65536];
static struct iovec piece = {buffer, 1};
static struct iovec large = {buffer, sizeof buffer};
static struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
static struct msghdr large_message = {.msg_iov = &large, .msg_iovlen = 1};
static struct mmsghdr messages = {.msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1}};
static struct mmsghdr large_messages = {.msg_hdr = {.msg_iov = &large, .msg_iovlen = 1}};
static struct timespec late, late_monotonic;
static const struct timespec hour = {3600, 0};
static FILE *in, *out;
static char *line;
static size_t line_size;
static struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
static struct aiocb request = {.aio_nbytes = 1, .aio_buf = buffer};
static const struct aiocb *const requests[] = {&request};
static fd_set readable;
static int number;
static siginfo_t info;
static struct epoll_event event;

static void *wait_forever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static void fill(int fd)
{
    const int flags = fcntl(fd, F_GETFL);

    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    while (write(fd, buffer, sizeof buffer) > 0 || write(fd, buffer, 1) > 0) {
    }
    fcntl(fd, F_SETFL, flags);
}

/* A child has locked the file, and ends with this process. */
static void prepare_child(void)
{
    int ready[2];
    char byte;

    locked = open("locked", O_RDWR | O_CREAT, 0600);
    if (pipe(ready) != 0)
        abort();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        fcntl(locked, F_SETLK, &whole);
        if (write(ready[1], "", 1) != 1)
            abort();
        wait_forever(NULL);
    }
    if (read(ready[0], &byte, 1) != 1)
        abort();
}

/* connect waits if the queue of the listener is full. */
static void prepare_sockets(void)
{
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&peer, sizeof peer) != 0 ||
        listen(listener, 0) != 0 ||
        connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&peer, sizeof peer))
        abort();
    caller = socket(AF_UNIX, SOCK_STREAM, 0);
    idle_listener = socket(AF_INET, SOCK_STREAM, 0);
    listen(idle_listener, 1);
    socketpair(AF_UNIX, SOCK_STREAM, 0, empty_socket);
    socketpair(AF_UNIX, SOCK_STREAM, 0, full_socket);
    fill(full_socket[1]);
}

static void prepare(void)
{
    prepare_child();
    prepare_sockets();
    if (pipe(empty_pipe) != 0 || pipe(full_pipe) != 0 || mkfifo("fifo", 0600) != 0)
        abort();
    fill(full_pipe[1]);
    in = fdopen(empty_pipe[0], "r");
    out = fdopen(full_pipe[1], "w");
    setvbuf(out, NULL, _IONBF, 0);
    poller = epoll_create1(0);
    sem_init(&semaphore, 0, 0);
    mtx_init(&c_mutex, mtx_timed);
    cnd_init(&c_condition);
    endless = start(wait_forever, NULL);
    sigemptyset(&some_signals);
    sigaddset(&some_signals, SIGUSR1);
    sigfillset(&all_signals);
    pthread_sigmask(SIG_BLOCK, &some_signals, NULL);
    request.aio_fildes = empty_pipe[0];
    aio_read(&request);
    late = at(CLOCK_REALTIME, 3600000);
    late_monotonic = at(CLOCK_MONOTONIC, 3600000);
}

static void unlock_mutex(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void unlock_c_mutex(void *unused)
{
    (void)unused;
    mtx_unlock(&c_mutex);
}

/* Waits for a condition. When the thread is cancelled, it holds the mutex again. */
#define WITH_MUTEX(lock, unlock, call)                                                   \
    (__extension__({                                                                     \
        lock;                                                                            \
        pthread_cleanup_push(unlock, NULL);                                              \
        (void)(call);                                                                    \
        pthread_cleanup_pop(1);                                                          \
        0;                                                                               \
    }))
#define LOCKED(call)   WITH_MUTEX(pthread_mutex_lock(&mutex), unlock_mutex, call)
#define C_LOCKED(call) WITH_MUTEX(mtx_lock(&c_mutex), unlock_c_mutex, call)

#define CALLS(DO)                                                                        \
    DO(read(empty_pipe[0], buffer, 1))                                                   \
    DO(readv(empty_pipe[0], &piece, 1))                                                  \
    DO(preadv2(empty_pipe[0], &piece, 1, -1, 0))                                         \
    DO(write(full_pipe[1], buffer, 1))                                                   \
    DO(writev(full_pipe[1], &piece, 1))                                                  \
    DO(pwritev2(full_pipe[1], &piece, 1, -1, 0))                                         \
    DO(recv(empty_socket[0], buffer, 1, 0))                                              \
    DO(recvfrom(empty_socket[0], buffer, 1, 0, NULL, NULL))                              \
    DO(recvmsg(empty_socket[0], &message, 0))                                            \
    DO(recvmmsg(empty_socket[0], &messages, 1, 0, NULL))                                 \
    DO(send(full_socket[1], buffer, sizeof buffer, 0))                                   \
    DO(sendto(full_socket[1], buffer, sizeof buffer, 0, NULL, 0))                        \
    DO(sendmsg(full_socket[1], &large_message, 0))                                       \
    DO(sendmmsg(full_socket[1], &large_messages, 1, 0))                                  \
    DO(accept(idle_listener, NULL, NULL))                                                \
    DO(accept4(idle_listener, NULL, NULL, 0))                                            \
    DO(connect(caller, (struct sockaddr *)&peer, sizeof peer))                           \
    DO(splice(empty_pipe[0], NULL, full_pipe[1], NULL, 1, 0))                            \
    DO(open("fifo", O_RDONLY))                                                           \
    DO(openat(AT_FDCWD, "fifo", O_WRONLY))                                               \
    DO(fcntl(locked, F_SETLKW, &whole))                                                  \
    DO(lockf(locked, F_LOCK, 0))                                                         \
    DO(fgetc(in))                                                                        \
    DO(fgets(buffer, 10, in))                                                            \
    DO(fread(buffer, 1, 10, in))                                                         \
    DO(getline(&line, &line_size, in))                                                   \
    DO(fputc('x', out))                                                                  \
    DO(fputs("word", out))                                                               \
    DO(fwrite(buffer, 1, 10, out))                                                       \
    DO(sem_wait(&semaphore))                                                             \
    DO(sem_timedwait(&semaphore, &late))                                                 \
    DO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &late_monotonic))                      \
    DO(LOCKED(pthread_cond_wait(&condition, &mutex)))                                    \
    DO(LOCKED(pthread_cond_timedwait(&condition, &mutex, &late)))                        \
    DO(LOCKED(                                                                           \
        pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &late_monotonic)))   \
    DO(C_LOCKED(cnd_wait(&c_condition, &c_mutex)))                                       \
    DO(C_LOCKED(cnd_timedwait(&c_condition, &c_mutex, &late)))                           \
    DO(pthread_join(endless, NULL))                                                      \
    DO(pthread_timedjoin_np(endless, NULL, &late))                                       \
    DO(pthread_clockjoin_np(endless, NULL, CLOCK_MONOTONIC, &late_monotonic))            \
    DO(thrd_join(endless, NULL))                                                         \
    DO(sleep(3600))                                                                      \
    DO(usleep(999999999))                                                                \
    DO(nanosleep(&hour, NULL))                                                           \
    DO(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &late, NULL))                      \
    DO(thrd_sleep(&hour, NULL))                                                          \
    DO(pause())                                                                          \
    DO(sigsuspend(&all_signals))                                                         \
    DO(sigwait(&some_signals, &number))                                                  \
    DO(sigwaitinfo(&some_signals, &info))                                                \
    DO(sigtimedwait(&some_signals, &info, &hour))                                        \
    DO(wait(NULL))                                                                       \
    DO(waitpid(-1, NULL, 0))                                                             \
    DO(wait3(NULL, 0, NULL))                                                             \
    DO(wait4(-1, NULL, 0, NULL))                                                         \
    DO(waitid(P_ALL, 0, &info, WEXITED))                                                 \
    DO(system("exec sleep 3600"))                                                        \
    DO(poll(&(struct pollfd){.fd = empty_pipe[0], .events = POLLIN}, 1, -1))             \
    DO(ppoll(&(struct pollfd){.fd = empty_pipe[0], .events = POLLIN}, 1, NULL, NULL))    \
    DO(select(0, &readable, NULL, NULL, NULL))                                           \
    DO(pselect(0, &readable, NULL, NULL, NULL, NULL))                                    \
    DO(epoll_wait(poller, &event, 1, -1))                                                \
    DO(epoll_pwait(poller, &event, 1, -1, NULL))                                         \
    DO(epoll_pwait2(poller, &event, 1, NULL, NULL))                                      \
    DO(aio_suspend(requests, 1, NULL))

#define NAME(...) #__VA_ARGS__,
static const char *const names[] = {CALLS(NAME)};
#define COUNT (sizeof names / sizeof *names)

static void make_call(size_t call)
{
    size_t i = 0;

#define MAKE(...)                                                                        \
    if (i++ == call)                                                                     \
        (void)!(__VA_ARGS__);
    CALLS(MAKE)
}

struct attempt {
    size_t call;
    bool is_before, is_cleaned;
};

static void clean(void *from)
{
    struct attempt *attempt = from;

    attempt->is_cleaned = true;
}

static void *work(void *from)
{
    struct attempt *attempt = from;

    pthread_cleanup_push(clean, attempt);
    if (attempt->is_before)
        pthread_cancel(pthread_self());
    make_call(attempt->call);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancel(size_t call, bool is_before)
{
    struct attempt attempt = {.call = call, .is_before = is_before};
    pthread_t thread = start(work, &attempt);
    void *result;

    if (!is_before) {
        pass(3);
        pthread_cancel(thread);
    }
    pthread_join(thread, &result);
    const bool is_free =
        pthread_mutex_trylock(&mutex) == 0 && mtx_trylock(&c_mutex) == thrd_success;
    pthread_mutex_unlock(&mutex);
    mtx_unlock(&c_mutex);
    printf("%s%s: %s, %s, mutexes %s\n", names[call], is_before ? ", before" : "",
           result == PTHREAD_CANCELED ? "cancelled" : "not cancelled",
           attempt.is_cleaned ? "cleaned" : "not cleaned", is_free ? "free" : "held");
}

int main(void)
{
    int value;

    prepare();
    for (size_t call = 0; call < COUNT; call++) {
        cancel(call, false);
        cancel(call, true);
    }
    /* A semaphore that is free, and a thread that is to be cancelled. */
    sem_post(&semaphore);
    for (size_t call = 0; call < COUNT; call++)
        if (strncmp(names[call], "sem_", 4) == 0)
            cancel(call, true);
    sem_getvalue(&semaphore, &value);
    printf("value %d\n", value);
    fflush(stdout);
    _exit(0);
}
