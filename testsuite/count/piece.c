// SPDX-License-Identifier: GPL-3.0-or-later
// A small library: piece() calls add() once and allocates 10 bytes; walk() does both
// twice a round, before and behind a call that a fibre may come back from in another
// thread.

#include <stdlib.h>

int piece(int x);
void walk(void (*leave)(void));

__attribute__((noinline)) static int add(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

__attribute__((noinline)) static void *allocate(void)
{
    void *block = malloc(10);

    __asm__ volatile("" : "+r"(block));
    return block;
}

int piece(int x)
{
    free(allocate());
    return add(x);
}

void walk(void (*leave)(void))
{
    for (int i = 0; i < 2; i++) {
        free(allocate());
        add(i);
        leave();
        free(allocate());
        add(i);
    }
}
