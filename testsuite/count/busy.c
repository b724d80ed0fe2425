// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that never stop calling.

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int sink;

__attribute__((noinline)) static void step(void)
{
    sink++;
}

static void *begin(void *none)
{
    for (;;)
        step();
    return none;
}

void work(int count)
{
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, begin, NULL))
            exit(1);
    }
    usleep(50000);
}
