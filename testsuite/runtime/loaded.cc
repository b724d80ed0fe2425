/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program and the modules of rt-loaded.test, with -DPART=... The program opens a
   module in the way that its first argument names, and calls it; what the module calls,
   the runtime must see. What it prints is the same without the profiler. */

#include <dlfcn.h>
#include <errno.h>
#include <initializer_list>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM 0
#define LEAF    1
#define OPENER  2
#define THROWER 3

typedef void function(const char *);

extern "C" function *registered;

#if PART == LEAF
/* Ends the process in the way that TEXT says. */
static void *ends(void *text)
{
    if (strcmp((const char *)text, "exec") == 0)
        execl("/bin/echo", "echo", "exec", (char *)NULL);
    if (strcmp((const char *)text, "blocks") == 0)
        for (int i = 0; i < 100; i++)
            *(void *volatile *)text = malloc(1000), memcpy(text, "blocks", 7);
    if (strcmp((const char *)text, "wait") == 0) {
        sigset_t all;
        int number = 0;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        for (volatile unsigned i = 0; i < 60000000u; i++)
            continue;
        kill(getpid(), SIGHUP);
        sigwait(&all, &number);
        printf("signal %d\n", number);
    }
    fflush(stdout);
    _exit(3);
}

extern "C" __attribute__((visibility("default"))) void leaf(const char *text)
{
    static char copy[16];
    pthread_t thread;

    strcpy(copy, text);
    if (strcmp(text, "thread") != 0)
        ends(copy);
    pthread_create(&thread, NULL, ends, copy);
    pthread_join(thread, NULL);
}

static __attribute__((constructor)) void begin()
{
    registered = leaf;
}
#endif

#if PART == OPENER
/* Opens the module that only its own search path has, or another one. */
extern "C" __attribute__((visibility("default"))) function *open_it(const char *name)
{
    void *object = dlopen(name, RTLD_NOW);
    if (!object) {
        printf("%s\n", dlerror());
        return NULL;
    }
    return (function *)dlsym(object, "leaf");
}

extern "C" __attribute__((visibility("default"))) int next_is_libcs()
{
    return dlsym(RTLD_NEXT, "open_it") == NULL && dlsym(RTLD_NEXT, "getppid") != NULL;
}

#ifdef OPENS
static __attribute__((constructor)) void begin()
{
    open_it(OPENS);
}
#endif
#endif

#if PART == THROWER
static __attribute__((constructor)) void begin()
{
    throw 7;
}
#endif

#if PART == PROGRAM
function *registered;

static void *open_checked(const char *name, int mode)
{
    void *object = dlopen(name, mode);
    if (!object) {
        printf("%s\n", dlerror());
        exit(9);
    }
    return object;
}

static function *leaf_of(void *object)
{
    return (function *)dlsym(object, "leaf");
}

static void *opens(void *name)
{
    return open_checked((const char *)name, RTLD_LAZY);
}

static function *find(const char *way, const char *name)
{
    void *object = NULL;

    if (strcmp(way, "registers") == 0) {
        dlopen(name, RTLD_NOW);
        return registered;
    }
    if (strcmp(way, "lazy") == 0)
        return leaf_of(opens((void *)name));
    if (strcmp(way, "in-thread") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, opens, (void *)name);
        pthread_join(thread, &object);
        return registered;
    }
    if (strcmp(way, "again") == 0) {
        for (int i = 0; i < 3; i++)
            dlclose(open_checked(name, RTLD_NOW));
        open_checked(name, RTLD_NOW);
        return registered;
    }
    if (strcmp(way, "known") == 0) {
        printf("%d\n", dlopen(name, RTLD_NOW | RTLD_NOLOAD) == NULL);
        object = open_checked(name, RTLD_NOW);
        printf("%d\n", dlopen(name, RTLD_NOW | RTLD_NOLOAD) == object);
        return leaf_of(object);
    }
    if (strcmp(way, "base") == 0)
        return leaf_of(dlmopen(LM_ID_BASE, name, RTLD_NOW));
    if (strcmp(way, "fails") == 0) {
        errno = 0;
        for (const char *none : {"./none.so", "libnone.so", "$ORIGIN/none.so"}) {
            printf("%d", dlopen(none, RTLD_NOW) == NULL);
            printf(" %d %s\n", errno, dlerror());
        }
        object = open_checked(name, RTLD_NOW);
        printf("%s\n", dlerror() ? "an error" : "no error");
        return leaf_of(object);
    }
    if (strcmp(way, "throws") == 0) {
        /* The header declares dlopen as a function that does not throw. */
        void *(*volatile open)(const char *, int) = dlopen;
        try {
            open("./thrower.so", RTLD_NOW);
        } catch (int number) {
            printf("caught %d\n", number);
        }
        open_checked(name, RTLD_NOW);
        return registered;
    }
    if (strcmp(way, "constructor") == 0) {
        open_checked("./opener.so", RTLD_NOW);
        return registered;
    }
    /* The way is the file of a module, which opens the other one. */
    char path[64] = "./";
    object = open_checked(strcat(path, way), RTLD_NOW);
    printf("%d\n", ((int (*)())dlsym(object, "next_is_libcs"))());
    return ((function * (*)(const char *)) dlsym(object, "open_it"))(name);
}

int main(int, char **argument)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    function *leaf = find(argument[1], argument[2]);
    for (volatile unsigned i = 0; i < 60000000u; i++)
        continue;
    if (leaf)
        leaf(argument[3]);
    return 8;
}
#endif
