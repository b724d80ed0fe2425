/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reloads LIBRARY N: loads the library N times, more often than there is room for
   modules, and calls its function each time: 3 times here and once in a thread that lives
   all the time; every fourth time 5 times more while counting is stopped, and every third
   time twice more in a data set, which is written to data.out.  */

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "ccprof.h"

static void (*function)(void);
static pthread_barrier_t barrier;
static int end;

static void *live(void *unused)
{
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (end)
            return unused;
        function();
        pthread_barrier_wait(&barrier);
    }
}

static void call(int n)
{
    for (int i = 0; i < n; i++)
        function();
}

static void call_twice(void *unused)
{
    (void)unused;
    call(2);
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 0;
    struct ccprof_data *data = ccprof_data_new();
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, live, NULL) != 0)
        return 1;
    for (int i = 0; i < n; i++) {
        void *library = dlopen(argv[1], RTLD_NOW);
        function = library ? (void (*)(void))dlsym(library, "loaded") : abort;
        call(3);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        if (i % 4 == 0) {
            ccprof_stop();
            call(5);
            ccprof_start();
        }
        if (i % 3 == 0)
            ccprof_with_data(data, call_twice, NULL);
        dlclose(library);
    }
    end = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return ccprof_data_write(data, "data.out");
}
