// SPDX-License-Identifier: GPL-3.0-or-later
// Last acts that do not come back.

#include <stdlib.h>

__attribute__((noinline)) static int inner(int n) //= 101
{
    if (n == 0) //= 101
        exit(0); //= 1
    return inner(n - 1); //= 100
}

__attribute__((noinline)) static int outer(int n) //= 1
{
    if (n < 0) //= 1
        return 0; //= 0
    return inner(n); //= 1
}

int main(void) //= 1
{
    return outer(100); //= 1
}
