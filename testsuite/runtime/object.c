/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared object to be loaded and unloaded; SIZE makes several of them.  */

char filler[SIZE] = {1};

unsigned long work(unsigned long x)
{
    volatile unsigned long y = 0;
    for (int i = 0; i < 3000; i++)
        y += x;
    return y / 1000;
}
