/* SPDX-License-Identifier: MIT */
/* Links libc's thread functions into statically linked programs, for GCC's libraries.
   These libraries refer to the functions weakly, and assume that either all of them
   are present or none (gthr-posix.h). Since the runtime needs some of them, it must
   include all; otherwise a Fortran program would call a null pointer. Nothing calls
   this file. */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

typedef void (*threads_static_function)(void);

#define NEEDED(name) (threads_static_function) name

static const threads_static_function needed[]
    __attribute__((used)) = {NEEDED(pthread_once),
                             NEEDED(pthread_create),
                             NEEDED(pthread_join),
                             NEEDED(pthread_detach),
                             NEEDED(pthread_cancel),
                             NEEDED(pthread_self),
                             NEEDED(pthread_equal),
                             NEEDED(sched_yield),
                             NEEDED(pthread_getspecific),
                             NEEDED(pthread_setspecific),
                             NEEDED(pthread_key_create),
                             NEEDED(pthread_key_delete),
                             NEEDED(pthread_mutex_init),
                             NEEDED(pthread_mutex_destroy),
                             NEEDED(pthread_mutex_lock),
                             NEEDED(pthread_mutex_trylock),
                             NEEDED(pthread_mutex_timedlock),
                             NEEDED(pthread_mutex_unlock),
                             NEEDED(pthread_mutexattr_init),
                             NEEDED(pthread_mutexattr_settype),
                             NEEDED(pthread_mutexattr_destroy),
                             NEEDED(pthread_cond_init),
                             NEEDED(pthread_cond_destroy),
                             NEEDED(pthread_cond_wait),
                             NEEDED(pthread_cond_timedwait),
                             NEEDED(pthread_cond_signal),
                             NEEDED(pthread_cond_broadcast)};
