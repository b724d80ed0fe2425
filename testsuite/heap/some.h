/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks for the programs that allocate in many ways at once.  */

#ifndef SOME_H
#define SOME_H

#include <stdlib.h>

static void *checked(void *at)
{
    if (!at)
        abort();
    return at;
}

__attribute__((noinline)) static void *some(size_t size)
{
    return checked(malloc(size));
}

#endif
