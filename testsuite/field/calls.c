// SPDX-License-Identifier: GPL-3.0-or-later
// Calls whose assembly is looked at.

#include <string.h>

unsigned long elsewhere(unsigned long n);
size_t copier(char *to, const char *from);
unsigned long caller(unsigned long n), jumper(unsigned long n), leaver(unsigned long n),
    looper(const unsigned long *of, unsigned long n);

__attribute__((noinline)) static unsigned long fib(unsigned long n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

unsigned long caller(unsigned long n)
{
    return elsewhere(n * 3) * fib(n);
}

size_t copier(char *to, const char *from)
{
    size_t length = strlen(from);
    to[length * 3] = 0;
    return length * 5 / 7;
}

unsigned long jumper(unsigned long n)
{
    return elsewhere(n * 0x5851f42d + 1);
}

static inline unsigned long inlined(const unsigned long *of, unsigned long n)
{
    unsigned long x = 1;
    for (unsigned long i = 0; i < n; i++)
        x = (x ^ of[i]) * 0x4c957f2d;
    return x;
}

unsigned long leaver(unsigned long n)
{
    unsigned long of[4] = {n / 3, n / 5, n / 7, n / 11};
    return inlined(of, n & 3);
}

unsigned long looper(const unsigned long *of, unsigned long n)
{
    return inlined(of, n);
}
