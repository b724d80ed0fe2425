/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of functions that wait: in children of fork, with locks in shared
   memory, with signals that interrupt them, after a handler has left them by a jump, with
   wrong arguments, and with arguments that only some calls have. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wait-same.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static int ends[2];
static char buffer[100];

/* Locks that two processes share. */
struct shared {
    pthread_mutex_t robust, plain;
    pthread_cond_t condition;
    sem_t semaphore;
    int count, turn;
};

static struct shared *make_shared(void)
{
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t kind;
    pthread_condattr_t condition;

    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->plain, &kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shared->robust, &kind);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->condition, &condition);
    sem_init(&shared->semaphore, 1, 0);
    return shared;
}

static void take_turns(struct shared *shared, int mine)
{
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&shared->plain);
        while (shared->turn != mine)
            pthread_cond_wait(&shared->condition, &shared->plain);
        shared->turn = !mine;
        shared->count++;
        pthread_cond_signal(&shared->condition);
        pthread_mutex_unlock(&shared->plain);
    }
}

static void wait_child(void)
{
    int status;

    fflush(stdout);
    wait(&status);
    printf("status %d\n", status);
}

static void processes(void)
{
    struct shared *shared = make_shared();

    fflush(stdout);
    if (fork() == 0) {
        take_turns(shared, 1);
        pthread_mutex_lock(&shared->robust);
        sem_post(&shared->semaphore);
        pass(5);
        _exit(3);
    }
    take_turns(shared, 0);
    SAY(sem_wait(&shared->semaphore));
    SAY(pthread_mutex_lock(&shared->robust));
    SAY(pthread_mutex_consistent(&shared->robust));
    SAY(pthread_mutex_unlock(&shared->robust));
    wait_child();
    SAY(shared->count);
}

/* A child holds the lock for a while. */
static void file_locks(void)
{
    struct shared *shared = make_shared();
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int fd = open("locked", O_RDWR | O_CREAT, 0600);

    fflush(stdout);
    if (fork() == 0) {
        fcntl(fd, F_SETLK, &lock);
        sem_post(&shared->semaphore);
        pass(20);
        _exit(0);
    }
    sem_wait(&shared->semaphore);
    SAY(fcntl(fd, F_SETLKW, &lock));
    wait_child();
    close(fd);
}

static void *hold(void *unused)
{
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&mutex);
        usleep(10);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

/* Forks while the thread holds the mutex, and others wait for it. The child has its own
   threads. */
static void forks(void)
{
    pthread_t other = start(hold, NULL), third = start(hold, NULL);

    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&mutex);
        pid_t child = fork();
        pthread_mutex_unlock(&mutex);
        if (child == 0) {
            pthread_t inner = start(hold, NULL);
            hold(NULL);
            pthread_join(inner, NULL);
            _exit(i);
        }
        wait_child();
    }
    pthread_join(other, NULL);
    pthread_join(third, NULL);
}

static sigjmp_buf back;
static volatile sig_atomic_t jumps, posts;

static void handle(int number)
{
    (void)number;
    posts++;
    if (jumps)
        siglongjmp(back, 1);
    sem_post(&semaphore);
}

/* Sends SIGALRM again and again, since the first one may come before the call waits. */
static void set_alarms(long interval)
{
    const struct itimerval often = {{0, interval}, {0, interval}};

    setitimer(ITIMER_REAL, &often, NULL);
}

#define INTERRUPTED(call)                                                                \
    do {                                                                                 \
        set_alarms(3000);                                                                \
        SAY(call);                                                                       \
        set_alarms(0);                                                                   \
    } while (0)

/* Each call is interrupted by a signal, except those that begin again. */
static void signals(int flags)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    const struct timespec hour = {3600, 0};
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    int poller = epoll_create1(0);
    struct epoll_event event;
    sigset_t none;

    sigemptyset(&none);
    sigaction(SIGALRM, &action, NULL);
    sem_init(&semaphore, 0, 0);
    jumps = 0;
    if (flags == 0) {
        INTERRUPTED(read(ends[0], buffer, 1));
        INTERRUPTED(recv(socket(AF_UNIX, SOCK_DGRAM, 0), buffer, 1, 0));
        INTERRUPTED(waitpid(-1, NULL, 0));
    }
    INTERRUPTED(poll(&file, 1, -1));
    INTERRUPTED(ppoll(&file, 1, &hour, &none));
    INTERRUPTED(select(0, NULL, NULL, NULL, NULL));
    INTERRUPTED(pselect(0, NULL, NULL, NULL, NULL, NULL));
    INTERRUPTED(epoll_wait(poller, &event, 1, -1));
    INTERRUPTED(epoll_pwait(poller, &event, 1, -1, &none));
    INTERRUPTED(nanosleep(&hour, NULL));
    INTERRUPTED(clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL));
    INTERRUPTED(usleep(999999));
    INTERRUPTED(pause());
    INTERRUPTED(sigsuspend(&none));
    SAY(sem_init(&semaphore, 0, 0));
    INTERRUPTED(sem_wait(&semaphore));
    printf("handled %d\n", posts > 0);
    close(poller);
}

/* A handler leaves a wait by a jump, which another wait follows. */
static void jump_out(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_NODEFER};
    volatile int i = 0;

    sigaction(SIGALRM, &action, NULL);
    jumps = 1;
    sem_init(&semaphore, 0, 0);
    for (i = 0; i < 100; i++) {
        if (sigsetjmp(back, 1) == 0) {
            setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 500}}, NULL);
            switch (i % 4) {
            case 0:
                (void)!read(ends[0], buffer, 1);
                break;
            case 1:
                sem_wait(&semaphore);
                break;
            case 2:
                pause();
                break;
            case 3:
                poll(NULL, 0, -1);
                break;
            }
            printf("not interrupted\n");
        }
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        usleep(20);
    }
    jumps = 0;
    printf("jumped %d\n", i);
}

static mode_t mode_of(int fd)
{
    struct stat status;

    fstat(fd, &status);
    close(fd);
    return status.st_mode;
}

static void arguments(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int fd = open("made", O_RDWR | O_CREAT, 0640);
    void *volatile address = (void *)8;
    void *wrong = address;
    int value = 5;

    umask(0);
    SAY(mode_of(open("other", O_WRONLY | O_CREAT, 0604)));
    SAY(mode_of(openat(AT_FDCWD, "third", O_WRONLY | O_CREAT, 0460)));
    SAY(open("absent", O_RDONLY));
    SAY(fcntl(fd, F_SETLK, &lock));
    SAY(fcntl(fd, F_SETLKW, &lock));
    SAY(fcntl(open("other", O_WRONLY), F_OFD_SETLKW, &lock));
    SAY(fcntl(fd, F_GETFL));
    SAY(fcntl(fd, F_SETFL, O_APPEND));
    SAY(fcntl(fd, F_GETFL));
    SAY(fcntl(fd, F_SETLKW, wrong));
    SAY(flock(fd, LOCK_EX));
    SAY(flock(fd, 99));
    SAY(lockf(fd, F_LOCK, 0));
    SAY(fsync(fd));
    SAY(fsync(-1));
    SAY(msync(NULL, 1, 99));
    SAY(read(-1, buffer, 1));
    SAY(write(fd, wrong, 1));
    SAY(pread(ends[0], buffer, 1, 0));
    SAY(poll(wrong, 1, 0));
    SAY(poll(NULL, 0, 1));
    SAY(ppoll(wrong, 1, NULL, NULL));
    SAY(select(1, wrong, NULL, NULL, NULL));
    SAY(epoll_wait(-1, wrong, 1, 0));
    SAY(nanosleep(&(struct timespec){0, 1000000000}, NULL));
    SAY(clock_nanosleep(99, 0, &(struct timespec){0, 1}, NULL));
    SAY(waitpid(-1, NULL, WNOHANG));
    SAY(accept(fd, NULL, NULL));
    SAY(syscall(SYS_futex, &value, FUTEX_WAIT, 4, NULL));
    SAY(syscall(SYS_futex, &value, FUTEX_WAIT, 5, &(struct timespec){0, 1000}));
    SAY(syscall(SYS_futex, &value, FUTEX_WAIT_BITSET, 5, &(struct timespec){0, 1000},
                NULL, 0));
    SAY(syscall(SYS_futex, &value, FUTEX_WAIT_BITSET, 5, &(struct timespec){0, 1000},
                NULL, FUTEX_BITSET_MATCH_ANY));
    SAY(syscall(SYS_futex, &value, FUTEX_WAKE, 1));
    SAY(syscall(SYS_futex, &value, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0));
    SAY(syscall(SYS_io_uring_enter, -1, 0, 1, 1, NULL, 0) < 0);
    close(fd);
}

/* Wakes by the system call; FUTEX_WAIT_BITSET uses all arguments. */
static int word;

static void *wait_word(void *unused)
{
    SAY(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 2));
    return unused;
}

static void futexes(void)
{
    pthread_t other = start(wait_word, NULL);

    pass(20);
    SAY(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 1));
    long woken;
    while ((woken = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2)) == 0)
        pass(1);
    pthread_join(other, NULL);
    SAY(woken);
    fflush(stdout);
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
        _exit(7);
    wait_child();
}

static void streams(void)
{
    unsigned sum = 0;
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen("lines", "w+");

    for (int i = 0; i < 3000; i++) {
        fprintf(file, "%d ", i * i);
        fputs(i % 5 ? "word " : "line\n", file);
        fputc('a' + i % 26, file);
        fwrite("0123456789", 1, (size_t)i % 11, file);
    }
    SAY(fflush(file));
    SAY(fflush(NULL));
    rewind(file);
    for (int i = 0; i < 200; i++) {
        sum = sum * 31 + (unsigned)fgetc(file);
        sum = sum * 31 + (fgets(buffer, 50, file) ? (unsigned)strlen(buffer) : 0);
        ungetc('u', file);
        sum = sum * 31 + (unsigned)fread(buffer, 1, 20, file);
        sum = sum * 31 + (unsigned)buffer[0];
        sum = sum * 31 + (unsigned)getline(&line, &size, file);
        sum = sum * 31 + (unsigned)strlen(line);
    }
    SAY(sum);
    SAY(ftell(file));
    SAY(fseek(file, 0, SEEK_END));
    SAY(fread(buffer, 1, 1, file));
    SAY(fgets(buffer, 10, file) == NULL);
    SAY(fgetc(file));
    SAY(fread(buffer, SIZE_MAX / 2 + 1, 0, file));
    SAY(fclose(file));
    file = fmemopen(buffer, sizeof buffer, "w+");
    SAY(fputs("text", file));
    rewind(file);
    SAY(fgetc(file));
    SAY(fclose(file));
    file = popen("exit 4", "r");
    SAY(fgetc(file));
    SAY(pclose(file));
    SAY(system("exit 5"));
    SAY(puts("puts"));
    SAY(putchar('\n'));
}

int main(void)
{
    if (pipe(ends) != 0)
        abort();
    processes();
    file_locks();
    forks();
    arguments();
    futexes();
    streams();
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    signals(0);
    signals(SA_RESTART);
    jump_out();
    kill(child, SIGKILL);
    wait_child();
    return 0;
}
