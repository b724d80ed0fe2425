// SPDX-License-Identifier: GPL-3.0-or-later
// Divisions in the parts of a program: 70 in main, 70 in each of eight threads, 70 in a child process (with an
// argument), and 70 in a shared object that dlopen loads (with -DLIBRARY: that object).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned divisor = 3, result;

static __attribute__((noipa)) void divide(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        result = (i + 100) / divisor;
}

#ifdef LIBRARY
void library(void);
void library(void)
{
    divide(70);
}
#else
static void *thread(void *nothing)
{
    divide(70);
    return nothing;
}

int main(int argc, char **argv)
{
    pthread_t threads[8];
    (void)argv;
    divide(70);
    for (size_t i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (size_t i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    if (argc > 1) {
        pid_t child = fork();
        if (child == 0) {
            divide(70);
            return 0;
        }
        waitpid(child, NULL, 0);
    }
    void *object = dlopen("./library.so", RTLD_NOW);
    if (object == NULL)
        return 1;
    void (*library)(void);
    *(void **)&library = dlsym(object, "library");
    library();
    return 0;
}
#endif
