/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates in four phases, a function for each, between which time goes by: a program
   that begins, works, leaks, and has something in its hands when it ends. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCKS 200

static void *volatile begun[BLOCKS], *volatile leaked[BLOCKS], *volatile held[BLOCKS];

static void rest(void)
{
    struct timespec time = {0, 300 * 1000000};
    while (nanosleep(&time, &time) != 0) {
    }
}

static void *filled(size_t size)
{
    void *block = malloc(size);
    return block ? memset(block, 1, size) : NULL;
}

__attribute__((noipa)) static void begin(void)
{
    for (int i = 0; i < BLOCKS; i++)
        begun[i] = filled(50000);
}

__attribute__((noipa)) static void work(void)
{
    for (int i = 0; i < BLOCKS; i++)
        free(filled(1000));
    for (int i = 0; i < BLOCKS / 2; i++)
        free(begun[i]);
}

__attribute__((noipa)) static void leak(void)
{
    for (int i = 0; i < BLOCKS; i++)
        leaked[i] = filled(300);
}

__attribute__((noipa)) static void hold(void)
{
    for (int i = 0; i < BLOCKS; i++)
        held[i] = filled(20);
}

int main(void)
{
    begin();
    rest();
    work();
    rest();
    leak();
    rest();
    hold();
    return 0;
}
