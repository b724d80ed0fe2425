/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a library whose function is called `loaded'. reloads LIBRARY N: N times, more
   often than there is room for modules, with calls each time: 3 here and one in a thread
   that lives all the time; every fourth time 5 more while counting is stopped, and every
   third time 2 more in a data set, which is written to data.out. reloads LIBRARY: once,
   while another thread writes counts into a pipe that is full, and counting is stopped and
   started; leaf counts 1,005 times and the library's function 1,000 times. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ccprof.h"

#define PIPE "pipe.out"

/* Calls more functions than there is room for in the pipe and in the buffer before it. */
void many(void);

static void (*function)(void);
static pthread_barrier_t barrier;
static int end;
static volatile int sink;

static void check(int good)
{
    if (!good)
        abort();
}

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    check(library != NULL);
    function = (void (*)(void))dlsym(library, "loaded");
    return library;
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

static void reload(const char *path, int n)
{
    struct ccprof_data *data = ccprof_data_new();
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    check(pthread_create(&thread, NULL, live, NULL) == 0);
    for (int i = 0; i < n; i++) {
        void *library = load(path);
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
    check(ccprof_data_write(data, "data.out") == 0);
}

__attribute__((noinline)) static void leaf(void) { sink++; }

static void work(int n)
{
    for (int i = 0; i < n; i++)
        leaf();
}

static void *writes(void *unused)
{
    check(ccprof_write(PIPE) == 0);
    return unused;
}

static void load_meanwhile(const char *path)
{
    char text[4096];
    pthread_t thread;
    int in, full = 0, size;
    check(mkfifo(PIPE, 0600) == 0);
    in = open(PIPE, O_RDONLY | O_NONBLOCK);
    check(in >= 0);
    size = fcntl(in, F_SETPIPE_SZ, 4096);
    check(size > 0);
    many();
    work(1000);
    check(pthread_create(&thread, NULL, writes, NULL) == 0);
    while (full < size)
        check(ioctl(in, FIONREAD, &full) == 0);
    ccprof_stop();
    work(7);
    ccprof_start();
    work(5);
    load(path);
    call(1000);
    check(fcntl(in, F_SETFL, 0) == 0);
    while (read(in, text, sizeof text) > 0)
        ;
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 2)
        reload(argv[1], atoi(argv[2]));
    else
        load_meanwhile(argv[1]);
    return 0;
}
