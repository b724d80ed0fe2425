/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work at three places, for the tests of data sets and labels. The seconds are those that
   as many samples at 100 Hz would stand for: the tests sample FASTER times as often, and
   the work takes as much less time. In a run that is not sampled it may take none. */

#ifndef DATA_H
#define DATA_H

#include "burn.h"

#define FASTER 2

static int idle __attribute__((unused));

static inline void work(double seconds)
{
    if (!idle)
        burn(seconds / FASTER);
}

static __attribute__((noinline, noclone)) void red(double seconds)
{
    work(seconds);
    __asm__ volatile("" ::: "memory");
}

static __attribute__((noinline, noclone)) void green(double seconds)
{
    work(seconds);
    __asm__ volatile("nop" ::: "memory");
}

static __attribute__((noinline, noclone)) void blue(double seconds)
{
    work(seconds);
    __asm__ volatile("nop; nop" ::: "memory");
}

#endif
