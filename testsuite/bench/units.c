// SPDX-License-Identifier: GPL-3.0-or-later
// PROGRAM [THREADS]: has the units of the program's work done, which are the same
// whatever the number of threads.  Ends with status 1 if a result is wrong.

#include "units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int next, wrong;

static void *work(void *unused)
{
    for (;;) {
        int number = atomic_fetch_add(&next, 1);

        if (number >= UNITS)
            return unused;
        if (!unit_is_right(number)) {
            fprintf(stderr, "unit %d: the result is wrong\n", number);
            atomic_fetch_add(&wrong, 1);
        }
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t threads[UNITS];

    if (count < 1 || count > UNITS)
        return 2;
    for (int i = 1; i < count; i++)
        if (pthread_create(&threads[i], 0, work, 0) != 0)
            return 2;
    work(0);
    for (int i = 1; i < count; i++)
        pthread_join(threads[i], 0);
    return wrong != 0;
}
