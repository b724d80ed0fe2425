// SPDX-License-Identifier: GPL-3.0-or-later
// owners: four threads that take four mutexes by six calls, and wait for them more than
// 10,000 times. Prints
//
//     call NAME START END                  addresses of the code of a call
//     marker BEGIN                         a sleep of 20 ms of the first thread
//     wait THREAD BEGIN LENGTH CALL OWNER OWNER-CALL
//
// a line for each call of a mutex that another thread held when the call was made: the
// thread that waits, from 2, the begin on CLOCK_MONOTONIC and the length in nanoseconds,
// the call that waits, the thread that held the mutex, and the call that had taken it. An
// owner writes what it is as soon as it has the mutex, so a wait of which another thread
// became the owner meanwhile may be wrong; they are few.

#define _GNU_SOURCE
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 4
#define MUTEXES 4
#define WAITS   40000 // of a thread
#define ENOUGH  12000 // waits of at least LONG nanoseconds
#define LONG    15000
#define CALLS   6

static pthread_mutex_t mutexes[MUTEXES] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};

// Of each mutex: the thread and the call that hold it, 256 * thread + call, or 0.
static _Atomic int holders[MUTEXES];

static _Atomic int long_ones;

struct wait {
    long long begin, length;
    int call, holder;
};

static struct thread {
    pthread_t id;
    int number;
    unsigned random;
    int count;
    struct wait waits[WAITS];
} threads[THREADS];

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static unsigned draw(struct thread *me, unsigned limit)
{
    me->random = me->random * 1664525 + 1013904223;
    return (me->random >> 10) % limit;
}

static void burn(int nanoseconds)
{
    long long end = now() + nanoseconds;
    while (now() < end) {
    }
}

// The calls, each in a section of its own, whose bounds the linker provides.
#define CALL(name)                                                                       \
    extern char __start_code_##name[], __stop_code_##name[];                             \
    static __attribute__((noinline, noclone, section("code_" #name))) void name(         \
        pthread_mutex_t *mutex)

CALL(lock_first)
{
    pthread_mutex_lock(mutex);
    __asm__("" ::: "memory");
}

CALL(lock_second)
{
    pthread_mutex_lock(mutex);
    __asm__("" ::: "memory");
}

CALL(lock_tried)
{
    while (pthread_mutex_trylock(mutex))
        burn(2000);
}

CALL(lock_timed)
{
    struct timespec until = {now() / 1000000000 + 3600, 0};
    pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &until);
}

CALL(lock_outer)
{
    pthread_mutex_lock(mutex);
    __asm__("" ::: "memory");
}

CALL(lock_inner)
{
    pthread_mutex_lock(mutex);
    __asm__("" ::: "memory");
}

static const struct call {
    const char *name;
    const char *start, *stop;
    void (*take)(pthread_mutex_t *);
} calls[CALLS] = {
#define ENTRY(name)                                                                      \
    {                                                                                    \
#name, __start_code_##name, __stop_code_##name, name                             \
    }
    ENTRY(lock_first), ENTRY(lock_second), ENTRY(lock_tried),
    ENTRY(lock_timed), ENTRY(lock_outer),  ENTRY(lock_inner),
};
enum { TRIED = 2, OUTER = 4, INNER };

// Takes a mutex, and records what the thread waits for.
static void take(struct thread *me, int mutex, int call)
{
    struct wait wait = {.call = call, .holder = holders[mutex]};
    wait.begin = now();
    calls[call].take(&mutexes[mutex]);
    wait.length = now() - wait.begin;
    holders[mutex] = 256 * me->number + call;
    // Trying is no wait.
    if (wait.holder && call != TRIED && me->count < WAITS) {
        me->waits[me->count++] = wait;
        long_ones += wait.length >= LONG;
    }
}

static void release(int mutex)
{
    holders[mutex] = 0;
    pthread_mutex_unlock(&mutexes[mutex]);
}

static void rest(struct thread *me, unsigned most)
{
    struct timespec time = {0, draw(me, most)};
    nanosleep(&time, NULL);
}

static void *work(void *argument)
{
    struct thread *me = argument;
    while (long_ones < ENOUGH && me->count < WAITS) {
        int call = (int)draw(me, INNER);
        int mutex = (int)draw(me, call == OUTER ? MUTEXES - 1 : MUTEXES);
        take(me, mutex, call);
        rest(me, 60000);
        if (call == OUTER) {
            // The outer one is released first.
            int inner = mutex + 1 + (int)draw(me, (unsigned)(MUTEXES - 1 - mutex));
            take(me, inner, INNER);
            rest(me, 30000);
            release(mutex);
            rest(me, 30000);
            release(inner);
        } else
            release(mutex);
        burn((int)draw(me, 20000));
    }
    return NULL;
}

int main(void)
{
    struct timespec marker = {0, 20000000};
    long long begin = now();
    nanosleep(&marker, NULL);
    for (int i = 0; i < THREADS; i++) {
        threads[i].number = i + 2;
        threads[i].random = (unsigned)i;
        if (pthread_create(&threads[i].id, NULL, work, &threads[i]))
            errx(2, "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);

    for (int i = 0; i < CALLS; i++)
        printf("call %s %p %p\n", calls[i].name, (const void *)calls[i].start,
               (const void *)calls[i].stop);
    printf("marker %lld\n", begin);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < threads[i].count; k++) {
            const struct wait *wait = &threads[i].waits[k];
            printf("wait %d %lld %lld %s %d %s\n", i + 2, wait->begin, wait->length,
                   calls[wait->call].name, wait->holder / 256,
                   calls[wait->holder % 256].name);
        }
    return 0;
}
