/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of functions for locks: each kind of mutex when it is free, held by
   the thread, and held by another thread; limits that have passed or are wrong; the other
   locks. Then lets threads count under each kind of lock, and makes locks again at the
   addresses of others. */

#define _GNU_SOURCE
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
#include <threads.h>

#include "wait-same.h"

static pthread_mutex_t mutex;
static mtx_t c_mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static pthread_barrier_t barrier;
static sem_t semaphore;
static struct timespec past, past_monotonic, soon, soon_monotonic;
static const struct timespec wrong = {4000000000, 1000000000};

static void set_soon(void)
{
    soon = at(CLOCK_REALTIME, 3);
    soon_monotonic = at(CLOCK_MONOTONIC, 3);
}

/* Runs ROUTINE in another thread, to its end. */
static void elsewhere(void *(*routine)(void *))
{
    pthread_join(start(routine, NULL), NULL);
}

static void *try_mutex(void *unused)
{
    SAY(pthread_mutex_trylock(&mutex));
    SAY(pthread_mutex_timedlock(&mutex, &past));
    SAY(pthread_mutex_timedlock(&mutex, &soon));
    SAY(pthread_mutex_timedlock(&mutex, &wrong));
    SAY(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past_monotonic));
    SAY(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon_monotonic));
    SAY(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past));
    return unused;
}

static void *unlock_mutex(void *unused)
{
    SAY(pthread_mutex_unlock(&mutex));
    return unused;
}

static void *die_with_mutex(void *unused)
{
    SAY(pthread_mutex_lock(&mutex));
    return unused;
}

static void make_mutex(int type, int robust, int protocol, int shared)
{
    pthread_mutexattr_t kind;

    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, type);
    pthread_mutexattr_setrobust(&kind, robust);
    pthread_mutexattr_setprotocol(&kind, protocol);
    pthread_mutexattr_setpshared(&kind, shared);
    printf("-- type %d, robust %d, protocol %d, shared %d\n", type, robust, protocol,
           shared);
    SAY(pthread_mutex_init(&mutex, &kind));
    pthread_mutexattr_destroy(&kind);
}

static void robust(void)
{
    elsewhere(die_with_mutex);
    SAY(pthread_mutex_lock(&mutex));
    SAY(pthread_mutex_consistent(&mutex));
    SAY(pthread_mutex_unlock(&mutex));
    elsewhere(die_with_mutex);
    SAY(pthread_mutex_trylock(&mutex));
    SAY(pthread_mutex_unlock(&mutex));
    SAY(pthread_mutex_lock(&mutex));
    SAY(pthread_mutex_trylock(&mutex));
    SAY(pthread_mutex_timedlock(&mutex, &past));
    SAY(pthread_mutex_destroy(&mutex));
}

static void one_mutex(int type, int is_robust, int protocol, int shared)
{
    make_mutex(type, is_robust, protocol, shared);
    SAY(pthread_mutex_lock(&mutex));
    SAY(pthread_mutex_timedlock(&mutex, &past));
    SAY(pthread_mutex_trylock(&mutex));
    if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK)
        SAY(pthread_mutex_lock(&mutex));
    elsewhere(try_mutex);
    SAY(pthread_cond_timedwait(&condition, &mutex, &past));
    SAY(pthread_cond_timedwait(&condition, &mutex, &wrong));
    SAY(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past_monotonic));
    SAY(pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &past));
    if (type != PTHREAD_MUTEX_NORMAL || is_robust) {
        elsewhere(unlock_mutex);
        for (int i = 0; i < 5; i++)
            SAY(pthread_mutex_unlock(&mutex));
        SAY(pthread_cond_timedwait(&condition, &mutex, &past));
    } else {
        SAY(pthread_mutex_unlock(&mutex));
    }
    SAY(pthread_mutex_timedlock(&mutex, &wrong));
    SAY(pthread_mutex_unlock(&mutex));
    SAY(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
    if (is_robust)
        robust();
    else
        SAY(pthread_mutex_destroy(&mutex));
}

static int try_c_mutex(void *unused)
{
    (void)unused;
    SAY(mtx_trylock(&c_mutex));
    SAY(mtx_timedlock(&c_mutex, &past));
    return 5;
}

static void c11(int type)
{
    cnd_t c_condition;
    thrd_t thread;
    int result;

    SAY(mtx_init(&c_mutex, type));
    SAY(mtx_lock(&c_mutex));
    if (type & mtx_recursive)
        SAY(mtx_lock(&c_mutex));
    SAY(mtx_trylock(&c_mutex));
    thrd_create(&thread, try_c_mutex, NULL);
    SAY(thrd_join(thread, &result));
    SAY(result);
    SAY(cnd_init(&c_condition));
    SAY(cnd_timedwait(&c_condition, &c_mutex, &past));
    SAY(cnd_timedwait(&c_condition, &c_mutex, &wrong));
    SAY(cnd_signal(&c_condition));
    SAY(cnd_broadcast(&c_condition));
    for (int i = 0; i < (type & mtx_recursive ? 3 : 1); i++)
        SAY(mtx_unlock(&c_mutex));
    SAY(mtx_timedlock(&c_mutex, &wrong));
    SAY(mtx_unlock(&c_mutex));
}

static void *try_rwlock(void *unused)
{
    SAY(pthread_rwlock_tryrdlock(&rwlock));
    SAY(pthread_rwlock_trywrlock(&rwlock));
    SAY(pthread_rwlock_timedrdlock(&rwlock, &past));
    SAY(pthread_rwlock_timedwrlock(&rwlock, &soon));
    SAY(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past_monotonic));
    SAY(pthread_rwlock_clockrdlock(&rwlock, CLOCK_PROCESS_CPUTIME_ID, &past));
    return unused;
}

static void rwlocks(void)
{
    set_soon();
    SAY(pthread_rwlock_wrlock(&rwlock));
    SAY(pthread_rwlock_wrlock(&rwlock));
    SAY(pthread_rwlock_rdlock(&rwlock));
    SAY(pthread_rwlock_trywrlock(&rwlock));
    elsewhere(try_rwlock);
    SAY(pthread_rwlock_unlock(&rwlock));
    SAY(pthread_rwlock_rdlock(&rwlock));
    SAY(pthread_rwlock_rdlock(&rwlock));
    SAY(pthread_rwlock_trywrlock(&rwlock));
    SAY(pthread_rwlock_timedwrlock(&rwlock, &past));
    SAY(pthread_rwlock_timedrdlock(&rwlock, &wrong));
    SAY(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &soon_monotonic));
    for (int i = 0; i < 3; i++)
        SAY(pthread_rwlock_unlock(&rwlock));
    SAY(pthread_rwlock_timedwrlock(&rwlock, &wrong));
    SAY(pthread_rwlock_clockwrlock(&rwlock, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SAY(pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &past));
    SAY(pthread_rwlock_unlock(&rwlock));
}

static void others(void)
{
    int value;

    set_soon();
    SAY(pthread_spin_init(&spinlock, 0));
    SAY(pthread_spin_lock(&spinlock));
    SAY(pthread_spin_trylock(&spinlock));
    SAY(pthread_spin_unlock(&spinlock));
    SAY(sem_init(&semaphore, 0, 1));
    SAY(sem_timedwait(&semaphore, &wrong));
    SAY(sem_wait(&semaphore));
    SAY(sem_trywait(&semaphore));
    SAY(sem_timedwait(&semaphore, &past));
    SAY(sem_timedwait(&semaphore, &soon));
    SAY(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past_monotonic));
    SAY(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past));
    SAY(sem_post(&semaphore));
    SAY(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past));
    SAY(sem_getvalue(&semaphore, &value));
    SAY(value);
    SAY(pthread_barrier_init(&barrier, NULL, 1));
    SAY(pthread_barrier_wait(&barrier));
    SAY(pthread_barrier_destroy(&barrier));
    SAY(pthread_cond_signal(&condition));
    SAY(pthread_cond_broadcast(&condition));
    SAY(pthread_join(pthread_self(), NULL));
}

/* Threads count under each lock in turn. Each round ends with a barrier. */
#define THREADS 6
#define ROUNDS  3000
#define WAYS    7
static long counts[WAYS], serial;
static bool is_turn[2];
static pthread_mutex_t plain_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t adaptive_mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void count(int way)
{
    switch (way) {
    case 0:
        pthread_mutex_lock(&plain_mutex);
        counts[way]++;
        pthread_mutex_unlock(&plain_mutex);
        break;
    case 1:
        pthread_mutex_lock(&adaptive_mutex);
        counts[way]++;
        pthread_mutex_unlock(&adaptive_mutex);
        break;
    case 2:
        pthread_mutex_lock(&recursive_mutex);
        pthread_mutex_lock(&recursive_mutex);
        counts[way]++;
        pthread_mutex_unlock(&recursive_mutex);
        pthread_mutex_unlock(&recursive_mutex);
        break;
    case 3:
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        pthread_rwlock_wrlock(&rwlock);
        counts[way]++;
        pthread_rwlock_unlock(&rwlock);
        break;
    case 4:
        pthread_spin_lock(&spinlock);
        counts[way]++;
        pthread_spin_unlock(&spinlock);
        break;
    case 5:
        sem_wait(&semaphore);
        counts[way]++;
        sem_post(&semaphore);
        break;
    case 6:
        /* The mutex has the kind of the last test of mutexes: priority inheritance. */
        pthread_mutex_lock(&mutex);
        counts[way]++;
        pthread_mutex_unlock(&mutex);
        break;
    }
}

static void *work(void *unused)
{
    for (int way = 0; way < WAYS; way++) {
        for (int i = 0; i < ROUNDS; i++)
            count(way);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial++;
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

/* Two threads take turns. */
static void *take_turns(void *which)
{
    const long mine = (long)which;

    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&plain_mutex);
        while (!is_turn[mine])
            pthread_cond_wait(&condition, &plain_mutex);
        is_turn[mine] = false;
        is_turn[1 - mine] = true;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&plain_mutex);
    }
    return NULL;
}

static void queues(void)
{
    pthread_t threads[THREADS], other;

    make_mutex(PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_INHERIT, 0);
    sem_init(&semaphore, 0, 1);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        threads[i] = start(work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int way = 0; way < WAYS; way++)
        printf("count %ld\n", counts[way]);
    printf("serial %ld\n", serial);
    is_turn[0] = true;
    other = start(take_turns, (void *)1);
    take_turns((void *)0);
    pthread_join(other, NULL);
    printf("turn %d\n", is_turn[0]);
}

/* Locks at the same address, of which the next is another kind. */
static void *lock_again(void *from)
{
    pthread_mutex_t *one = from;

    pthread_mutex_lock(one);
    pthread_mutex_unlock(one);
    return NULL;
}

static void again(void)
{
    union {
        pthread_mutex_t mutex;
        pthread_rwlock_t rwlock;
        sem_t semaphore;
        mtx_t c_mutex;
    } place;

    for (int i = 0; i < 300; i++) {
        memset(&place, 0xa5, sizeof place);
        pthread_mutex_init(&place.mutex, NULL);
        pthread_mutex_lock(&place.mutex);
        pthread_t other = start(lock_again, &place.mutex);
        if (i % 3 == 0)
            pass(1);
        pthread_mutex_unlock(&place.mutex);
        pthread_join(other, NULL);
        pthread_mutex_destroy(&place.mutex);
        pthread_rwlock_init(&place.rwlock, NULL);
        pthread_rwlock_wrlock(&place.rwlock);
        pthread_rwlock_unlock(&place.rwlock);
        pthread_rwlock_destroy(&place.rwlock);
        sem_init(&place.semaphore, 0, 1);
        sem_wait(&place.semaphore);
        sem_destroy(&place.semaphore);
        mtx_init(&place.c_mutex, mtx_plain);
        mtx_lock(&place.c_mutex);
        mtx_unlock(&place.c_mutex);
        mtx_destroy(&place.c_mutex);
    }
    printf("again\n");
}

int main(void)
{
    past = at(CLOCK_REALTIME, -1000);
    past_monotonic = at(CLOCK_MONOTONIC, -1000);
    for (int type = 0; type <= PTHREAD_MUTEX_ADAPTIVE_NP; type++)
        for (int is_robust = 0; is_robust < 2; is_robust++)
            for (int protocol = 0; protocol <= PTHREAD_PRIO_INHERIT; protocol++)
                for (int shared = 0; shared < 2; shared++) {
                    set_soon();
                    one_mutex(type, is_robust, protocol, shared);
                }
    c11(mtx_timed);
    c11(mtx_timed | mtx_recursive);
    rwlocks();
    others();
    queues();
    again();
    return 0;
}
