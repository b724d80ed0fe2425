/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of a function with a stopwatch is left by a jump to the function that it is
   inlined into, while another call of it is open further out; and, alone, with no call
   around it.  */

#include <setjmp.h>

#define NOINLINE __attribute__((noipa))
#define INLINE   static __inline__ __attribute__((always_inline))

#define TURNS 10

static volatile int one = 1;

NOINLINE static void after(void)
{
    __asm__ volatile("");
}

/* Where it returns, what comes next is still inside of it.  */
INLINE void inner(void (*does)(void))
{
    does();
    after();
}

NOINLINE static void apart(void (*does)(void))
{
    does();
    after();
}

/* The function that goes back is not inlined, and so are those that it is called by.  */
#define WAY(name, buffer, arrives, goes_back)                                            \
    static buffer name##_buffer;                                                         \
    NOINLINE static void name##_leaves(void)                                             \
    {                                                                                    \
        if (one)                                                                         \
            goes_back;                                                                   \
    }                                                                                    \
    NOINLINE static void name##_far(void)                                                \
    {                                                                                    \
        apart(name##_leaves);                                                            \
    }                                                                                    \
    NOINLINE static void name##_near_host(void)                                          \
    {                                                                                    \
        if (arrives == 0)                                                                \
            inner(name##_leaves);                                                        \
        after();                                                                         \
    }                                                                                    \
    NOINLINE static void name##_far_host(void)                                           \
    {                                                                                    \
        for (volatile int i = 0; i < 2; i++)                                             \
            if (arrives == 0)                                                            \
                inner(name##_far);                                                       \
        after();                                                                         \
    }                                                                                    \
    NOINLINE static void name(void)                                                      \
    {                                                                                    \
        for (int i = 0; i < TURNS; i++) {                                                \
            name##_near_host();                                                          \
            inner(name##_near_host);                                                     \
            inner(name##_far_host);                                                      \
            after();                                                                     \
        }                                                                                \
    }

WAY(plain, jmp_buf, setjmp(plain_buffer), longjmp(plain_buffer, 1))
WAY(signals, sigjmp_buf, sigsetjmp(signals_buffer, 1), siglongjmp(signals_buffer, 1))
/* Nobody sees these.  */
typedef void *words[5];
WAY(own, words, __builtin_setjmp(own_buffer), __builtin_longjmp(own_buffer, 1))

/* Left by what calls itself, as far as the compiler likes inlined into it, too.  */
static jmp_buf deep_buffer;

static int deep(int more)
{
    volatile int kept = more;
    if (more == 0 && one)
        longjmp(deep_buffer, 1);
    return more < 0 ? 0 : deep(more - 1) + kept;
}

NOINLINE static void deep_host(void)
{
    if (setjmp(deep_buffer) == 0)
        deep(5 * one);
    after();
}

NOINLINE static void deeper(void)
{
    for (int i = 0; i < TURNS; i++) {
        deep_host();
        inner(deep_host);
    }
}

int main(void)
{
    plain();
    signals();
    own();
    deeper();
    return 0;
}
