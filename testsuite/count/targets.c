// SPDX-License-Identifier: GPL-3.0-or-later
// Indirect calls on eight threads, in a handler, in functions that are inlined, and such
// whose target the optimiser finds out.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

typedef int function(int);

static volatile int sink;

__attribute__((noinline)) static int one(int x) { return sink = x + 1; }

__attribute__((noinline)) static int two(int x) { return sink = x + 2; }

__attribute__((noinline)) static int never(int x) { return sink = x; }

static function *const functions[] = {one, two, never};

static inline int apply(function *f, int x)
{
    return f(x); // in apply
}

static void *work(void *argument)
{
    function *volatile other = two;
    for (int i = 0; i < 1000; i++) {
        functions[i % 4 == 0](i); // by number
        apply(one, i);
        if (i % 10 == 0)
            other(i); // by pointer
    }
    return argument;
}

static function *volatile in_handler = one;

static void handler(int number)
{
    in_handler(number); // in the handler
}

int main(void)
{
    pthread_t threads[8];
    signal(SIGUSR1, handler);
    for (int i = 0; i < 5; i++)
        raise(SIGUSR1);
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    function *volatile outside = abs;
    return outside(-3) - 3; // outside
}
