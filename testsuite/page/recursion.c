/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls itself twice on one line, and through another function: at the page's source each
   sample counts once, however often the line is on the stack. */

#include <stdlib.h>

static volatile unsigned sum;

static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum += i ^ n;
}

static void halves(unsigned n)
{
    if (n <= 64)
        work(40 * n);
    else
        halves(n / 2), halves(n - n / 2);
    work(n);
}

static void odd(unsigned n);

static void even(unsigned n)
{
    if (n != 0)
        odd(n - 1);
    work(2000);
}

static void odd(unsigned n)
{
    if (n != 0)
        even(n - 1);
    work(4000);
}

int main(int argc, char **argv)
{
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
        halves(1 << 16);
        even(100);
    }
    return 0;
}
