/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be preloaded: ends the program when memory is allocated, a lock taken, or
   the loader asked, while a handler of SIGPROF is at work in the same thread.  It comes
   between the kernel and the first such handler with SA_SIGINFO.

   With -DPROGRAM a program that does what its first argument says in a handler of
   SIGPROF, which the library must not let it do; without an argument it prints what there
   is.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PROGRAM
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static __thread __attribute__((tls_model("initial-exec"))) int inside;
static void (*guarded)(int, siginfo_t *, void *);

static void guard(const char *what)
{
    static const char prefix[] = "guard: ";

    if (!inside)
        return;
    inside = 0;
    (void)!write(2, prefix, sizeof prefix - 1);
    (void)!write(2, what, strlen(what));
    (void)!write(2, "\n", 1);
    abort();
}

static void tick(int number, siginfo_t *info, void *context)
{
    inside++;
    guarded(number, info, context);
    inside--;
}

/* Calls libc's function of the name, which is of the pointer TYPE.  */
#define BEHIND(name, type, ...) ((type)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

/* Whoever asks is told of the handler itself.  */
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    typedef int next(int, const struct sigaction *, struct sigaction *);
    struct sigaction changed;
    int result;

    if (number == SIGPROF && action && (action->sa_flags & SA_SIGINFO) &&
        (!guarded || guarded == action->sa_sigaction)) {
        guarded = action->sa_sigaction;
        changed = *action;
        changed.sa_sigaction = tick;
        action = &changed;
    }
    result = BEHIND(sigaction, next *, number, action, old);
    if (result == 0 && old && number == SIGPROF && old->sa_sigaction == tick)
        old->sa_sigaction = guarded;
    return result;
}

void *malloc(size_t size)
{
    guard("malloc");
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    guard("calloc");
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    guard("realloc");
    return __libc_realloc(old, size);
}

void free(void *old)
{
    guard("free");
    __libc_free(old);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    typedef int next(pthread_mutex_t *);
    guard("pthread_mutex_lock");
    return BEHIND(pthread_mutex_lock, next *, mutex);
}

int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
    typedef int next(int (*)(struct dl_phdr_info *, size_t, void *), void *);
    guard("dl_iterate_phdr");
    return BEHIND(dl_iterate_phdr, next *, visit, data);
}

#else
static void *volatile memory;
static const char *name;

static int visit(struct dl_phdr_info *info, size_t length, void *context)
{
    (void)info;
    (void)length;
    (void)context;
    return 1;
}

static void handler(int number, siginfo_t *info, void *context)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

    (void)number;
    (void)info;
    (void)context;
    if (strcmp(name, "malloc") == 0)
        memory = malloc(10);
    else if (strcmp(name, "calloc") == 0)
        memory = calloc(10, 2);
    else if (strcmp(name, "realloc") == 0)
        memory = realloc(memory, 20);
    else if (strcmp(name, "free") == 0)
        free(memory);
    else if (strcmp(name, "pthread_mutex_lock") == 0)
        pthread_mutex_lock(&mutex);
    else if (strcmp(name, "dl_iterate_phdr") == 0)
        dl_iterate_phdr(visit, NULL);
}

int main(int argc, char **argv)
{
    struct sigaction action;

    if (argc == 1) {
        puts("malloc\ncalloc\nrealloc\nfree\npthread_mutex_lock\ndl_iterate_phdr");
        return 0;
    }
    name = argv[1];
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGPROF, &action, NULL);
    raise(SIGPROF);
    return 0;
}
#endif
