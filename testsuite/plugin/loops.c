/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that begin with an inlined function, and of which GCC knows no other place.  */

static inline int next(int x)
{
    return x * 3 + 1;
}

int search(const int *a, int n)
{
    for (;;) {
        n = next(n);
        if (a[n & 7])
            return 5;
        if (n > 1000)
            return 3;
    }
}

void forever(volatile int *a)
{
    for (;;)
        *a = next(*a);
}
