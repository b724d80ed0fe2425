/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main calls mid, mid calls work, which takes all the time.  A unit that is compiled with
   -DMID has mid alone.  */

int mid(int n);
int work(int n);

#ifdef MID
int mid(int n)
{
    return work(n) + 1;
}
#else
#include "burn.h"

__attribute__((noinline)) int work(int n)
{
    burn(0.3);
    return n;
}

int main(void)
{
    return mid(100) == 101 ? 0 : 1;
}
#endif
