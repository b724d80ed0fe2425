// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow that the compiler does not see: loops inside inline assembly, repeated
// string instructions, stack probes of large frames (-fstack-clash-protection).

#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

#ifdef __x86_64__
NOINLINE static int assembly(int n)
{
    int total = 0;
    __asm__("1:\n\taddl %1, %0\n\tdecl %1\n\tjnz 1b" : "+r"(total), "+r"(n) : : "cc");
    return total;
}

NOINLINE static int strings(int n)
{
    char from[64] = "abcdefgh", to[64];
    const void *source = from;
    void *target = to;
    unsigned long count = (unsigned long)n;
    __asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(count) : : "memory");
    return n > 0 ? to[n - 1] : 0;
}
#else
#define assembly(n) (n)
#define strings(n)  (n)
#endif

NOINLINE static int large(int n)
{
    char room[40000];
    memset(room, n, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
    return room[n] + (n > 0 ? large(n - 1) : 0);
}

int main(int count, char **arguments)
{
    int sum = assembly(10 + count) + strings(20) + strings(0) + strings(1) + large(3);
    (void)arguments;
    printf("%d\n", sum);
    return 0;
}
