/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls the function of its first argument in a handler of SIGPROF, which the library of
   rt/guard.c must not let it do; without an argument prints their names.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static sem_t semaphore;
static void *volatile memory;
static char *volatile text = "text";
static volatile size_t size = 10;
static const char *name;

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

#define CALLS(call)                                                                      \
    call(malloc, memory = malloc(size));                                                 \
    call(calloc, memory = calloc(size, 2));                                              \
    call(realloc, memory = realloc(memory, 2 * size));                                   \
    call(free, free(memory));                                                            \
    call(aligned_alloc, memory = aligned_alloc(64, 64 * size));                          \
    call(posix_memalign, memory = anything(64));                                         \
    call(pthread_mutex_lock, pthread_mutex_lock(&mutex));                                \
    call(pthread_mutex_trylock, pthread_mutex_trylock(&mutex));                          \
    call(pthread_rwlock_rdlock, pthread_rwlock_rdlock(&lock));                           \
    call(pthread_rwlock_wrlock, pthread_rwlock_wrlock(&lock));                           \
    call(pthread_spin_lock, pthread_spin_lock(&spin));                                   \
    call(pthread_once, pthread_once(&once, nothing));                                    \
    call(sem_wait, sem_wait(&semaphore));                                                \
    call(fopen, memory = fopen("/dev/null", text));                                      \
    call(fclose, fclose(stdin));                                                         \
    call(fflush, fflush(stdout));                                                        \
    call(fputs, fputs(text, stdout));                                                    \
    call(puts, puts(text));                                                              \
    call(fputc, fputc(*text, stdout));                                                   \
    call(fwrite, fwrite(text, 1, size / 5, stdout));                                     \
    call(printf, printf("%p", memory));                                                  \
    call(fprintf, fprintf(stdout, "%p", memory));                                        \
    call(snprintf, snprintf(text, 0, "%p", memory));                                     \
    call(dl_iterate_phdr, dl_iterate_phdr(visit, NULL));                                 \
    call(dlopen, memory = dlopen(NULL, RTLD_LAZY));                                      \
    call(dladdr, dladdr(memory, &(Dl_info){0}))

#define TRY(function, expression)                                                        \
    if (strcmp(name, #function) == 0)                                                    \
    (void)(expression)
#define NAME(function, expression) puts(#function)

/* free gives nothing back.  */
#define free(what) ((free)(what), 0)

static void handler(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    CALLS(TRY);
}

int main(int argc, char **argv)
{
    struct sigaction action;

    if (argc == 1) {
        CALLS(NAME);
        return 0;
    }
    name = argv[1];
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGPROF, &action, NULL);
    raise(SIGPROF);
    return 0;
}
