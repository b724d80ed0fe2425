/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chain through shared objects: modules WAY FILE... calls `relay' of each file, which
   calls back. "next" opens and closes one after the other; "chdir" goes elsewhere before
   the first chain; "wait" lets the test change the files before. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ccprof.h"

typedef void relay(void (*)(void));

static volatile int work;

__attribute__((noinline)) static void here(void)
{
    ccprof_chain_print(1); // here
    work++;
}

static void call(relay *of)
{
    of(here); // call
    work++;
}

int main(int argc, char **argv)
{
    const char *way = argv[1];
    void *object[8];
    relay *of[8];

    for (int i = 2; i < argc; i++) {
        object[i] = dlopen(argv[i], RTLD_NOW);
        if (!object[i]) {
            puts(dlerror());
            return 1;
        }
        *(void **)&of[i] = dlsym(object[i], "relay");
        if (strcmp(way, "next") == 0) {
            call(of[i]);
            dlclose(object[i]);
        }
    }
    if (strcmp(way, "chdir") == 0 && chdir("/") != 0)
        return 2;
    if (strcmp(way, "wait") == 0 && system("./change") != 0)
        return 3;
    for (int i = 2; i < argc && strcmp(way, "next") != 0; i++)
        call(of[i]);
    return 0;
}
