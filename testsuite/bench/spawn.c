// SPDX-License-Identifier: GPL-3.0-or-later
// spawn ROUNDS TIMES NAME FOLDER [NAME FOLDER]...: what it takes to run programs that do
// nothing: ./prog in each FOLDER.  In each of ROUNDS rounds each is run TIMES times, one
// run after the other; prints a line for each, fields separated by tabs:
//     NAME MILLISECONDS RATIO LOW HIGH
// MILLISECONDS is the median over the rounds of the time on the clock of one run, from
// its start until its end is known.  RATIO is the median of that over the first one's in
// the same round; between LOW and HIGH lies the middle half of these ratios.  Ends with
// status 1 if a program fails.

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    const char *name;
    const char *folder;
    double *milliseconds, *ratio; // one for each round
} Contender;

static double *numbers(int count)
{
    double *result = calloc((size_t)count, sizeof *result);

    if (!result)
        exit(1);
    return result;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void run(void)
{
    char program[] = "./prog", *arguments[] = {program, NULL};
    int status = 0, error;
    pid_t child;

    error = posix_spawn(&child, program, NULL, NULL, arguments, environ);
    if (!error && waitpid(child, &status, 0) < 0)
        error = errno;
    if (error || status != 0) {
        fprintf(stderr, "spawn: %s\n", error ? strerror(error) : "a program failed");
        exit(1);
    }
}

static double measure(const char *folder, int times)
{
    double before;

    if (chdir(folder) != 0) {
        fprintf(stderr, "spawn: %s: %s\n", folder, strerror(errno));
        exit(1);
    }
    before = now();
    for (int i = 0; i < times; i++)
        run();
    return (now() - before) / times;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

// The value below which PART of the COUNT values lie; sorts them.
static double quantile(double *values, int count, double part)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[(int)(part * (count - 1) + 0.5)];
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[1]) : 0, times = argc > 2 ? atoi(argv[2]) : 0;
    int count = (argc - 3) / 2;
    Contender *all;

    if (rounds < 1 || times < 1 || count < 1 || argc % 2 == 0) {
        fputs("usage: spawn ROUNDS TIMES NAME FOLDER [NAME FOLDER]...\n", stderr);
        return 2;
    }
    all = calloc((size_t)count, sizeof *all);
    if (!all)
        return 1;
    for (int i = 0; i < count; i++)
        all[i] = (Contender){argv[3 + 2 * i], argv[4 + 2 * i], numbers(rounds),
                             numbers(rounds)};
    // Each round starts with another one.
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            Contender *c = &all[(i + round) % count];

            c->milliseconds[round] = measure(c->folder, times);
        }
        for (int i = 0; i < count; i++)
            all[i].ratio[round] = all[i].milliseconds[round] / all[0].milliseconds[round];
    }
    for (int i = 0; i < count; i++)
        printf("%s\t%.4f\t%.4f\t%.4f\t%.4f\n", all[i].name,
               quantile(all[i].milliseconds, rounds, 0.5),
               quantile(all[i].ratio, rounds, 0.5), quantile(all[i].ratio, rounds, 0.25),
               quantile(all[i].ratio, rounds, 0.75));
    return 0;
}
