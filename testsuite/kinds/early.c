// SPDX-License-Identifier: GPL-3.0-or-later
// Code that runs before the program is relocated, and before main: the resolvers of an
// indirect function and of one that is compiled for several processors, and constructors
// with priorities. And functions with options of their own.

#include <stdio.h>

#ifdef __x86_64__
#define CLONES __attribute__((target_clones("avx2", "sse4.2", "default")))
#define AVX2   __attribute__((noinline, target("avx2")))
#else
#define CLONES
#define AVX2 __attribute__((noinline))
#endif

static int order[4], orders;

static inline unsigned mix(unsigned x)
{
    return (x * 0x41c64e6d) ^ 0x33;
}

#pragma GCC push_options
#pragma GCC optimize("O3", "unroll-loops")
static inline unsigned fast(unsigned x)
{
    return mix(x) * 0x19660d;
}

__attribute__((noinline)) unsigned by_pragma(unsigned x)
{
    return fast(x) ^ fast(x ^ 5);
}
#pragma GCC pop_options

__attribute__((noinline, optimize("O3,no-tree-ccp"))) unsigned by_attribute(unsigned x)
{
    return mix(x) * 0x3ade68b;
}

__attribute__((noinline, optimize("O0"))) unsigned not_at_all(unsigned x)
{
    return mix(x) * 0x1b873593;
}

AVX2 unsigned by_target(unsigned x)
{
    return mix(x) * 0x2b2ae35;
}

CLONES int cloned(int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum += ((unsigned)(i * n) * 0x2545f49) ^ sum;
    return (int)sum;
}

static int up(int n)
{
    return (int)(mix((unsigned)n) * 0x85ebca6);
}

static int down(int n)
{
    return n - 1;
}

/* Called by the resolver, and by main as well. */
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

    for (int i = 0; i < 30000; i++) {
        unsigned x = (unsigned)i;
        sum += (unsigned)(cloned(i % 1000) + chosen(i) + deep(i % 30));
        sum ^= by_pragma(x) ^ by_attribute(x) ^ not_at_all(x) ^ by_target(x);
    }
    printf("%u, %d %d %d\n", sum, order[0], order[1], order[2]);
    return 0;
}
