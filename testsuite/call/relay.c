/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of modules.c that is a shared object; -DNAME=... sets the function that the
   exported one inlines. */

void relay(void (*back)(void));

static volatile int work;

static inline void NAME(void (*back)(void))
{
    back(); // back
    work++;
}

void relay(void (*back)(void))
{
    NAME(back); // relay
    work++;
}
