/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be preloaded: ends the program when memory is allocated, a lock taken, or
   the loader asked, while a handler of SIGPROF is at work in the same thread. It comes
   between the kernel and the first such handler with SA_SIGINFO. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Calls libc's function of the name, which is of the pointer TYPE. */
#define BEHIND(name, type, ...) ((type)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

/* Whoever asks is told of the handler itself. */
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
