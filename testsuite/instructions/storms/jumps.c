/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longjmps out of 1 to 20 frames. As in throws.cc, each function has one caller. */

#include <setjmp.h>
#include "storms.h"

static volatile int sink;
static __thread jmp_buf outer, inner;
long landed;

NOINLINE static void jump_20(int depth)
{
    if (depth)
        longjmp(inner, depth);
}

#define BODY(N, NEXT)                                                                    \
    if (depth == N)                                                                      \
        longjmp(N > 10 && N % 3 == 0 ? inner : outer, depth);                            \
    jump_##NEXT(depth);                                                                  \
    sink++;

#define FRAME(N, NEXT)                                                                   \
    NOINLINE void jump_##N(int depth)                                                    \
    {                                                                                    \
        BODY(N, NEXT)                                                                    \
    }

FRAME(19, 20)
FRAME(18, 19)
FRAME(17, 18)
FRAME(16, 17)
FRAME(15, 16)
FRAME(14, 15)
FRAME(13, 14)
FRAME(12, 13)
FRAME(11, 12)

/* Some jumps end here, and another one leaves the frames above. */
NOINLINE static void jump_10(int depth)
{
    if (depth == 10 || setjmp(inner))
        longjmp(outer, depth);
    jump_11(depth);
}

FRAME(9, 10)
FRAME(8, 9)
FRAME(7, 8)
FRAME(6, 7)
FRAME(5, 6)
FRAME(4, 5)
FRAME(3, 4)
FRAME(2, 3)
FRAME(1, 2)

NOINLINE void jumps(int depth)
{
    if (setjmp(outer) == 0)
        jump_1(depth);
    landed++;
}
