// SPDX-License-Identifier: GPL-3.0-or-later
// ratio ROUNDS NAME COMMAND [NAME COMMAND]...: runs the commands in turn, ROUNDS
// times, and prints a line for each, fields separated by tabs:
//     NAME CPU RATIO LOW HIGH WALL PEAK
// CPU and WALL are medians in seconds, user and system time together.  RATIO is the
// median over the rounds of its CPU time to that of the first command in the same
// round, so that a machine which grows slower or faster meanwhile does no harm;
// between LOW and HIGH lies the middle half of these ratios.  PEAK is the largest
// memory in KiB.  Ends with status 1 if a command fails.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    const char *name;
    const char *command;
    double *cpu, *wall, *ratio; // one for each round
    long peak;
} Contender;

static void fail(const char *what)
{
    fprintf(stderr, "ratio: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double *numbers(int count)
{
    double *result = calloc((size_t)count, sizeof *result);

    if (!result)
        fail("memory");
    return result;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static pid_t start(const char *command)
{
    pid_t child = fork();
    int null;

    if (child < 0)
        fail("fork");
    if (child == 0) {
        null = open("/dev/null", O_WRONLY);
        if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
            fail("/dev/null");
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        fail("sh");
    }
    return child;
}

static void measure(Contender *c, int round)
{
    double before = now();
    pid_t child = start(c->command);
    struct rusage used;
    int status;

    if (wait4(child, &status, 0, &used) < 0)
        fail("wait");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "ratio: failed: %s\n", c->command);
        exit(1);
    }
    c->wall[round] = now() - before;
    c->cpu[round] = seconds(used.ru_utime) + seconds(used.ru_stime);
    if (used.ru_maxrss > c->peak)
        c->peak = used.ru_maxrss;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

// The value below which PART of the COUNT values lie; sorts them.
static double quantile(double *values, int count, double part)
{
    double place = part * (count - 1);
    int below = (int)place;

    qsort(values, (size_t)count, sizeof *values, by_value);
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (place - below) * (values[below + 1] - values[below]);
}

static void report(Contender *c, int rounds)
{
    printf("%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%ld\n", c->name,
           quantile(c->cpu, rounds, 0.5), quantile(c->ratio, rounds, 0.5),
           quantile(c->ratio, rounds, 0.25), quantile(c->ratio, rounds, 0.75),
           quantile(c->wall, rounds, 0.5), c->peak);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 0, count = (argc - 2) / 2;
    Contender *all;

    if (rounds < 1 || count < 1 || argc % 2 != 0) {
        fputs("usage: ratio ROUNDS NAME COMMAND [NAME COMMAND]...\n", stderr);
        return 2;
    }
    all = calloc((size_t)count, sizeof *all);
    if (!all)
        fail("memory");
    for (int i = 0; i < count; i++)
        all[i] = (Contender){argv[2 + 2 * i], argv[3 + 2 * i], numbers(rounds),
                             numbers(rounds), numbers(rounds), 0};
    // Each round starts with another one.
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++)
            measure(&all[(i + round) % count], round);
        for (int i = 0; i < count; i++)
            all[i].ratio[round] = all[i].cpu[round] / all[0].cpu[round];
    }
    for (int i = 0; i < count; i++)
        report(&all[i], rounds);
    return 0;
}
