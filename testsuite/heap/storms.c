/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that are many and short, with small stacks.  `threads N': N threads, a hundred
   at once, which free what they have allocated in their destructors or leave it to the
   next one.  `signals N': handlers that allocate, N signals, sent to threads that
   allocate (in libc that may not be done: those are a program's that only seem to be
   right, so here they interrupt nothing but system calls, and on an alternate stack).
   `cancel N': N threads that are cancelled, or that end by pthread_exit with handlers
   that free. `stacks': prints the bytes of stack that malloc and free need.  */

#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "some.h"

#define ATONCE 100

/* Little, and what each processor allows: aarch64 no less.  */
#define STACK (128 << 10)

static pthread_key_t key;
static _Atomic(void *) handed;
static atomic_int ended;

static void release(void *at)
{
    free(at);
    free(some(31));
    atomic_fetch_add(&ended, 1);
}

static void *be_short(void *argument)
{
    pthread_setspecific(key, some(32));
    free(atomic_exchange(&handed, some(33)));
    free(argument);
    return some(34);
}

static void make(pthread_t *thread, void *(*start)(void *), void *argument, size_t stack)
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, stack) != 0 ||
        pthread_create(thread, &attributes, start, argument) != 0)
        abort();
    pthread_attr_destroy(&attributes);
}

static void threads(int count)
{
    pthread_t thread[ATONCE];

    for (int done = 0; done < count; done += ATONCE) {
        for (int i = 0; i < ATONCE; i++)
            make(&thread[i], be_short, some(35),
                 i % 2 ? STACK : (size_t)PTHREAD_STACK_MIN);
        for (int i = 0; i < ATONCE; i++) {
            void *result;
            pthread_join(thread[i], &result);
            free(result);
        }
    }
    free(atomic_load(&handed));
}

static atomic_int handled;
static atomic_bool is_done;

static void handle(int number)
{
    (void)number;
    free(some(36));
    atomic_fetch_add(&handled, 1);
}

/* Allocates while the signal is blocked, and lets it come in between.  */
static void *take_signals(void *argument)
{
    stack_t stack = {.ss_sp = some(65536), .ss_size = 65536},
            none = {.ss_flags = SS_DISABLE};
    sigset_t set;

    sigaltstack(&stack, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    while (!atomic_load(&is_done)) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        void *block = some(37);
        free(some(38));
        free(block);
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigaltstack(&none, NULL);
    free(stack.ss_sp);
    return argument;
}

static void signals(int count)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    pthread_t thread[2];
    sigset_t set;

    /* The threads begin with it blocked: their first block must not be interrupted.  */
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 2; i++)
        make(&thread[i], take_signals, NULL, STACK);
    for (int i = 0; atomic_load(&handled) < count; i++) {
        pthread_kill(thread[i % 2], SIGUSR1);
        if (i % 16 == 0)
            usleep(100);
    }
    atomic_store(&is_done, true);
    join(thread, 2);
}

static void *be_cancelled(void *argument)
{
    void *block = some(39);

    pthread_cleanup_push(free, block);
    pthread_setspecific(key, some(40));
    if (argument)
        pthread_exit(some(41));
    for (;;) {
        free(some(42));
        pthread_testcancel();
    }
    pthread_cleanup_pop(1);
    return NULL;
}

static void cancel(int count)
{
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        void *result;
        make(&thread, be_cancelled, i % 2 ? &key : NULL, STACK);
        if (i % 2 == 0)
            pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            free(result);
    }
}

/* Fills the stack below with a pattern and finds how much of it was written over.  */
__attribute__((noinline, noipa)) static void paint(int how)
{
    static volatile unsigned char *low;
    volatile unsigned char area[32768];

    if (how == 0) {
        for (size_t i = 0; i < sizeof area; i++)
            area[i] = 0x5a;
        low = area;
        return;
    }
    size_t left = 0;
    while (left < sizeof area && low[left] == 0x5a)
        left++;
    printf("%zu\n", sizeof area - left);
}

static void *measure(void *argument)
{
    /* What is done once only: symbols are bound, pages mapped.  */
    for (int i = 0; i < 2; i++) {
        void *block = some(43);
        paint(0);
        void *other = malloc(44 + (size_t)i);
        free(block);
        free(realloc(other, 1000));
        if (i == 1)
            paint(1);
    }
    return argument;
}

int main(int count, char **argument)
{
    const int number = count > 2 ? atoi(argument[2]) : 0;
    pthread_t thread;

    if (count < 2)
        return 0;
    pthread_key_create(&key, release);
    if (strcmp(argument[1], "threads") == 0)
        threads(number);
    if (strcmp(argument[1], "signals") == 0)
        signals(number);
    if (strcmp(argument[1], "cancel") == 0)
        cancel(number);
    if (strcmp(argument[1], "stacks") == 0) {
        make(&thread, measure, NULL, 1 << 20);
        pthread_join(thread, NULL);
    }
    return 0;
}
