/* SPDX-License-Identifier: MIT */
/* Owns the start routines of threads that are created and have not started yet, and a
   key whose destructor runs when a thread ends. The constructor calls install. The
   program's threads call the other functions. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/entry/thread-create.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"
#include "rt/regions/regions.h"
#include "rt/sampler/sampler.h"
#include "rt/count/counts.h"
#include "rt/count/targets.h"
#include "rt/wait/wait.h"
#include "rt/process/exit.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"

/* Maximum number of threads that are created and have not started yet. CREATION_TRIES
   entries are tried. If none is free, the thread is created without the runtime, and the
   sampler must find it later. */
#define CREATION_MAX   768
#define CREATION_TRIES 64

struct creation {
    _Atomic unsigned busy;
    void *(*start)(void *);
    thrd_start_t start_c11; /* used if START is null */
    void *argument;
    struct ccprof_tags tags; /* initial tags of the new thread */
    bool is_signal_blocked;  /* SIGPROF is blocked when the new thread starts */
    bool is_of_pool;         /* it waits in the pool when it has nothing to do */
};

static struct creation creations[CREATION_MAX];
static _Atomic unsigned next_creation;
/* The calling thread's start routine, if it was created through the runtime. */
static __thread uintptr_t start_routine;
static pthread_key_t key;
static bool has_key;

static bool creation_is_first(void)
{
    return ccprof_sys_gettid() == ccprof_sys_getpid();
}

/* Does the runtime's work at the end of the calling thread. GOES_ON: the thread
   itself continues, unmeasured. All signals are blocked. */
static void creation_finish(bool goes_on)
{
    ccprof_regions_thread_end();
    if (creation_is_first())
        return;
    ccprof_wait_thread_end();
    ccprof_targets_thread_end();
    ccprof_counts_thread_end(goes_on);
    if (ccprof_run.signal_is_ours)
        ccprof_handler_estimate(start_routine, ccprof_sampler_thread_end());
    ccprof_threadnames_end(ccprof_tags.thread);
    ccprof_exit_thread_end();
}

/* Waits for the last round of destructors, since other destructors may run profiled
   code. Then does the runtime's work at the end of the thread. ROUND is a pointer
   into CREATIONS that counts the rounds. */
static void creation_end(void *round)
{
    int saved = errno;
    struct ccprof_blocked blocked;

    if ((struct creation *)round < creations + PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
        pthread_setspecific(key, (struct creation *)round + 1);
        return;
    }
    ccprof_blocked_begin(&blocked);
    creation_finish(false);
    ccprof_blocked_end(&blocked);
    if (!creation_is_first())
        ccprof_datasets_leave(ccprof_tags.inherited);
    errno = saved;
}

void ccprof_thread_create_install(void)
{
    if (!has_key)
        has_key = pthread_key_create(&key, creation_end) == 0;
}

/* Blocks SIGPROF in the calling thread, so that the new thread inherits this mask
   (unless its attributes contain a mask). A sample before the new thread has its
   number would be added to another thread. Returns whether the caller must unblock
   SIGPROF. */
static bool creation_block_signal(const pthread_attr_t *attributes)
{
    ccprof_sys_signals before;
    sigset_t mask;

    if (!ccprof_threadnames_are_kept() ||
        (attributes && pthread_attr_getsigmask_np(attributes, &mask) == 0))
        return false;
    ccprof_sys_mask(SIG_BLOCK, CCPROF_SYS_SIGNAL(SIGPROF), &before);
    return !(before & CCPROF_SYS_SIGNAL(SIGPROF));
}

static void *creation_start(void *from)
{
    struct creation *creation = from;
    void *(*start)(void *) = creation->start;
    thrd_start_t start_c11 = creation->start_c11;
    void *argument = creation->argument;
    const bool is_of_pool = creation->is_of_pool;
    int saved = errno;
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    ccprof_tags_begin(&creation->tags);
    start_routine = start ? (uintptr_t)start : (uintptr_t)start_c11;
    if (creation->is_signal_blocked)
        blocked.mask &= ~CCPROF_SYS_SIGNAL(SIGPROF);
    atomic_store_explicit(&creation->busy, 0, memory_order_release);
    if (ccprof_run_enter()) {
        if (ccprof_run.signal_is_ours)
            ccprof_handler_estimate(start_routine, ccprof_sampler_thread_begin());
        ccprof_counts_thread_begin(ccprof_tags.dataset);
        ccprof_wait_thread_begin(is_of_pool);
        ccprof_run_leave();
    }
    ccprof_exit_thread_begin();
    ccprof_blocked_end(&blocked);
    pthread_setspecific(key, creations);
    errno = saved;
    /* glibc's thrd_join expects the result in this form. */
    return start ? start(argument) : (void *)(intptr_t)start_c11(argument);
}

/* Returns a free entry, filled in, or null. */
static struct creation *creation_allocate(void *(*start)(void *), void *argument)
{
    for (int i = 0; has_key && i < CREATION_TRIES; i++) {
        struct creation *creation =
            &creations[atomic_fetch_add(&next_creation, 1) % CREATION_MAX];
        if (atomic_exchange_explicit(&creation->busy, 1, memory_order_acquire) == 0) {
            creation->start = start;
            creation->argument = argument;
            return creation;
        }
    }
    return NULL;
}

static int creation_make(pthread_t *thread, const pthread_attr_t *attributes,
                         struct creation *creation, bool inherits)
{
    bool is_signal_blocked = creation_block_signal(attributes);
    int error;

    ccprof_tags_create(&creation->tags, inherits);
    creation->is_signal_blocked = is_signal_blocked;
    creation->is_of_pool = !inherits;
    error = ccprof_libc.pthread_create(thread, attributes, creation_start, creation);
    if (is_signal_blocked)
        ccprof_sys_mask(SIG_UNBLOCK, CCPROF_SYS_SIGNAL(SIGPROF), NULL);
    if (error) {
        ccprof_datasets_leave(creation->tags.inherited);
        atomic_store_explicit(&creation->busy, 0, memory_order_release);
    }
    return error;
}

static int creation_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*start)(void *), void *argument, bool inherits)
{
    struct creation *creation = creation_allocate(start, argument);

    if (!creation)
        return ccprof_libc.pthread_create(thread, attributes, start, argument);
    return creation_make(thread, attributes, creation, inherits);
}

int ccprof_thread_create(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument)
{
    return creation_create(thread, attributes, start, argument, true);
}

int ccprof_thread_create_worker(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument)
{
    return creation_create(thread, attributes, start, argument, false);
}

/* Makes creation_end run at the end of the calling thread. Returns false if that is
   not possible. The first thread ends with the process and needs no destructor. */
static bool creation_watch_end(void)
{
    return creation_is_first() || (has_key && pthread_setspecific(key, creations) == 0);
}

void ccprof_thread_create_expect_end(void)
{
    if (has_key && !pthread_getspecific(key))
        pthread_setspecific(key, creations);
}

/* Stops the sampling of the first thread as well, which creation_finish does not do. */
void ccprof_thread_create_end(bool goes_on)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    creation_finish(goes_on);
    if (creation_is_first() && ccprof_run.signal_is_ours)
        ccprof_sampler_thread_end();
    if (has_key)
        pthread_setspecific(key, NULL);
    ccprof_blocked_end(&blocked);
}

void ccprof_thread_create_adopt(void)
{
    struct ccprof_blocked blocked;

    if (!ccprof_counts_any() || ccprof_counts_thread_is_registered() ||
        !creation_watch_end())
        return;
    ccprof_blocked_begin(&blocked);
    ccprof_counts_thread_begin(ccprof_tags.dataset);
    ccprof_blocked_end(&blocked);
}

int ccprof_thread_create_c11(thrd_t *thread, thrd_start_t start, void *argument)
{
    struct creation *creation = creation_allocate(NULL, argument);

    if (!creation)
        return thrd_create(thread, start, argument);
    creation->start_c11 = start;
    switch (creation_make(thread, NULL, creation, true)) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}
