/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dlopen STEP...: does the steps, one after the other:
     +FILE     loads the shared object, and prints where it is
     SECONDS   lets the one that was loaded last work for so long
     -         unloads it; with =, code that is not profiled does
     /FOLDER   goes there
     x         removes the program's file
     !         aborts
     .         has the object that was loaded last end the program  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int close_it(void *object);

static void *object;
static void (*work)(double);

static void load(const char *file)
{
    Dl_info info;

    object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    char *error = dlerror();
    if (!object || error) {
        printf("%s\n", error);
        exit(1);
    }
    *(void **)&work = dlsym(object, "work");
    dladdr(*(void **)&work, &info);
    printf("%p\n", info.dli_fbase);
    fflush(stdout);
}

static void step(char **argv, const char *what)
{
    switch (*what) {
    case '+':
        load(what + 1);
        break;
    case '-':
        dlclose(object);
        break;
    case '=':
        close_it(object);
        break;
    case '/':
        if (chdir(what) != 0)
            exit(1);
        break;
    case 'x':
        unlink(argv[0]);
        break;
    case '!':
        abort();
    case '.':
        ((void (*)(int))dlsym(object, "leave"))(9);
        break;
    default:
        work(atof(what));
    }
}

int main(int argc, char **argv)
{
    struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    for (int i = 1; i < argc; i++)
        step(argv, argv[i]);
    return 3;
}
