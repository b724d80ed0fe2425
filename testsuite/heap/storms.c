/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `storms N': N threads that are short, a hundred at once, with small stacks. They free
   in destructors what they have allocated, or leave it to the next one, and end in turn
   by returning, by pthread_exit, and by being cancelled. */

#define _GNU_SOURCE
#include <limits.h>
#include <stdatomic.h>

#include "some.h"

#define ATONCE 100

/* Little, and what each processor allows: aarch64 no less. */
#define STACK (128 << 10)

struct task {
    int number;
    char room[31];
};

static pthread_key_t key;
static _Atomic(void *) handed;

static void release(void *at)
{
    free(at);
    free(some(31));
}

static void *be_short(void *argument)
{
    struct task *task = argument;
    const int way = task->number % 3;
    void *result = some(34);

    pthread_setspecific(key, some(32));
    free(atomic_exchange(&handed, some(33)));
    free(task);
    if (way == 1)
        pthread_exit(result);
    if (way == 2) {
        pthread_cleanup_push(free, result);
        pthread_cancel(pthread_self());
        pthread_testcancel();
        pthread_cleanup_pop(0);
    }
    return result;
}

static void make(pthread_t *thread, int number)
{
    const size_t stack = number % 2 ? STACK : (size_t)PTHREAD_STACK_MIN;
    struct task *task = some(sizeof *task);
    pthread_attr_t attributes;

    task->number = number;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, stack) != 0 ||
        pthread_create(thread, &attributes, be_short, task) != 0)
        abort();
    pthread_attr_destroy(&attributes);
}

int main(int count, char **argument)
{
    const int number = count > 1 ? atoi(argument[1]) : 0;
    pthread_t thread[ATONCE];

    pthread_key_create(&key, release);
    for (int done = 0; done < number; done += ATONCE) {
        for (int i = 0; i < ATONCE; i++)
            make(&thread[i], i);
        for (int i = 0; i < ATONCE; i++) {
            void *result;
            pthread_join(thread[i], &result);
            if (result != PTHREAD_CANCELED)
                free(result);
        }
    }
    free(atomic_load(&handed));
    return 0;
}
