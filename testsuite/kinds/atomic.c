/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transactions (-fgnu-tm): what they call, inlined or not, by a pointer, and one that is
   taken back. (With -flto a call by a pointer aborts: GCC's own library finds no clone.)
 */

#include <stdio.h>

static int total, calls[2];

static int square(int n)
{
    return n * n;
}

__attribute__((transaction_safe, noinline)) int add(int n)
{
    total += square(n);
    return total;
}

__attribute__((transaction_safe)) static int forget(int n)
{
    calls[n & 1]++;
    return calls[n & 1];
}

int (*pointer)(int) __attribute__((transaction_safe)) = add;

__attribute__((transaction_callable)) static void note(int n)
{
    if (n % 1000 == 0)
        printf("%d\n", n);
}

int main(void)
{
    unsigned sum = 0;

    for (int i = 0; i < 20000; i++) {
        __transaction_atomic
        {
            sum += (unsigned)add(i % 7) + (unsigned)forget(i);
        }
        __transaction_atomic
        {
#ifdef POINTER
            sum += (unsigned)pointer(i % 3);
#endif
            if (i % 5 == 0)
                __transaction_cancel;
        }
        __transaction_relaxed
        {
            note(i);
        }
    }
    printf("%u %d %d %d\n", sum, total, calls[0], calls[1]);
    return 0;
}
