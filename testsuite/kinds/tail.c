// SPDX-License-Identifier: GPL-3.0-or-later
// 3 x 10^8 calls deep by tail calls, in constant stack: two functions that call each
// other (no loop can be made of them), and one that calls through a pointer.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// With -DMUST the calls are jumps at -O0, too: GCC 15 and later.
#ifdef MUST
#define TAIL __attribute__((musttail))
#else
#define TAIL
#endif

uint64_t odd(uint64_t n, uint64_t x);
uint64_t even(uint64_t n, uint64_t x);

__attribute__((noinline, noclone)) uint64_t even(uint64_t n, uint64_t x)
{
    if (n == 0)
        return x;
    TAIL return odd(n - 1, x * 0x5851f42d + 1);
}

__attribute__((noinline, noclone)) uint64_t odd(uint64_t n, uint64_t x)
{
    if (n == 0)
        return x + 1;
    TAIL return even(n - 1, x * 0x4c957f2d + 3);
}

typedef uint64_t Step(uint64_t n, uint64_t x);
static Step *volatile through;

__attribute__((noinline, noclone)) static uint64_t self(uint64_t n, uint64_t x)
{
    Step *next = through;

    if (n == 0)
        return x;
    TAIL return next(n - 1, x * 0x1b873593 + 5);
}

int main(int argc, char **argv)
{
    uint64_t depth = argc > 1 ? strtoull(argv[1], NULL, 10) : 300000000;

    through = self;
    clock_t start = clock();
    uint64_t first = even(depth, 1);
    clock_t between = clock();
    uint64_t second = self(depth, (uint64_t)argc);
    clock_t end = clock();
    printf("%llx\n", (unsigned long long)(first ^ second));
    if (argc > 2)
        fprintf(stderr, "%.2f\n",
                100.0 * (double)(between - start) / (double)(end - start));
    return 0;
}
