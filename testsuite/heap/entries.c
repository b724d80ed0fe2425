/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates 100 blocks and frees them again, by functions that it finds in different
   ways: entries HOW-TO-ALLOCATE HOW-TO-FREE [KEPT]. KEPT blocks are not freed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The oldest version of libc's symbols on the processor. */
#ifndef VERSION
#define VERSION "GLIBC_2.2.5"
#endif

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *at);

/* The linker, or the loader, sets these. */
static void *(*volatile malloc_pointer)(size_t) = malloc;
static void (*volatile free_pointer)(void *) = free;

static void *found(const char *how, const char *name)
{
    if (strcmp(how, "default") == 0)
        return dlsym(RTLD_DEFAULT, name);
    if (strcmp(how, "next") == 0)
        return dlsym(RTLD_NEXT, name);
    if (strcmp(how, "self") == 0)
        return dlsym(dlopen(NULL, RTLD_NOW), name);
    if (strcmp(how, "handle") == 0)
        return dlsym(dlopen("libc.so.6", RTLD_NOW), name);
    if (strcmp(how, "unseen") == 0) {
        void *(*their_dlsym)(void *, const char *) =
            (void *(*)(void *, const char *))dlsym(RTLD_DEFAULT, "dlsym");
        return their_dlsym(RTLD_DEFAULT, name);
    }
    if (strcmp(how, "version") == 0)
        return dlvsym(RTLD_DEFAULT, name, VERSION);
    if (strcmp(how, "version-next") == 0)
        return dlvsym(RTLD_NEXT, name, VERSION);
    return NULL;
}

static __attribute__((noinline)) void *make(const char *how)
{
    void *at = NULL;
    void *(*function)(size_t) = (void *(*)(size_t))found(how, "malloc");

    if (function)
        return function(1000);
    if (strcmp(how, "call") == 0)
        return malloc(1000);
    if (strcmp(how, "pointer") == 0)
        return malloc_pointer(1000);
    if (strcmp(how, "libc") == 0)
        return __libc_malloc(1000);
    if (strcmp(how, "libc-calloc") == 0)
        return __libc_calloc(10, 100);
    if (strcmp(how, "libc-realloc") == 0)
        return __libc_realloc(NULL, 1000);
    if (strcmp(how, "libc-memalign") == 0)
        return __libc_memalign(64, 1000);
    if (strcmp(how, "aligned") == 0)
        return ((void *(*)(size_t, size_t))found("default", "aligned_alloc"))(64, 1000);
    if (strcmp(how, "posix") == 0) {
        int (*posix)(void **, size_t, size_t) =
            (int (*)(void **, size_t, size_t))found("default", "posix_memalign");
        return posix(&at, 64, 1000) == 0 ? at : NULL;
    }
    abort();
}

static void release(const char *how, void *at)
{
    void (*function)(void *) = (void (*)(void *))found(how, "free");

    if (function)
        function(at);
    else if (strcmp(how, "call") == 0)
        free(at);
    else if (strcmp(how, "pointer") == 0)
        free_pointer(at);
    else if (strcmp(how, "libc") == 0)
        __libc_free(at);
    else if (strcmp(how, "libc-name") == 0)
        ((void (*)(void *))found("default", "__libc_free"))(at);
    else if (strcmp(how, "realloc") == 0)
        ((void *(*)(void *, size_t))found("default", "realloc"))(at, 0);
    else
        abort();
}

int main(int count, char **argument)
{
    void *block[100];
    int kept = count > 3 ? atoi(argument[3]) : 0;

    for (int i = 0; i < 100; i++) {
        block[i] = make(argument[1]);
        memset(block[i], i, 1000);
    }
    for (int i = kept; i < 100; i++)
        release(argument[2], block[i]);
    /* The text of an error is the caller's until the next call. */
    return dlsym(RTLD_DEFAULT, "no_such_function") || !dlerror() || dlerror();
}
