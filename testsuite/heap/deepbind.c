/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses a library that has another allocator than the program: each frees its own.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **argument)
{
    void *library = count > 1 ? dlopen(argument[1], RTLD_LAZY | RTLD_DEEPBIND) : NULL;
    void *(*allocate)(size_t);
    void (*release)(void *);

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    allocate = (void *(*)(size_t))dlsym(library, "library_malloc");
    release = (void (*)(void *))dlsym(library, "library_free");
    void *volatile first = allocate(50);
    for (int i = 0; i < 100; i++) {
        void *volatile block = malloc(60);
        release(allocate(61));
        free(block);
    }
    release(first);
    return dlclose(library) != 0;
}
