/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock and the names of the threads of omp.f90.  */

#define _GNU_SOURCE
#include <pthread.h>

#include "burn.h"
#include "own.h"

void work(int part)
{
    char name[16];
    snprintf(name, sizeof name, "team %d", part);
    pthread_setname_np(pthread_self(), name);
    burn(0.03 * part);
    own_end();
}

void told(void)
{
    own_print();
}
