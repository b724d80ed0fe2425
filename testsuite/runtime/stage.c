/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of a pipeline, one of three by STAGE, that reports what it has used itself:
   `one N' prints N numbers, `two' reads and prints numbers, `three' reads them and prints
   their sum. `one N CHILDREN' is a server: so many children each do that, several at a
   time.

   At its end each process adds a line to the file $REPORT: its number, the microseconds
   of CPU time that the kernel says it had used where main, or the child, began, and now;
   its calls of step, and the nanoseconds of the briefest of them.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AT_ONCE 12

static unsigned long calls, total, briefest;
static long long begun;

static __attribute__((noinline)) unsigned long step(unsigned long x)
{
    calls++;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < 6000; i++)
        x = (x ^ x >> 7) * 2654435761u + STAGE;
    clock_gettime(CLOCK_MONOTONIC, &to);
    unsigned long took = (unsigned long)(to.tv_sec - from.tv_sec) * 1000000000 +
                         (unsigned long)to.tv_nsec - (unsigned long)from.tv_nsec;
    briefest = briefest == 0 || took < briefest ? took : briefest;
    return x;
}

static long long used(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        abort();
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
           usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void report(void)
{
    char line[100];
    int file = open(getenv("REPORT"), O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (fflush(stdout) != 0 || file < 0)
        abort();
    int size = snprintf(line, sizeof line, "%d %lld %lld %lu %lu\n", (int)getpid(), begun,
                        used(), calls, briefest);
    if (write(file, line, (size_t)size) != size)
        abort();
    close(file);
}

static void numbers(int count)
{
    for (int i = 0; i < count; i++) {
        unsigned long x = step((unsigned long)i);
        if (STAGE == 1)
            printf("%lu\n", x % 1000);
    }
}

static void serve(int count, int children)
{
    for (int i = 0, running = 0; i < children; i++) {
        if (running++ >= AT_ONCE)
            wait(NULL);
        pid_t child = fork();
        if (child < 0)
            abort();
        if (child == 0) {
            begun = used();
            calls = 0;
            numbers(count);
            report();
            exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    unsigned long x;
    begun = used();
    if (argc > 2)
        serve(atoi(argv[1]), atoi(argv[2]));
    else if (argc > 1)
        numbers(atoi(argv[1]));
    while (argc == 1 && scanf("%lu", &x) == 1) {
        total += step(x);
        if (STAGE == 2)
            printf("%lu\n", x + 1);
    }
    if (STAGE == 3)
        printf("%lu\n", total);
    report();
    return 0;
}
