/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A variable in a register of its own is not changed between its value and the asm that
   reads it, in which an inlined function is counted. */

#include <stdio.h>

void (*volatile hook)(void);

static inline long twice(long v)
{
    return v * 2 + 1;
}

__attribute__((noipa)) long difference(long a, long b)
{
    register long first __asm__("r10") = a;
    register long second __asm__("r8") = twice(b);
    long result;
    __asm__ volatile("mov %1, %0; sub %2, %0" : "=r"(result) : "r"(first), "r"(second));
    if (hook)
        hook();
    return result;
}

static void again(void)
{
    hook = 0;
    difference(1, 2);
}

int main(int argc, char **argv)
{
    (void)argv;
    hook = again;
    printf("%ld\n", difference(argc + 41, argc));
    return 0;
}
