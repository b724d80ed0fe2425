// SPDX-License-Identifier: GPL-3.0-or-later
// leaves MODE: waits that do not end as usual, and programs that leave little room for a
// runtime.
//
//     jumps     a handler leaves waits, and code of the runtime, by siglongjmp for a
//               second; then there are 100 sleeps of 1 ms. Prints the number of jumps
//     left      ten reads of a pipe are left by siglongjmp after 20 ms
//     cancel    ten threads are cancelled while they wait for a condition for 20 ms
//     destroy   ten threads are cancelled in a read of a pipe after 20 ms, and use the
//     stack
//               and longjmp in destructors
//     asked     another thread asks for a file 300 times while the first one waits
//     filter    forbids to open files, waits, and kills itself
//     unseen    the same with calls that the runtime does not see
//     closed    the same after 20 waits without descriptor 0
//     forks     prints by how many megabytes the process grows in 20 generations
//     names     calls functions of other.c that have names of libc, and prints the
//     results

#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L

// Those of other.c.
double connect(double a, const char *b, double c);
struct triple {
    long a, b, c;
} flock(struct triple from, int more);

static sigjmp_buf place;
static volatile sig_atomic_t jumps;

static void rest(long nanoseconds)
{
    struct timespec time = {0, nanoseconds};
    while (nanosleep(&time, &time) && errno == EINTR) {
    }
}

static void leave(int number)
{
    (void)number;
    jumps++;
    siglongjmp(place, 1);
}

// Sends SIGALRM each INTERVAL microseconds; 0: no longer.
static void alarm_each(long interval)
{
    struct itimerval time = {{0, interval}, {0, interval}};
    signal(SIGALRM, leave);
    if (setitimer(ITIMER_REAL, &time, NULL))
        err(2, "setitimer");
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Waits whose stacks differ, so that the runtime keeps new ones.
static __attribute__((noinline)) void wait_deep(int depth)
{
    struct pollfd none;
    if (depth > 0)
        wait_deep(depth - 1);
    else
        poll(&none, 0, 0);
    rest(20000);
}

static void mode_jumps(void)
{
    const double end = now() + 1;
    alarm_each(170);
    sigsetjmp(place, 1);
    while (now() < end)
        wait_deep(jumps % 50);
    signal(SIGALRM, SIG_IGN);
    for (int i = 0; i < 100; i++)
        rest(MS);
    printf("%d\n", (int)jumps);
}

static void mode_left(void)
{
    int ends[2];
    char byte;
    if (pipe(ends))
        err(2, "pipe");
    sigsetjmp(place, 1);
    if (jumps < 10) {
        alarm_each(20000);
        read(ends[0], &byte, 1);
        errx(2, "the read has ended");
    }
    signal(SIGALRM, SIG_IGN);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void unlock(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_condition(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

static void mode_cancel(void)
{
    pthread_t threads[10];
    for (int i = 0; i < 10; i++)
        pthread_create(&threads[i], NULL, wait_for_condition, NULL);
    rest(20 * MS);
    for (int i = 0; i < 10; i++) {
        pthread_cancel(threads[i]);
        pthread_join(threads[i], NULL);
    }
}

static pthread_key_t key;
static int pipe_ends[2];

static __attribute__((noinline)) void jump_deep(jmp_buf to, int depth)
{
    volatile char filled[8192];
    for (size_t i = 0; i < sizeof filled; i++)
        filled[i] = 0x41;
    if (depth)
        jump_deep(to, depth - 1);
    else
        longjmp(to, 1);
}

static void destroy(void *unused)
{
    jmp_buf to;
    (void)unused;
    if (!setjmp(to))
        jump_deep(to, 3);
}

static void *read_cancelled(void *unused)
{
    char byte;
    volatile char filled[16384];
    filled[0] = pthread_setspecific(key, &key) == 0;
    return read(pipe_ends[0], &byte, filled[0]) == 1 ? unused : NULL;
}

static void mode_destroy(void)
{
    if (pipe(pipe_ends) != 0 || pthread_key_create(&key, destroy) != 0)
        err(1, "pipe");
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, read_cancelled, NULL);
        rest(20 * MS);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
}

static void *ask(void *first)
{
    for (int i = 0; i < 300; i++) {
        pthread_kill(*(pthread_t *)first, SIGUSR2);
        rest(MS);
    }
    jumps = 1;
    return NULL;
}

static void mode_asked(void)
{
    pthread_t first = pthread_self(), other;
    pthread_create(&other, NULL, ask, &first);
    while (!jumps)
        wait_deep(rand() % 50);
    pthread_join(other, NULL);
}

// Waits for 200 ms in a process that the kernel kills if it opens a file.
static void wait_filtered(__typeof__(prctl) *call)
{
    struct sock_filter code[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_openat},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (call(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        call(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
        err(77, "seccomp");
    for (int i = 0; i < 200; i++)
        rest(MS);
    kill(getpid(), SIGKILL);
}

static __typeof__(prctl) *find_prctl(void)
{
    return (__typeof__(prctl) *)(unsigned long)dlsym(RTLD_DEFAULT, "prctl");
}

static void mode_closed(void)
{
    close(STDIN_FILENO);
    for (int i = 0; i < 20; i++)
        rest(MS);
    wait_filtered(find_prctl());
}

static long megabytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        errx(2, "statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) >> 20;
}

static void mode_forks(void)
{
    long before = 0;
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        int status;
        if (child < 0)
            err(2, "fork");
        if (child > 0) {
            waitpid(child, &status, 0);
            exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
        }
        if (i == 0)
            before = megabytes();
        rest(MS);
    }
    printf("%ld\n", megabytes() - before);
}

static void mode_names(void)
{
    struct triple got = flock((struct triple){1, 2, 3}, 4);
    printf("%g %ld %ld %ld\n", connect(1.5, "abc", 0.25), got.a, got.b, got.c);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"jumps", mode_jumps}, {"left", mode_left},      {"cancel", mode_cancel},
                 {"asked", mode_asked}, {"closed", mode_closed},  {"forks", mode_forks},
                 {"names", mode_names}, {"destroy", mode_destroy}};
    if (argc == 2 && strcmp(argv[1], "filter") == 0)
        wait_filtered(prctl);
    if (argc == 2 && strcmp(argv[1], "unseen") == 0)
        wait_filtered(find_prctl());
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            return 0;
        }
    errx(2, "usage: leaves MODE");
}
