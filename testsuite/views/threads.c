/* SPDX-License-Identifier: GPL-3.0-or-later */
/* THREADS threads count a fixed number of calls while the first one has one slice written
   after the other; and brief ones come and go. What they call may be elsewhere: with
   MIX=2 in a shared object, which is this file with MIX=1. */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

unsigned long mix(unsigned long n);

#if MIX != 2
__attribute__((noinline)) unsigned long mix(unsigned long n)
{
    return n % 3 ? n * 2654435761u : n + 1;
}
#endif

#if MIX != 1
static int rounds;

static void *work(void *seed)
{
    volatile unsigned long sum = (unsigned long)seed;

    for (int i = 0; i < rounds * 200000; i++)
        sum = mix(sum);
    return NULL;
}

static void *brief(void *seed)
{
    volatile unsigned long sum = (unsigned long)seed;

    for (int i = 0; i < 1000; i++)
        sum = mix(sum);
    return NULL;
}

static void cut(void)
{
    const struct timespec pause = {0, 3000000};

    raise(SIGUSR1);
    nanosleep(&pause, NULL);
}

int main(int count, char **words)
{
    int threads = count > 2 ? atoi(words[1]) : 1;
    pthread_t thread[16], other;

    rounds = atoi(words[2]);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, (void *)(unsigned long)i);
    for (int i = 0; i < 20; i++) {
        pthread_create(&other, NULL, brief, (void *)(unsigned long)i);
        cut();
        pthread_join(other, NULL);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
#endif
