/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches that allocate, no two the same number of bytes. Each function is called with
   0 to 7. Nothing is known of the limits when it is compiled: conditions stay; none is
   folded into another. */

#include <stdlib.h>

static void *volatile kept;
static volatile int one = 1, five = 5;

static inline void small(int n)
{
    if (n == one)
        kept = malloc(7);
}

__attribute__((noinline)) static void arms(int n)
{
    if (n & one)
        kept = malloc(1);
    else
        kept = malloc(2);
    kept = malloc(4);
    small(n);
}

__attribute__((noinline)) static void nested(int n)
{
    if (n <= five) {
        kept = malloc(8);
        if (n == 3 * one)
            kept = malloc(16);
        for (int i = 0; i < n; i++)
            kept = malloc(32);
        small(n);
    }
}

__attribute__((noinline)) static void operands(int n)
{
    if (n > one && n < five)
        kept = malloc(64);
    else
        kept = malloc(128);
    if (n == one - 1 || n > five)
        kept = malloc(256);
}

__attribute__((noinline)) static void cases(int n)
{
    switch (n) {
    case 0:
        kept = malloc(512);
        break;
    case 1:
        kept = malloc(1024);
        /* Falls through. */
    case 3:
        kept = malloc(2048);
        break;
    default:
        kept = malloc(4096);
    }
}

__attribute__((noinline)) static void choice(int n)
{
    kept = n > one ? malloc(3) : malloc(5);
}

__attribute__((noinline)) static void early(int n)
{
    if (n == one)
        return;
    kept = malloc(9);
}

int main(void)
{
    for (int n = 0; n < 8; n++) {
        arms(n);
        nested(n);
        operands(n);
        cases(n);
        choice(n);
        early(n);
    }
    return 0;
}
