// SPDX-License-Identifier: GPL-3.0-or-later
// Calls what is written in Ada, which needs nothing of its own runtime.

#include <stdio.h>

int adaways_work(int rounds);

int main(void)
{
    printf("%d\n", adaways_work(100));
    return 0;
}
