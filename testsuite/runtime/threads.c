/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads SECONDS [N]: spends that much CPU time in each of N threads (0: in the
   main thread), and prints what getrusage says it was.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "burn.h"

static double seconds;

static void *work(void *unused)
{
    (void)unused;
    burn(seconds);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[64];
    struct rusage used;
    int n = argc > 2 ? atoi(argv[2]) : 0;

    seconds = atof(argv[1]);
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    if (n == 0)
        work(NULL);
    getrusage(RUSAGE_SELF, &used);
    printf("%.3f\n", (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec +
                         (double)used.ru_stime.tv_sec +
                         1e-6 * (double)used.ru_stime.tv_usec);
    return 0;
}
