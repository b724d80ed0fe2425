/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be preloaded: ends the program when memory is allocated, a lock taken, or
   a function called that does so, while a handler of SIGPROF is at work in the same
   thread.  It comes between the kernel and the first such handler with SA_SIGINFO.

   With -DPROGRAM a program that calls the function of its first argument in a handler of
   SIGPROF, which the library must not let it do; without an argument it prints their
   names.  */

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

/* FUNCTION(type, name, parameters, arguments, call): those that the library hands on as
   they are, and a call by the program.  */
/* clang-format off */
#define FUNCTIONS(FUNCTION)                                                              \
    FUNCTION(int, pthread_mutex_lock, (pthread_mutex_t *a), (a), (&mutex))               \
    FUNCTION(int, pthread_mutex_trylock, (pthread_mutex_t *a), (a), (&mutex))            \
    FUNCTION(int, pthread_rwlock_rdlock, (pthread_rwlock_t *a), (a), (&lock))            \
    FUNCTION(int, pthread_rwlock_wrlock, (pthread_rwlock_t *a), (a), (&lock))            \
    FUNCTION(int, pthread_spin_lock, (pthread_spinlock_t *a), (a), (&spin))              \
    FUNCTION(int, sem_wait, (sem_t *a), (a), (&semaphore))                               \
    FUNCTION(int, pthread_once, (pthread_once_t *a, void (*b)(void)), (a, b), (&once, nothing)) \
    FUNCTION(FILE *, fopen, (const char *a, const char *b), (a, b), ("/dev/null", text)) \
    FUNCTION(int, fclose, (FILE *a), (a), (stdin))                                       \
    FUNCTION(int, fflush, (FILE *a), (a), (stdout))                                      \
    FUNCTION(int, fputs, (const char *a, FILE *b), (a, b), (text, stdout))               \
    FUNCTION(int, puts, (const char *a), (a), (text))                                    \
    FUNCTION(int, fputc, (int a, FILE *b), (a, b), (*text, stdout))                      \
    FUNCTION(size_t, fwrite, (const void *a, size_t b, size_t c, FILE *d), (a, b, c, d), \
             (text, 1, size / 5, stdout))                                                \
    FUNCTION(int, dl_iterate_phdr, (int (*a)(struct dl_phdr_info *, size_t, void *), void *b), \
             (a, b), (visit, NULL))                                                      \
    FUNCTION(void *, dlopen, (const char *a, int b), (a, b), (NULL, RTLD_LAZY))          \
    FUNCTION(int, dlclose, (void *a), (a), (object))                                           \
    FUNCTION(int, dladdr, (const void *a, Dl_info *b), (a, b), (text, &(Dl_info){0}))
/* clang-format on */

#ifndef PROGRAM
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

#define GUARD_NEXT(type, name, parameters, arguments, ...)                               \
    type name parameters                                                                 \
    {                                                                                    \
        static type(*next) parameters;                                                   \
        guard(#name);                                                                    \
        if (!next)                                                                       \
            next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                          \
        return next arguments;                                                           \
    }

FUNCTIONS(GUARD_NEXT)
GUARD_NEXT(int, vfprintf, (FILE * file, const char *format, va_list list),
           (file, format, list), )
GUARD_NEXT(int, vsnprintf, (char *to, size_t size, const char *format, va_list list),
           (to, size, format, list), )

/* Those that take a list of arguments, by the one that is called instead.  */
#define GUARD_LIST(name, parameters, next)                                               \
    int name parameters                                                                  \
    {                                                                                    \
        va_list list;                                                                    \
        int result;                                                                      \
        guard(#name);                                                                    \
        va_start(list, format);                                                          \
        result = next;                                                                   \
        va_end(list);                                                                    \
        return result;                                                                   \
    }

GUARD_LIST(fprintf, (FILE * file, const char *format, ...), vfprintf(file, format, list))
GUARD_LIST(printf, (const char *format, ...), vfprintf(stdout, format, list))
GUARD_LIST(snprintf, (char *to, size_t size, const char *format, ...),
           vsnprintf(to, size, format, list))

#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static sem_t semaphore;
static void *volatile memory;
static char *volatile text = "text";
static volatile size_t size = 10;
static const char *name;
static void *object;

static void nothing(void)
{
}

static int visit(struct dl_phdr_info *info, size_t length, void *context)
{
    (void)info;
    (void)length;
    (void)context;
    return 1;
}

static void *anything(size_t align)
{
    void *to = NULL;
    return posix_memalign(&to, align, size) == 0 ? to : NULL;
}

/* DO(name, statement) for each of the others.  */
#define OTHERS(DO)                                                                       \
    DO(malloc, memory = malloc(size))                                                    \
    DO(calloc, memory = calloc(size, 2))                                                 \
    DO(realloc, memory = realloc(memory, 2 * size))                                      \
    DO(free, free(memory))                                                               \
    DO(aligned_alloc, memory = aligned_alloc(64, 64 * size))                             \
    DO(posix_memalign, memory = anything(64))                                            \
    DO(printf, printf("%p", memory))                                                     \
    DO(fprintf, fprintf(stdout, "%p", memory))                                           \
    DO(snprintf, snprintf(text, 0, "%p", memory))
#define TRY(function, statement)                                                         \
    if (strcmp(name, #function) == 0)                                                    \
        statement;
#define TRY_FUNCTION(type, function, parameters, arguments, call)                        \
    if (strcmp(name, #function) == 0)                                                    \
        (void)!function call;
#define NAME(function, statement)                                  puts(#function);
#define NAME_FUNCTION(type, function, parameters, arguments, call) puts(#function);

static void handler(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    OTHERS(TRY)
    FUNCTIONS(TRY_FUNCTION)
}

int main(int argc, char **argv)
{
    struct sigaction action;

    if (argc == 1) {
        OTHERS(NAME)
        FUNCTIONS(NAME_FUNCTION)
        return 0;
    }
    name = argv[1];
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    object = dlopen(NULL, RTLD_LAZY);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGPROF, &action, NULL);
    raise(SIGPROF);
    return 0;
}
#endif
