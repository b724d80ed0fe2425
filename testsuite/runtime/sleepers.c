// SPDX-License-Identifier: GPL-3.0-or-later
// Twelve threads that sleep, by their names: w0 to w11.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 12

static void *sleeps(void *number)
{
    char name[16];
    snprintf(name, sizeof name, "w%d", *(int *)number);
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < 10; i++)
        usleep(50000);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, sleeps, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
