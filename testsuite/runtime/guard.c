/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be preloaded: ends the program when memory is allocated, a lock taken, or
   a function called that does so, while a handler of SIGPROF is at work in the same
   thread.  It comes between the kernel and the first such handler with SA_SIGINFO.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
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

/* Whoever asks is told of the handler itself.  */
int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    static int (*next)(int, const struct sigaction *, struct sigaction *);
    struct sigaction changed;
    int result;

    if (!next)
        next = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(
            RTLD_NEXT, "sigaction");
    if (number == SIGPROF && action && (action->sa_flags & SA_SIGINFO) &&
        (!guarded || guarded == action->sa_sigaction)) {
        guarded = action->sa_sigaction;
        changed = *action;
        changed.sa_sigaction = tick;
        action = &changed;
    }
    result = next(number, action, old);
    if (result == 0 && old && number == SIGPROF && old->sa_sigaction == tick)
        old->sa_sigaction = guarded;
    return result;
}

#define GUARD(type, name, parameters, next)                                              \
    type name parameters                                                                 \
    {                                                                                    \
        guard(#name);                                                                    \
        return next;                                                                     \
    }

GUARD(void *, malloc, (size_t size), __libc_malloc(size))
GUARD(void *, calloc, (size_t count, size_t size), __libc_calloc(count, size))
GUARD(void *, realloc, (void *old, size_t size), __libc_realloc(old, size))
GUARD(void *, memalign, (size_t align, size_t size), __libc_memalign(align, size))
GUARD(void *, aligned_alloc, (size_t align, size_t size), __libc_memalign(align, size))

void free(void *old)
{
    guard("free");
    __libc_free(old);
}

int posix_memalign(void **to, size_t align, size_t size)
{
    guard("posix_memalign");
    *to = __libc_memalign(align, size);
    return *to ? 0 : 12;
}

#define GUARD_NEXT(type, name, parameters, arguments)                                    \
    type name parameters                                                                 \
    {                                                                                    \
        static type(*next) parameters;                                                   \
        guard(#name);                                                                    \
        if (!next)                                                                       \
            next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                          \
        return next arguments;                                                           \
    }

GUARD_NEXT(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
GUARD_NEXT(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
GUARD_NEXT(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
GUARD_NEXT(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
GUARD_NEXT(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
GUARD_NEXT(int, sem_wait, (sem_t * semaphore), (semaphore))
GUARD_NEXT(int, pthread_once, (pthread_once_t * once, void (*call)(void)), (once, call))
GUARD_NEXT(FILE *, fopen, (const char *name, const char *mode), (name, mode))
GUARD_NEXT(int, fclose, (FILE * file), (file))
GUARD_NEXT(int, fflush, (FILE * file), (file))
GUARD_NEXT(int, fputs, (const char *text, FILE *file), (text, file))
GUARD_NEXT(int, puts, (const char *text), (text))
GUARD_NEXT(int, fputc, (int byte, FILE *file), (byte, file))
GUARD_NEXT(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file),
           (from, size, count, file))
GUARD_NEXT(int, vfprintf, (FILE * file, const char *format, va_list list),
           (file, format, list))
GUARD_NEXT(int, vsnprintf, (char *to, size_t size, const char *format, va_list list),
           (to, size, format, list))
GUARD_NEXT(int, dl_iterate_phdr,
           (int (*visit)(struct dl_phdr_info *, size_t, void *), void *context),
           (visit, context))
GUARD_NEXT(void *, dlopen, (const char *name, int flags), (name, flags))
GUARD_NEXT(int, dlclose, (void *handle), (handle))
GUARD_NEXT(int, dladdr, (const void *address, Dl_info *info), (address, info))

int fprintf(FILE *file, const char *format, ...)
{
    va_list list;
    int result;

    guard("fprintf");
    va_start(list, format);
    result = vfprintf(file, format, list);
    va_end(list);
    return result;
}

int printf(const char *format, ...)
{
    va_list list;
    int result;

    guard("printf");
    va_start(list, format);
    result = vfprintf(stdout, format, list);
    va_end(list);
    return result;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list list;
    int result;

    guard("snprintf");
    va_start(list, format);
    result = vsnprintf(to, size, format, list);
    va_end(list);
    return result;
}
