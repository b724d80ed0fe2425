/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads, one after the other, each named by its number; for the test of -by thread.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

#include "burn.h"

static void *named(void *name)
{
    pthread_setname_np(pthread_self(), name);
    burn(0.001);
    return NULL;
}

int main(void)
{
    for (int i = 2; i <= 300; i++) {
        pthread_t thread;
        char name[16];

        snprintf(name, sizeof name, "made %d", i);
        pthread_create(&thread, NULL, named, name);
        pthread_join(thread, NULL);
    }
    return 0;
}
