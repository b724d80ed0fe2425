/* SPDX-License-Identifier: GPL-3.0-or-later */
/* later-storm COMMAND: threads allocate, reallocate, exchange and free blocks, and
   another one forks, while the command switches the heap on; in it, $PPID is this
   process. At the end all blocks are freed, those from before the command, too. The
   first child works for long enough to have samples, so that it writes a profile. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, SHARED = 512, ROUNDS = 20000, FORKS = 10 };

static _Atomic(char *) shared[SHARED];
static atomic_ulong done[THREADS], forked;
static atomic_bool stop;

static void *work(void *argument)
{
    const size_t number = (size_t)argument;
    unsigned random = (unsigned)number + 1;

    while (!stop) {
        random = random * 1103515245 + 12345;
        size_t size = 1 + random / 65536 % 3000;
        char *block = size % 7 ? malloc(size) : calloc(1, size);
        block[size - 1] = 'x';
        if (size % 3 == 0)
            block = realloc(block, size + 500);
        block = atomic_exchange(&shared[random / 65536 % SHARED], block);
        if (block && size % 5 == 0)
            block = realloc(block, size * 2);
        free(block);
        done[number]++;
    }
    return NULL;
}

static void *forks(void *unused)
{
    while (!stop) {
        pid_t child = fork();
        if (child == 0) {
            for (int i = 0; i < SHARED; i++)
                free(shared[i]);
            free(malloc(100));
            for (clock_t end = clock() + CLOCKS_PER_SEC / 20; !forked && clock() < end;)
                continue;
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "a child: status %x\n", (unsigned)status);
            exit(1);
        }
        forked++;
        usleep(2000);
    }
    return unused;
}

static void wait_for_rounds(void)
{
    unsigned long from[THREADS], forked_from = forked;
    for (int i = 0; i < THREADS; i++)
        from[i] = done[i];
    for (int i = 0; i < THREADS; i++)
        while (done[i] < from[i] + ROUNDS || forked < forked_from + FORKS)
            usleep(1000);
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS + 1];

    if (count != 2)
        return 1;
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    pthread_create(&threads[THREADS], NULL, forks, NULL);
    wait_for_rounds();
    if (system(arguments[1]) != 0)
        return 1;
    wait_for_rounds();
    stop = true;
    for (int i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SHARED; i++)
        free(shared[i]);
    return 0;
}
