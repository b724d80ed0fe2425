/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work at three places, for the tests of data sets and labels.  */

#ifndef DATA_H
#define DATA_H

#include "burn.h"

static __attribute__((noinline, noclone)) void red(double seconds)
{
    burn(seconds);
    __asm__ volatile("" ::: "memory");
}

static __attribute__((noinline, noclone)) void green(double seconds)
{
    burn(seconds);
    __asm__ volatile("nop" ::: "memory");
}

static __attribute__((noinline, noclone)) void blue(double seconds)
{
    burn(seconds);
    __asm__ volatile("nop; nop" ::: "memory");
}

#endif
