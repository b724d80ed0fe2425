/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread writes counts into a pipe that is full, while another one stops and starts
   the counting and loads a shared object: slow LIBRARY.  Work is called 1,005 times while
   it counts, and the library's function 1,000 times.  */

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

static volatile int sink;

/* More functions than there is room for in the pipe and in the buffer before it.  */
#define ONE(n)                                                                           \
    __attribute__((noinline)) static void f##n(void)                                     \
    {                                                                                    \
        sink++;                                                                          \
    }
#define CALL(n) f##n();
#define FOUR(do, n)                                                                      \
    do                                                                                   \
    (n##0) do(n##1) do(n##2) do(n##3)
#define SIXTEEN(do, n) FOUR(do, n##0) FOUR(do, n##1) FOUR(do, n##2) FOUR(do, n##3)
#define MORE(do, n)                                                                      \
    SIXTEEN(do, n##0) SIXTEEN(do, n##1) SIXTEEN(do, n##2) SIXTEEN(do, n##3)
#define MANY(do, n) MORE(do, n##0) MORE(do, n##1) MORE(do, n##2) MORE(do, n##3)
#define ALL(do)     MANY(do, 0) MANY(do, 1) MANY(do, 2) MANY(do, 3) MANY(do, 4) MANY(do, 5)

ALL(ONE)

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        CALL(00000)
}

static void check(int good)
{
    if (!good)
        abort();
}

static void *writes(void *unused)
{
    check(ccprof_write(PIPE) == 0);
    return unused;
}

static void use(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    void (*function)(void) =
        library ? (void (*)(void))dlsym(library, "loaded") : (void (*)(void))0;
    check(function != 0);
    for (int i = 0; i < 1000; i++)
        function();
}

int main(int argc, char **argv)
{
    char text[4096];
    pthread_t thread;
    int in, full = 0, size;
    check(argc == 2 && mkfifo(PIPE, 0600) == 0);
    in = open(PIPE, O_RDONLY | O_NONBLOCK);
    check(in >= 0);
    size = fcntl(in, F_SETPIPE_SZ, 4096);
    check(size > 0);
    ALL(CALL)
    work(1000);
    check(pthread_create(&thread, NULL, writes, NULL) == 0);
    while (full < size)
        check(ioctl(in, FIONREAD, &full) == 0);
    ccprof_stop();
    work(7);
    ccprof_start();
    work(5);
    use(argv[1]);
    check(fcntl(in, F_SETFL, 0) == 0);
    while (read(in, text, sizeof text) > 0)
        ;
    pthread_join(thread, NULL);
    return unlink(PIPE);
}
