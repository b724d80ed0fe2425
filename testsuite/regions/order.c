/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function into which several with a stopwatch are inlined behind setjmp: for each of
   these it has a variable. */
#include <setjmp.h>

jmp_buf out;
int outside(int x);

#define INLINED(name)                                                                    \
    static inline __attribute__((always_inline)) int name(int x)                         \
    {                                                                                    \
        return outside(x) + outside(x + 1);                                              \
    }

INLINED(first)
INLINED(second)
INLINED(third)
INLINED(fourth)
INLINED(fifth)
INLINED(sixth)

int all(int x)
{
    if (setjmp(out))
        return outside(x);
    return first(x) + second(x) + third(x) + fourth(x) + fifth(x) + sixth(x);
}
