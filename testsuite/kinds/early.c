/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs code before the program is relocated, and before main: the resolvers of an
   indirect function and of one that is compiled for several processors, and constructors
   with priorities.  */

#include <stdio.h>

#ifdef __x86_64__
#define CLONES __attribute__((target_clones("avx2", "sse4.2", "default")))
#else
#define CLONES
#endif

static int order[4], orders;

CLONES int cloned(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * n ^ sum;
    return sum;
}

static int up(int n)
{
    return n + 1;
}

static int down(int n)
{
    return n - 1;
}

/* Called by the resolver, and by main as well.  */
static int rounds(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & n;
    return sum;
}

static __attribute__((noinline)) int deep(int n)
{
    return n > 0 ? rounds(n) + deep(n - 1) : 0;
}

typedef int (*implementation)(int);

static implementation choose(void)
{
    return deep(8) >= 0 ? up : down;
}

int chosen(int n) __attribute__((ifunc("choose")));

static __attribute__((constructor(101))) void first(void)
{
    order[orders++] = chosen(1);
}

static __attribute__((constructor(102))) void second(void)
{
    order[orders++] = cloned(3);
}

static __attribute__((constructor)) void last(void)
{
    order[orders++] = deep(3);
}

static __attribute__((destructor(101))) void end(void)
{
    printf("ended behind %d constructors\n", orders);
}

int main(void)
{
    unsigned sum = 0;

    for (int i = 0; i < 30000; i++)
        sum += (unsigned)(cloned(i % 1000) + chosen(i) + deep(i % 30));
    printf("%u, %d %d %d\n", sum, order[0], order[1], order[2]);
    return 0;
}
