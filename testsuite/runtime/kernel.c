/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel WAY SECONDS: uses SECONDS of CPU time in one way. Prints the percentage of the
   CPU time in the kernel, by getrusage, and the number in mlmon.out(5) of the cause of
   most kernel time. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAULT      1
#define CALL(name) (2 + SYS_##name)

static double limit;
static volatile unsigned long sink;

static int goes_on(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec < limit;
}

static void compute(void)
{
    while (goes_on())
        for (unsigned long i = 0; i < 1000000; i++)
            sink += i;
}

/* The vDSO is user code. */
static void look(void)
{
    struct timespec time;
    while (goes_on())
        for (int i = 0; i < 10000; i++)
            clock_gettime(CLOCK_MONOTONIC, &time);
}

static void copy(void)
{
    static char block[65536];
    int from = open("/dev/zero", O_RDONLY), to = open("copy", O_WRONLY | O_CREAT, 0600);
    while (goes_on())
        for (int i = 0; i < 64; i++) {
            if (read(from, block, sizeof block / 8) < 0 ||
                pwrite(to, block, sizeof block, 0) < 0)
                abort();
            sink += (unsigned char)block[0];
        }
}

/* Not by libc's function of the call's name. */
static void call_by_number(void)
{
    static char block[4096];
    while (goes_on())
        for (int i = 0; i < 64; i++)
            if (syscall(SYS_getrandom, block, sizeof block, 0) < 0)
                abort();
}

static void touch(void)
{
    const size_t size = 4 << 20;
    while (goes_on()) {
        char *at =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(at, size, MADV_NOHUGEPAGE);
        for (size_t i = 0; i < size; i += 4096)
            at[i] = 1;
        munmap(at, size);
    }
}

static void fork_often(void)
{
    while (goes_on()) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, over;

static void *play(void *second)
{
    const int own = second != NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i % 100 != 0 || goes_on(); i++) {
        while (turn != own && !over)
            pthread_cond_wait(&changed, &lock);
        turn = !own;
        pthread_cond_signal(&changed);
    }
    over = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void wait_often(void)
{
    pthread_t other;
    pthread_create(&other, NULL, play, &turn);
    play(NULL);
    pthread_join(other, NULL);
}

static const struct {
    const char *name;
    void (*run)(void);
    long why; /* -1: hardly anything was in the kernel */
} ways[] = {{"compute", compute, -1},
            {"look", look, -1},
            {"copy", copy, CALL(pwrite64)},
            {"touch", touch, FAULT},
            {"fork", fork_often, CALL(clone)},
            {"wait", wait_often, CALL(futex)},
            {"number", call_by_number, CALL(getrandom)}};

int main(int argc, char **argv)
{
    struct rusage used;
    limit = argc > 2 ? strtod(argv[2], NULL) : 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run();
            getrusage(RUSAGE_SELF, &used);
            double user =
                (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
            double system =
                (double)used.ru_stime.tv_sec + 1e-6 * (double)used.ru_stime.tv_usec;
            printf("%.1f %ld\n", 100 * system / (user + system), ways[i].why);
            return 0;
        }
    return 2;
}
