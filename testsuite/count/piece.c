// SPDX-License-Identifier: GPL-3.0-or-later
// A small library: piece() calls add() once and allocates 10 bytes; walk() does both
// twice a round, before and behind a call that a fibre may come back from in another
// thread; and calls odd(), which is inlined, so that its own code counts on both sides.

#include <stdlib.h>

int piece(int x);
void walk(void (*leave)(void));

__attribute__((noinline)) static int add(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static inline void hold(void *block) { __asm__ volatile("" : : "r"(block) : "memory"); }

__attribute__((noinline)) static void *allocate(void)
{
    void *block = malloc(10);
    hold(block);
    return block;
}

int piece(int x)
{
    free(allocate());
    return add(x);
}

static inline void odd(int x)
{
    if (x & 1)
        __asm__ volatile("");
}

void walk(void (*leave)(void))
{
    for (int i = 0; i < 2; i++) {
        odd(add(i));
        void *block = malloc(10);
        hold(block);
        free(block);
        leave();
        block = malloc(10);
        hold(block);
        free(block);
        odd(add(i) + i);
    }
}
