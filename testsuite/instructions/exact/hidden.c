// SPDX-License-Identifier: GPL-3.0-or-later
// What GCC's notes do not say: pure and const functions that do not return, inline thunks
// (-mindirect-branch), split stacks, and asm statements with jumps that are always taken.

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

static jmp_buf start;

// GCC finds these two const, but looping.
NOINLINE static void deep(int n)
{
    if (!n)
        longjmp(start, 7);
    deep(n - 1);
}

NOINLINE static int around(int n, long *p)
{
    p[0] += n;
    deep(n);
    p[1] += n, p[2] *= n;
    return n;
}

__attribute__((pure)) int odd(int n);
typedef int function(int n);

NOINLINE static int maybe(int n, long *p, function *call)
{
    p[0] += odd(n);
    p[1] += n;
    p[2] += call(n);
    p[3] ^= n;
    return n;
}

NOINLINE static int one(int n)
{
    return n + 1;
}

NOINLINE int odd(int n)
{
    if (n & 1)
        longjmp(start, n);
    return n;
}

static function *volatile table[] = {one, odd, one};

NOINLINE static long sum(int count, ...)
{
    long all = 0;
    va_list list;
    va_start(list, count);
    while (count-- > 0)
        all += va_arg(list, long);
    va_end(list);
    return all;
}

// With a split stack, a frame that needs more.
NOINLINE static long large(int n)
{
    volatile long room[600];
    room[n] = n;
    return n > 0 ? large(n - 1) + sum(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, room[n]) : 0;
}

#ifdef __x86_64__
NOINLINE static int assembly(int n)
{
    __asm__("jmp 1f\n\taddl $5, %0\n1:\taddl $1, %0" : "+r"(n) : : "cc");
    __asm__("leaq -128(%%rsp), %%rsp\n\tcall 1f\n\tjmp 2f\n1:\taddl $2, "
            "%0\n\tret\n\tint3\n2:\tleaq 128(%%rsp), %%rsp"
            : "+r"(n)
            :
            : "cc", "memory");
    return n;
}
#else
#define assembly(n) (n)
#endif

int main(void)
{
    long p[8] = {0};
    volatile int back = 0;
    for (volatile int i = 0; i < 60; i++)
        if (setjmp(start))
            back++;
        else if (i % 3 == 0)
            around(3, p);
        else
            maybe(i, p, table[i % 3]);
    for (int i = 0; i < 30; i++)
        p[4] += table[i % 3 & 2](i) + assembly(i);
    p[5] = large(40);
    printf("%d %ld %ld %ld %ld %ld %ld\n", back, p[0], p[1], p[2], p[3], p[4], p[5]);
    return 0;
}
