// SPDX-License-Identifier: GPL-3.0-or-later
// plugins N: opens libraries 0.so, 1.so, ..., N of them, and calls piece() of each: once
// here and, when all are open, twice in a thread. Then it closes every other library,
// opens it again and calls piece() once more. Last a fibre walks through the first
// library: it begins in one thread, goes on in another when the first is gone, and ends
// here.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { MOST = 1000, STACK = 1 << 16 };

static struct {
    void *handle;
    int (*piece)(int);
} libraries[MOST];
static int count;
static ucontext_t fibre, back;

static void open_one(int i)
{
    char name[32];
    snprintf(name, sizeof name, "./%d.so", i);
    libraries[i].handle = dlopen(name, RTLD_NOW);
    if (!libraries[i].handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    libraries[i].piece = (int (*)(int))dlsym(libraries[i].handle, "piece");
}

static void call_all(int step)
{
    for (int i = 0; i < count; i += step)
        if (libraries[i].piece(i) != i + 1)
            exit(2);
}

static void *call_twice(void *unused)
{
    call_all(1);
    call_all(1);
    return unused;
}

static void leave_fibre(void) { swapcontext(&fibre, &back); }

static void *go_on(void *unused)
{
    swapcontext(&back, &fibre);
    return unused;
}

static void in_thread(void *(*function)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL) != 0)
        exit(3);
    pthread_join(thread, NULL);
}

static void take_a_walk(void)
{
    void (*walk)(void (*)(void)) =
        (void (*)(void (*)(void)))dlsym(libraries[0].handle, "walk");
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = malloc(STACK);
    fibre.uc_stack.ss_size = STACK;
    fibre.uc_link = &back;
    makecontext(&fibre, (void (*)(void))walk, 1, leave_fibre);
    in_thread(go_on);
    in_thread(go_on);
    go_on(NULL);
}

int main(int argc, char **argv)
{
    count = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < count; i++)
        open_one(i);
    call_all(1);
    in_thread(call_twice);
    for (int i = 0; i < count; i += 2) {
        dlclose(libraries[i].handle);
        open_one(i);
    }
    call_all(2);
    if (argc < 3)
        take_a_walk();
    return 0;
}
