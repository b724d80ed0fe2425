/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared object to be loaded late; SIZE makes several of them. */

#include <unistd.h>

#include "burn.h"

#ifndef SIZE
#define SIZE 1
#endif

char filler[SIZE] = {1};

void work(double seconds)
{
    burn(seconds);
}

void leave(int status)
{
    _exit(status);
}
