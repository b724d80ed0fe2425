// SPDX-License-Identifier: GPL-3.0-or-later
// locks MODE: threads that wait for each other, in a way that the name of the mode says,
// for half a second or so. Prints what it knows itself (own.h).

#define _GNU_SOURCE
#include <err.h>
#include <semaphore.h>
#include <threads.h>

#include "own.h"

#define ROUNDS 60

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static mtx_t c_mutex;
static cnd_t c_condition;
static int items, done;

typedef void Work(long number);

static struct start {
    Work *work;
    long number;
} starts[OWN_THREADS];

static void *start(void *argument)
{
    struct start *one = argument;
    own_begin();
    one->work(one->number);
    own_end();
    return NULL;
}

// Runs the work in a new thread.
static pthread_t make(Work *work, long number)
{
    static int count;
    pthread_t thread;
    struct start *one = &starts[count++];
    *one = (struct start){work, number};
    if (pthread_create(&thread, NULL, start, one))
        errx(2, "no thread");
    return thread;
}

// Runs the work in COUNT threads, and waits for their ends.
static void make_all(Work *work, int count)
{
    pthread_t threads[OWN_THREADS];
    for (int i = 0; i < count; i++)
        threads[i] = make(work, i);
    for (int i = 0; i < count; i++)
        OWN("join", pthread_join(threads[i], NULL));
}

// One thread holds the mutex for 5 ms, and sleeps meanwhile; three others want it.
static void hold_mutex(long number)
{
    for (int i = 0; i < ROUNDS * (number ? 1 : 2); i++) {
        OWN("mutex", pthread_mutex_lock(&mutex));
        if (number)
            own_burn(200);
        else
            own_sleep(5000);
        pthread_mutex_unlock(&mutex);
        own_sleep(number ? 2000 : 1000);
    }
}

// One thread writes for 5 ms, three read for 2 ms.
static void hold_rwlock(long number)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (number)
            OWN("rwlock", pthread_rwlock_rdlock(&rwlock));
        else
            OWN("rwlock", pthread_rwlock_wrlock(&rwlock));
        own_sleep(number ? 2000 : 5000);
        pthread_rwlock_unlock(&rwlock);
        own_burn(300);
    }
}

// The first thread produces, two consume. A consumer takes 1 ms of CPU time for an item.
static void use_condition(long number)
{
    if (number == 0) {
        for (int i = 0; i < 3 * ROUNDS; i++) {
            own_sleep(3000);
            OWN("mutex", pthread_mutex_lock(&mutex));
            items++;
            pthread_cond_signal(&condition);
            pthread_mutex_unlock(&mutex);
        }
        OWN("mutex", pthread_mutex_lock(&mutex));
        done = 1;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
        return;
    }
    for (;;) {
        OWN("mutex", pthread_mutex_lock(&mutex));
        while (!items && !done)
            OWN("condition", pthread_cond_wait(&condition, &mutex));
        if (!items) {
            pthread_mutex_unlock(&mutex);
            return;
        }
        items--;
        pthread_mutex_unlock(&mutex);
        own_burn(1000);
    }
}

// Waits with a time limit that always passes.
static void time_out(long number)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec until;
        clock_gettime(number ? CLOCK_MONOTONIC : CLOCK_REALTIME, &until);
        until.tv_nsec += 5000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        OWN("mutex", pthread_mutex_lock(&mutex));
        if (number)
            OWN("condition",
                pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until));
        else
            OWN("condition", pthread_cond_timedwait(&condition, &mutex, &until));
        pthread_mutex_unlock(&mutex);
        if (number == 0) {
            until.tv_nsec += until.tv_nsec < 997000000 ? 3000000 : 0;
            OWN("semaphore", sem_timedwait(&semaphore, &until));
        }
    }
}

// Uneven work before a barrier.
static void meet(long number)
{
    for (int i = 0; i < ROUNDS; i++) {
        if ((i + number) % 3)
            own_burn(1000);
        else
            own_sleep(8000);
        OWN("barrier", pthread_barrier_wait(&barrier));
    }
}

// Even numbers post, odd ones wait.
static void use_semaphore(long number)
{
    for (int i = 0; i < 2 * ROUNDS; i++)
        if (number % 2)
            OWN("semaphore", sem_wait(&semaphore));
        else {
            own_sleep(4000);
            sem_post(&semaphore);
        }
}

// C11's mutexes and conditions.
static void use_c11(long number)
{
    for (int i = 0; i < ROUNDS; i++) {
        OWN("mutex", mtx_lock(&c_mutex));
        if (number == 0) {
            own_sleep(4000);
            items++;
            cnd_broadcast(&c_condition);
            mtx_unlock(&c_mutex);
            own_sleep(4000);
        } else if (number == 1) {
            while (items <= i)
                OWN("condition", cnd_wait(&c_condition, &c_mutex));
            mtx_unlock(&c_mutex);
        } else {
            mtx_unlock(&c_mutex);
            own_sleep(1000);
        }
    }
}

// Threads that the first one waits for, one of which takes longer.
static void end_later(long number)
{
    own_sleep(number == 1 ? 400000 : 200000);
    own_burn(20000);
}

// Twice as many busy threads as processors.
static void compute(long number)
{
    own_burn(number ? 150000 : 300000);
}

// Waits for work that never comes.
static void idle(long number)
{
    if (number % 2) {
        OWN("mutex", pthread_mutex_lock(&mutex));
        for (;;)
            OWN("condition", pthread_cond_wait(&condition, &mutex));
    }
    for (;;)
        OWN("semaphore", sem_wait(&semaphore));
}

static void pool(void)
{
    for (int i = 0; i < 6; i++)
        make(idle, i);
    own_burn(200000);
    own_sleep(200000);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    own_begin();
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 3);
    mtx_init(&c_mutex, mtx_plain);
    cnd_init(&c_condition);
    if (!strcmp(mode, "mutex"))
        make_all(hold_mutex, 4);
    else if (!strcmp(mode, "rwlock"))
        make_all(hold_rwlock, 4);
    else if (!strcmp(mode, "condition"))
        make_all(use_condition, 3);
    else if (!strcmp(mode, "timeout"))
        make_all(time_out, 2);
    else if (!strcmp(mode, "barrier"))
        make_all(meet, 3);
    else if (!strcmp(mode, "semaphore"))
        make_all(use_semaphore, 4);
    else if (!strcmp(mode, "c11"))
        make_all(use_c11, 3);
    else if (!strcmp(mode, "join"))
        make_all(end_later, 4);
    else if (!strcmp(mode, "busy"))
        make_all(compute, 2 * (int)sysconf(_SC_NPROCESSORS_ONLN));
    else if (!strcmp(mode, "pool"))
        pool();
    else
        errx(2, "no such mode");
    own_report(stdout);
    return 0;
}
