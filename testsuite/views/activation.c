/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GCC splits look, whose test is inlined in first and second but not in third, and not
   count, which does call itself. */

#include <stdio.h>

#define KEPT __attribute__((noipa))

int table[100];

KEPT void work(int *cell)
{
    for (int i = 0; i < 300; i++)
        *cell = *cell * 5 + i;
}

static int look(int i)
{
    if (i < 0)
        return 0;
    for (int k = 0; k < i; k++) {
        work(&table[k % 50]);
        work(&table[(k * 3) % 50]);
        work(&table[(k * 7) % 50]);
        work(&table[(k * 9) % 50]);
    }
    return table[i & 63];
}

KEPT int first(int i)
{
    return look(i) + 1;
}

KEPT int second(int i)
{
    return look(i + 1) - 2;
}

// Here look itself is left, and calls its part.
static int (*volatile pointer)(int) = look;

KEPT int third(int i)
{
    return pointer(i + 2) + 3;
}

KEPT int count(int depth)
{
    work(&table[depth]);
    return depth ? count(depth - 1) + count(depth - 2 > 0 ? depth - 2 : 0) : 1;
}

int main(int argc, char **argv)
{
    int sum = 0;

    (void)argv;
    for (int i = 0; i < 4000; i++)
        sum += first(30) + second(20 + argc) + third(10) + count(8);
    printf("%d\n", sum);
    return 0;
}
