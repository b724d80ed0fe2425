/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be preloaded: ends the program when memory is allocated, or a lock
   taken, while SIGPROF is blocked, as it is in the runtime's handler.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static int (*mutex_lock)(pthread_mutex_t *);
static int (*read_lock)(pthread_rwlock_t *);
static int (*write_lock)(pthread_rwlock_t *);

__attribute__((constructor)) static void guard_start(void)
{
    mutex_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    read_lock = (int (*)(pthread_rwlock_t *))dlsym(RTLD_NEXT, "pthread_rwlock_rdlock");
    write_lock = (int (*)(pthread_rwlock_t *))dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
}

static void guard(const char *what, size_t length)
{
    unsigned long blocked = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &blocked, sizeof blocked);
    if (blocked >> (SIGPROF - 1) & 1) {
        (void)!write(2, what, length);
        abort();
    }
}

#define GUARD(what) guard("guard: " what "\n", sizeof "guard: " what)

void *malloc(size_t size)
{
    GUARD("malloc");
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    GUARD("calloc");
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    GUARD("realloc");
    return __libc_realloc(old, size);
}

void free(void *old)
{
    GUARD("free");
    __libc_free(old);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    GUARD("pthread_mutex_lock");
    return mutex_lock(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    GUARD("pthread_rwlock_rdlock");
    return read_lock(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    GUARD("pthread_rwlock_wrlock");
    return write_lock(lock);
}
