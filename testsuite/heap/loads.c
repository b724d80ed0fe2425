/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and unloads libraries. `threads': in two threads, while another allocates.
   `modes': one library in each way of loading. `deepbind', `namespace': one that has
   another allocator than the program. `next': functions of the allocator that the
   program has looked up by itself. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "some.h"

#define THREADS 2
#define ROUNDS  100

static atomic_bool is_done;

typedef void *allocate_function(size_t size);
typedef void release_function(void *at);

static allocate_function *allocate_of(void *library)
{
    return (allocate_function *)checked(dlsym(library, "library_malloc"));
}

static release_function *release_of(void *library)
{
    return (release_function *)checked(dlsym(library, "library_free"));
}

__attribute__((noinline)) static void use(void *library)
{
    release_of(library)(checked(allocate_of(library)(50)));
    free(checked(allocate_of(library)(51)));
    release_of(library)(checked(malloc(52)));
}

static void *load(void *name)
{
    for (int i = 0; i < ROUNDS; i++) {
        void *library = checked(dlopen(name, i % 2 ? RTLD_NOW : RTLD_LAZY));
        use(library);
        if (dlclose(library) != 0)
            abort();
    }
    return NULL;
}

static void *allocate(void *argument)
{
    while (!atomic_load(&is_done)) {
        void *block[100];
        for (size_t i = 0; i < 100; i++)
            block[i] = checked(malloc(i + 1));
        for (size_t i = 0; i < 100; i++)
            free(block[i]);
    }
    return argument;
}

static void threads(char **name)
{
    pthread_t loading[THREADS], allocating;

    pthread_create(&allocating, NULL, allocate, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&loading[i], NULL, load, name[i]);
    join(loading, THREADS);
    atomic_store(&is_done, true);
    pthread_join(allocating, NULL);
}

static void modes(const char *name)
{
    static const int mode[] = {RTLD_NOW,
                               RTLD_LAZY,
                               RTLD_NOW | RTLD_GLOBAL,
                               RTLD_LAZY | RTLD_GLOBAL,
                               RTLD_NOW | RTLD_DEEPBIND,
                               RTLD_LAZY | RTLD_NODELETE};

    for (size_t i = 0; i < sizeof mode / sizeof *mode; i++) {
        void *library = checked(dlopen(name, mode[i]));
        use(library);
        use(library);
        dlclose(library);
    }
}

/* The library has an allocator of its own: each frees its own. */
static void apart(void *library)
{
    for (int i = 0; i < 100; i++) {
        void *volatile block = checked(malloc(60));
        release_of(library)(checked(allocate_of(library)(61)));
        free(block);
    }
    dlclose(library);
}

static void next(void)
{
    allocate_function *their_malloc = (allocate_function *)dlsym(RTLD_NEXT, "malloc");
    release_function *their_free = (release_function *)dlsym(RTLD_NEXT, "free");
    void *(*their_realloc)(void *, size_t) =
        (void *(*)(void *, size_t))dlsym(RTLD_DEFAULT, "realloc");

    if (dlopen("./there-is-none.so", RTLD_NOW) || !dlerror())
        abort();
    for (int i = 0; i < 100; i++) {
        free(checked(their_malloc(70)));
        their_free(checked(malloc(71)));
        free(checked(realloc(checked(their_malloc(72)), 73)));
        free(checked(their_realloc(checked(malloc(74)), 7500)));
    }
}

int main(int count, char **argument)
{
    const char *way = count > 1 ? argument[1] : "";

    if (strcmp(way, "threads") == 0)
        threads(argument + 2);
    if (strcmp(way, "modes") == 0)
        modes(argument[2]);
    if (strcmp(way, "deepbind") == 0)
        apart(checked(dlopen(argument[2], RTLD_LAZY | RTLD_DEEPBIND)));
    if (strcmp(way, "namespace") == 0)
        apart(checked(dlmopen(LM_ID_NEWLM, argument[2], RTLD_NOW)));
    if (strcmp(way, "next") == 0)
        next();
    return 0;
}
