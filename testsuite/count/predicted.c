// SPDX-License-Identifier: GPL-3.0-or-later
// Branches with outcomes of many kinds. The lines marked `//? N' have the branch N, and
// no other. Each condition is told, since predictions follow from all.
#include "predictions.h"

#include <pthread.h>

#define LOOPS 1000

static unsigned draw(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345;
    return *seed >> 16 & 0x7fff;
}

static inline __attribute__((always_inline)) int is_odd(int x)
{
    if (x & 1) //? 1
        return 3;
    return 5;
}

__attribute__((noinline)) int here(int x)
{
    expect_condition(1, x & 1);
    return is_odd(x);
}

// A copy of is_odd of its own: 51 stands for it.
__attribute__((noinline)) int there(int x)
{
    expect_condition(51, x & 1);
    return is_odd(x) + 1;
}

__attribute__((noinline)) static int grade(int x)
{
    expect_switch(2, x);
    switch (x) { //? 2
    case 0:
        return 7;
    case 1:
        return here(x);
    case 2:
        return 9;
    default:
        return there(x);
    }
}

// With -fnon-call-exceptions this comparison may throw.
__attribute__((noinline)) static int above(double x, double limit)
{
    expect_condition(3, x > limit);
    if (x > limit) //? 3
        return here(1);
    return 2;
}

__attribute__((noinline)) static int ways(int i, unsigned random)
{
    int sum = 0;

    expect_condition(4, i % 2 == 0);
    if (i % 2 == 0) //? 4
        sum += here(i);
    expect_condition(5, i % 5 == 4);
    if (i % 5 == 4) //? 5
        sum += there(i);
    expect_condition(6, i % 7 == 3);
    if (i % 7 == 3) //? 6
        sum += 5;
    expect_condition(7, random & 1);
    if (random & 1) //? 7
        sum += here(3);
    expect_condition(8, random % 10 == 0);
    if (random % 10 == 0) //? 8
        sum += there(2);
    expect_condition(9, i >= 0);
    if (i >= 0) //? 9
        sum++;
    // Needs no branch.
    expect_condition(10, (int)random > sum);
    if ((int)random > sum) //? 10
        sum = (int)random;
    return sum;
}

static void *work(void *data)
{
    unsigned seed = *(unsigned *)data;
    int sum = 0;

    for (int i = 0; expect_condition(11, i < LOOPS), i < LOOPS; i++) { //? 11
        unsigned random = draw(&seed);
        sum += ways(i, random) + grade(i % 3) + grade(random % 5) +
               above(random % 3, (i & 8) / 8.0);
    }
    *(unsigned *)data = (unsigned)sum;
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned seeds[3] = {7, 8, 9};
    pthread_t thread;

    (void)argv;
    for (int i = 1; expect_condition(12, i < argc), i < argc; i++) { //? 12
        pthread_create(&thread, NULL, work, &seeds[i]);
        pthread_join(thread, NULL);
    }
    work(&seeds[0]);
    expect_print();
    return 0;
}
