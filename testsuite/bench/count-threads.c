// SPDX-License-Identifier: GPL-3.0-or-later
// Eight threads that call functions and hardly anything else.

#include <pthread.h>

static long tak(long x, long y, long z)
{
    return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

static void *run(void *unused)
{
    (void)unused;
    long sum = 0;

    for (int i = 0; i < 30; i++)
        sum += tak(24, 16, 8);
    return (void *)sum;
}

int main(void)
{
    pthread_t threads[8];

    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return 0;
}
