/* SPDX-License-Identifier: MIT */
/* The replacements of libc's functions for locks, semaphores, conditions, barriers and
   the ends of threads (wait-calls.h). Owns nothing.

   A lock that is free costs a few nanoseconds: the replacement takes it without waiting
   (trylock), and notes the call in the thread's list (rt/wait/held.h). Everything else is
   in functions of their own, which the replacement calls by a jump: the walk of the stack
   begins at the caller of the function that calls CCPROF_WAIT_BEGIN or CCPROF_WAIT_WAKE.

   Where trylock could have another result than lock, it is not called: the mutex's own
   words say whether the thread will probably wait. These words belong to glibc's ABI,
   since initializers of mutexes are compiled into programs. */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <threads.h>
#include <time.h>

#include "rt/wait/held.h"
#include "rt/entry/wait-calls.h"

/* Bits of a mutex's kind, besides its type. NORMAL: the type was set to that. */
#define KIND_TYPE     3
#define KIND_ROBUST   16
#define KIND_INHERIT  32
#define KIND_PROTECT  64
#define KIND_SHARED   128 /* between processes, or robust */
#define KIND_NORMAL   512
#define CEILING_SHIFT 19 /* of the priority in the lock word of KIND_PROTECT */

/* Functions that are in no list below, or in one of another shape. */
#define SINGLES(DO)                                                                      \
    DO(int, pthread_mutex_trylock)                                                       \
    DO(int, pthread_mutex_unlock)                                                        \
    DO(int, mtx_trylock)                                                                 \
    DO(int, mtx_unlock)                                                                  \
    DO(int, pthread_spin_trylock)                                                        \
    DO(int, pthread_rwlock_tryrdlock)                                                    \
    DO(int, pthread_rwlock_trywrlock)                                                    \
    DO(int, pthread_barrier_wait)

#define TAKEN ((uintptr_t)__builtin_return_address(0))

#define INLINE static inline __attribute__((always_inline))
#define SLOW   static __attribute__((noinline))

static inline uint64_t object_of(const volatile void *lock)
{
    return (uint64_t)(uintptr_t)lock;
}

/* Returns whether libc accepts the limit: it refuses others before it tries the lock. */
static inline bool limit_is_valid(clockid_t clock, const struct timespec *limit)
{
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) &&
           (!limit || (unsigned long)limit->tv_nsec < 1000000000);
}

static inline int mutex_kind(const pthread_mutex_t *mutex)
{
    return __atomic_load_n(&mutex->__data.__kind, __ATOMIC_RELAXED);
}

/* Returns whether lock has no other results than trylock, but for waiting. */
static inline bool mutex_is_simple(const pthread_mutex_t *mutex)
{
    const int kind = mutex_kind(mutex) & ~KIND_NORMAL;

    return kind == PTHREAD_MUTEX_TIMED_NP || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static inline unsigned mutex_word(const pthread_mutex_t *mutex)
{
    return (unsigned)__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED);
}

static inline uint32_t mutex_owner(const pthread_mutex_t *mutex)
{
    return (uint32_t)__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
}

/* Returns whether another thread holds the mutex. */
static bool mutex_is_busy(const pthread_mutex_t *mutex)
{
    unsigned word = mutex_word(mutex);
    const int kind = mutex_kind(mutex);

    if (kind & (KIND_ROBUST | KIND_INHERIT))
        word &= FUTEX_TID_MASK;
    else if (kind & KIND_PROTECT)
        word &= (1u << CEILING_SHIFT) - 1;
    return word != 0 && (!ccprof_held || mutex_owner(mutex) != ccprof_held->tid);
}

/* Returns whether a thread may wait for the mutex, which the calling thread holds. */
static bool mutex_has_waiters(const pthread_mutex_t *mutex)
{
    unsigned word = mutex_word(mutex);
    const int kind = mutex_kind(mutex);

    if (kind & (KIND_ROBUST | KIND_INHERIT))
        word = word & FUTEX_WAITERS ? 2 : 0;
    else if (kind & KIND_PROTECT)
        word &= (1u << CEILING_SHIFT) - 1;
    return word == 2 && ccprof_wait_has_waiters(object_of(mutex));
}

/* Returns whether the calling thread, which holds the mutex, has locked it once. */
static bool mutex_is_outermost(const pthread_mutex_t *mutex)
{
    return (mutex_kind(mutex) & KIND_TYPE) != PTHREAD_MUTEX_RECURSIVE_NP ||
           mutex->__data.__count <= 1;
}

/* Notes a mutex that lock has returned with RESULT. */
static inline void mutex_add(const pthread_mutex_t *mutex, int result, uint64_t taken)
{
    if ((result == 0 || result == EOWNERDEAD) && mutex_is_outermost(mutex))
        ccprof_held_add(object_of(mutex), taken);
}

/* Without other threads, no other thread can hold a free mutex a moment later, and lock
   is cheaper than trylock. */
#define MUTEX_TRY(mutex, lock)                                                           \
    (__libc_single_threaded && mutex_word(mutex) == 0                                    \
         ? (lock)                                                                        \
         : CCPROF_WAIT_LIBC(pthread_mutex_trylock)(mutex))

/* Functions that lock a mutex: TYPE, NAME, parameters after the mutex, arguments, whether
   libc accepts the limit, and the result after the limit. */
#define MUTEX_LOCKS(DO)                                                                  \
    DO(pthread_mutex_t, pthread_mutex_lock, (), (), true, -1)                            \
    DO(pthread_mutex_t, pthread_mutex_timedlock, (, const struct timespec *limit),       \
       (, limit), true, ETIMEDOUT)                                                       \
    DO(pthread_mutex_t, pthread_mutex_clocklock,                                         \
       (, clockid_t clock, const struct timespec *limit), (, clock, limit),              \
       limit_is_valid(clock, NULL), ETIMEDOUT)                                           \
    DO(mtx_t, mtx_lock, (), (), true, -1)                                                \
    DO(mtx_t, mtx_timedlock, (, const struct timespec *limit), (, limit), true,          \
       thrd_timedout)

#define UNPACK(...) __VA_ARGS__

/* Defines slow_NAME, which waits for LOCK. OWNER: the thread that holds it, and whether
   processes share it, in parentheses. NOTE: what notes that the
   thread has it. */
#define SLOW_LOCK(type, name, parameters, arguments, why, owner, note, timed_out)        \
    CCPROF_WAIT_RECORD(                                                                  \
        int, slow_##name, (type * lock UNPACK parameters, uint64_t taken),               \
        (ccprof_wait_set_owner(&record, UNPACK owner), ccprof_wait_walk(&record),        \
         CCPROF_WAIT_LIBC(name)(lock UNPACK arguments)),                                 \
        why, object_of(lock), note, timed_out)

#define MUTEX_LOCK(type, name, parameters, arguments, may_try, timeout)                  \
    SLOW_LOCK(type, name, parameters, arguments, MUTEX,                                  \
              (mutex_owner((pthread_mutex_t *)lock),                                     \
               mutex_kind((pthread_mutex_t *)lock) & KIND_SHARED),                       \
              mutex_add((pthread_mutex_t *)lock, result, taken), result == (timeout))    \
    SLOW int other_##name(type *lock UNPACK parameters, uint64_t taken)                  \
    {                                                                                    \
        int result = CCPROF_WAIT_LIBC(name)(lock UNPACK arguments);                      \
        mutex_add((pthread_mutex_t *)lock, result, taken);                               \
        return result;                                                                   \
    }                                                                                    \
    static int wait_##name(type *lock UNPACK parameters)                                 \
    {                                                                                    \
        pthread_mutex_t *mutex = (pthread_mutex_t *)lock;                                \
        if (mutex_is_simple(mutex) && (may_try)) {                                       \
            if (MUTEX_TRY(mutex, CCPROF_WAIT_LIBC(name)(lock UNPACK arguments)) != 0)    \
                return slow_##name(lock UNPACK arguments, TAKEN);                        \
            ccprof_held_add(object_of(mutex), TAKEN);                                    \
            return 0;                                                                    \
        }                                                                                \
        if (mutex_is_busy(mutex))                                                        \
            return slow_##name(lock UNPACK arguments, TAKEN);                            \
        return other_##name(lock UNPACK arguments, TAKEN);                               \
    }

/* Functions that try to lock a mutex, and unlock it. */
#define MUTEX_OTHERS(DO)                                                                 \
    DO(pthread_mutex_t, pthread_mutex_trylock, pthread_mutex_unlock)                     \
    DO(mtx_t, mtx_trylock, mtx_unlock)

#define MUTEX_OTHER(type, try_name, unlock_name)                                         \
    static int wait_##try_name(type *lock)                                               \
    {                                                                                    \
        int result = CCPROF_WAIT_LIBC(try_name)(lock);                                   \
        mutex_add((pthread_mutex_t *)lock, result, TAKEN);                               \
        return result;                                                                   \
    }                                                                                    \
    /* libc may refuse to unlock a mutex of some kinds. */                               \
    SLOW int other_##unlock_name(type *lock)                                             \
    {                                                                                    \
        const pthread_mutex_t *mutex = (pthread_mutex_t *)lock;                          \
        const bool is_outermost = mutex_is_outermost(mutex);                             \
        const bool is_wake = is_outermost && mutex_has_waiters(mutex);                   \
        struct ccprof_wait_wake wake;                                                    \
        if (is_wake)                                                                     \
            ccprof_wait_wake(&wake, object_of(lock));                                    \
        int result = CCPROF_WAIT_LIBC(unlock_name)(lock);                                \
        if (result == 0 && is_outermost)                                                 \
            wake.taken = ccprof_held_remove(object_of(lock));                            \
        if (result == 0 && is_wake) {                                                    \
            wake.pc = ccprof_cpu_caller(wake.registers);                                 \
            ccprof_wait_woke(&wake);                                                     \
        }                                                                                \
        return result;                                                                   \
    }                                                                                    \
    static int wait_##unlock_name(type *lock)                                            \
    {                                                                                    \
        const pthread_mutex_t *mutex = (pthread_mutex_t *)lock;                          \
        if (!mutex_is_simple(mutex) || mutex_word(mutex) == 2)                           \
            return other_##unlock_name(lock);                                            \
        int result = CCPROF_WAIT_LIBC(unlock_name)(lock);                                \
        if (!ccprof_held_remove_last(object_of(lock)))                                   \
            ccprof_held_remove(object_of(lock));                                         \
        return result;                                                                   \
    }

/* The other locks, which can be tried without a difference: TYPE, NAME, the name of the
   function that tries, parameters, arguments, whether libc accepts the limit, reason, the
   thread that holds it, and whether processes share it. */
#define WRITER                                                                           \
    (uint32_t) __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED),            \
        lock->__data.__shared
#define LOCKS(DO)                                                                        \
    DO(pthread_spinlock_t volatile, pthread_spin_lock, pthread_spin_trylock, (), (),     \
       true, SPIN, 0, false)                                                             \
    DO(pthread_rwlock_t, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, (), (), true,  \
       RWLOCK, WRITER)                                                                   \
    DO(pthread_rwlock_t, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, (), (), true,  \
       RWLOCK, WRITER)                                                                   \
    DO(pthread_rwlock_t, pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock,           \
       (, const struct timespec *limit), (, limit),                                      \
       limit_is_valid(CLOCK_REALTIME, limit), RWLOCK, WRITER)                            \
    DO(pthread_rwlock_t, pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock,           \
       (, const struct timespec *limit), (, limit),                                      \
       limit_is_valid(CLOCK_REALTIME, limit), RWLOCK, WRITER)                            \
    DO(pthread_rwlock_t, pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock,           \
       (, clockid_t clock, const struct timespec *limit), (, clock, limit),              \
       limit_is_valid(clock, limit), RWLOCK, WRITER)                                     \
    DO(pthread_rwlock_t, pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock,           \
       (, clockid_t clock, const struct timespec *limit), (, clock, limit),              \
       limit_is_valid(clock, limit), RWLOCK, WRITER)

#define LOCK(type, name, try_name, parameters, arguments, may_try, why, ...)             \
    SLOW_LOCK(type, name, parameters, arguments, why, (__VA_ARGS__),                     \
              if (result == 0) ccprof_held_add(object_of(lock), taken),                  \
              result == ETIMEDOUT)                                                       \
    static int wait_##name(type *lock UNPACK parameters)                                 \
    {                                                                                    \
        if (!(may_try) || CCPROF_WAIT_LIBC(try_name)(lock) != 0)                         \
            return slow_##name(lock UNPACK arguments, TAKEN);                            \
        ccprof_held_add(object_of(lock), TAKEN);                                         \
        return 0;                                                                        \
    }

#define TRIES(DO)                                                                        \
    DO(pthread_spinlock_t volatile, pthread_spin_trylock)                                \
    DO(pthread_rwlock_t, pthread_rwlock_tryrdlock)                                       \
    DO(pthread_rwlock_t, pthread_rwlock_trywrlock)

#define TRY(type, name)                                                                  \
    static int wait_##name(type *lock)                                                   \
    {                                                                                    \
        int result = CCPROF_WAIT_LIBC(name)(lock);                                       \
        if (result == 0)                                                                 \
            ccprof_held_add(object_of(lock), TAKEN);                                     \
        return result;                                                                   \
    }

/* Functions that may end waits for their argument. RELEASE: removes it from the thread's
   list, if it is a lock, and returns the call that took it. EARLY: the walk is before the
   call, so that the thread that is woken finds who wakes it. A lock is released first. */
#define WAKES(DO)                                                                        \
    DO(pthread_spinlock_t volatile, pthread_spin_unlock, ccprof_held_remove, false)      \
    DO(pthread_rwlock_t, pthread_rwlock_unlock, ccprof_held_remove, false)               \
    DO(sem_t, sem_post, none_taken, true)                                                \
    DO(pthread_cond_t, pthread_cond_signal, none_taken, true)                            \
    DO(pthread_cond_t, pthread_cond_broadcast, none_taken, true)                         \
    DO(cnd_t, cnd_signal, none_taken, true)                                              \
    DO(cnd_t, cnd_broadcast, none_taken, true)

static inline uint64_t none_taken(uint64_t object)
{
    (void)object;
    return 0;
}

#define WAKE(type, name, release, early)                                                 \
    SLOW int slow_##name(type *object, uint64_t taken)                                   \
    {                                                                                    \
        struct ccprof_wait_wake wake;                                                    \
        CCPROF_WAIT_WAKE(&wake, object_of(object));                                      \
        wake.taken = taken;                                                              \
        if (early)                                                                       \
            ccprof_wait_woke(&wake);                                                     \
        int result = CCPROF_WAIT_LIBC(name)(object);                                     \
        if (!early)                                                                      \
            ccprof_wait_woke(&wake);                                                     \
        return result;                                                                   \
    }                                                                                    \
    static int wait_##name(type *object)                                                 \
    {                                                                                    \
        const uint64_t taken = release(object_of(object));                               \
        if (ccprof_wait_has_waiters(object_of(object)))                                  \
            return slow_##name(object, taken);                                           \
        return CCPROF_WAIT_LIBC(name)(object);                                           \
    }

/* Functions that wait for a condition: they release a mutex and take it again. The thread
   holds the mutex afterwards, so the walk is before. */
#define CONDITIONS(DO)                                                                   \
    DO(pthread_cond_t, pthread_cond_wait, pthread_mutex_t, (), (), -1)                   \
    DO(pthread_cond_t, pthread_cond_timedwait, pthread_mutex_t,                          \
       (, const struct timespec *limit), (, limit), ETIMEDOUT)                           \
    DO(pthread_cond_t, pthread_cond_clockwait, pthread_mutex_t,                          \
       (, clockid_t clock, const struct timespec *limit), (, clock, limit), ETIMEDOUT)   \
    DO(cnd_t, cnd_wait, mtx_t, (), (), -1)                                               \
    DO(cnd_t, cnd_timedwait, mtx_t, (, const struct timespec *limit), (, limit),         \
       thrd_timedout)

/* A mutex that its thread releases while it waits. */
struct released {
    pthread_mutex_t *mutex;
    uint64_t taken; /* 0: it was not in the thread's list */
};

/* The threads that wait for the mutex are told about this release before it happens,
   since the thread waits afterwards. */
INLINE struct released condition_release(pthread_mutex_t *mutex)
{
    struct released released = {.mutex = mutex};
    struct ccprof_wait_wake wake;

    if (!mutex_is_outermost(mutex))
        return released;
    released.taken = ccprof_held_remove(object_of(mutex));
    if (mutex_has_waiters(mutex)) {
        CCPROF_WAIT_WAKE(&wake, object_of(mutex));
        wake.taken = released.taken;
        ccprof_wait_woke(&wake);
    }
    return released;
}

/* libc refuses a wrong limit or mutex before it releases the mutex. */
static void condition_take_back(const struct released *released, int result,
                                uint64_t taken)
{
    const bool is_refused = result == EINVAL || result == EPERM || result == thrd_error;

    if (released->taken && result != ENOTRECOVERABLE)
        ccprof_held_add(object_of(released->mutex), is_refused ? released->taken : taken);
}

#define CONDITION(type, name, mutex_type, parameters, arguments, timeout)                \
    static int wait_##name(type *condition, mutex_type *mutex UNPACK parameters)         \
    {                                                                                    \
        struct released released = condition_release((pthread_mutex_t *)mutex);          \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_CONDITION, object_of(condition));           \
        ccprof_wait_walk(&wait);                                                         \
        int result = CCPROF_WAIT_LIBC(name)(condition, mutex UNPACK arguments);          \
        ccprof_wait_end(&wait, result == (timeout));                                     \
        condition_take_back(&released, result, TAKEN);                                   \
        return result;                                                                   \
    }

/* sem_trywait instead would not be the same: some of these functions are points of
   cancellation also if they need not wait. */
#define SEMAPHORES(DO)                                                                   \
    DO(sem_t, sem_wait, (), ())                                                          \
    DO(sem_t, sem_timedwait, (, const struct timespec *limit), (, limit))                \
    DO(sem_t, sem_clockwait, (, clockid_t clock, const struct timespec *limit),          \
       (, clock, limit))

#define SEMAPHORE(type, name, parameters, arguments)                                     \
    CCPROF_WAIT_RECORD(int, slow_##name, (type * semaphore UNPACK parameters),           \
                       CCPROF_WAIT_LIBC(name)(semaphore UNPACK arguments), SEMAPHORE,    \
                       object_of(semaphore), , result != 0 && errno == ETIMEDOUT)        \
    static int wait_##name(type *semaphore UNPACK parameters)                            \
    {                                                                                    \
        int value;                                                                       \
        CCPROF_WAIT_LIBC(sem_getvalue)(semaphore, &value);                               \
        return value > 0 ? CCPROF_WAIT_LIBC(name)(semaphore UNPACK arguments)            \
                         : slow_##name(semaphore UNPACK arguments);                      \
    }

/* The end of the thread ends the wait (ccprof_wait_thread_end). */
#define JOINS(DO)                                                                        \
    DO(pthread_t, pthread_join, (, void **out), (, out), -1)                             \
    DO(pthread_t, pthread_timedjoin_np, (, void **out, const struct timespec *limit),    \
       (, out, limit), ETIMEDOUT)                                                        \
    DO(pthread_t, pthread_clockjoin_np,                                                  \
       (, void **out, clockid_t clock, const struct timespec *limit),                    \
       (, out, clock, limit), ETIMEDOUT)                                                 \
    DO(thrd_t, thrd_join, (, int *out), (, out), -1)

#define JOIN(type, name, parameters, arguments, timeout)                                 \
    CCPROF_WAIT_RECORD(int, wait_##name, (type thread UNPACK parameters),                \
                       CCPROF_WAIT_LIBC(name)(thread UNPACK arguments), JOIN,            \
                       (uint64_t)thread, , result == (timeout))

#define ALL(DO)                                                                          \
    SINGLES(DO)                                                                          \
    MUTEX_LOCKS(DO) LOCKS(DO) WAKES(DO) CONDITIONS(DO) SEMAPHORES(DO) JOINS(DO)
ALL(CCPROF_WAIT_POINTER)
CCPROF_WAIT_POINTER(int, sem_getvalue)
MUTEX_LOCKS(MUTEX_LOCK)
MUTEX_OTHERS(MUTEX_OTHER)
LOCKS(LOCK)
TRIES(TRY)
WAKES(WAKE)
CONDITIONS(CONDITION)
SEMAPHORES(SEMAPHORE)
JOINS(JOIN)

/* The thread that arrives last ends the waits of the others. It is the one that gets
   PTHREAD_BARRIER_SERIAL_THREAD from glibc. */
static int wait_pthread_barrier_wait(pthread_barrier_t *barrier)
{
    const bool is_wake = ccprof_wait_has_waiters(object_of(barrier));
    struct ccprof_wait_wake wake;
    struct ccprof_wait wait;

    if (is_wake)
        CCPROF_WAIT_WAKE(&wake, object_of(barrier));
    CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_BARRIER, object_of(barrier));
    int result = CCPROF_WAIT_LIBC(pthread_barrier_wait)(barrier);
    if (is_wake && result == PTHREAD_BARRIER_SERIAL_THREAD) {
        ccprof_wait_drop(&wait);
        ccprof_wait_woke(&wake);
        return result;
    }
    ccprof_wait_end(&wait, false);
    return result;
}

void ccprof_wait_locks_start(void)
{
    ALL(CCPROF_WAIT_SET);
    CCPROF_WAIT_SET(int, sem_getvalue)
}

ccprof_hooks_function ccprof_wait_locks_find(const char *wanted)
{
    ALL(CCPROF_WAIT_FIND)
    return NULL;
}
