/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starts N: the median time, in microseconds, of a fork with the end of the child, and of
   the start and end of a thread.  A heap of some blocks is there.  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 10000

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void *nothing(void *unused)
{
    return unused;
}

static void thread(void)
{
    pthread_t made;
    if (pthread_create(&made, NULL, nothing, NULL) != 0)
        abort();
    pthread_join(made, NULL);
}

static void child(void)
{
    pid_t made = fork();
    if (made == 0)
        _exit(0);
    waitpid(made, NULL, 0);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(void (*start)(void), int n)
{
    static double took[MOST];

    for (int i = 0; i < n; i++) {
        double before = now();
        start();
        took[i] = now() - before;
    }
    qsort(took, (size_t)n, sizeof *took, compare);
    return took[n / 2];
}

static void *volatile block;

int main(int count, char **words)
{
    int n = count > 1 ? atoi(words[1]) : 100;

    if (n > MOST)
        n = MOST;
    for (int i = 0; i < 10000; i++)
        block = malloc((size_t)(16 + i % 100));
    printf("%.1f %.1f\n", median(child, n),
           median(thread, 10 * n < MOST ? 10 * n : MOST));
    return 0;
}
