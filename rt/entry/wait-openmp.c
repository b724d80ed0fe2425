/* SPDX-License-Identifier: MIT */
/* Replaces functions of libgomp, whose names and parameters are those of libgomp_g.h and
   omp.h in GCC's sources. Owns the addresses of the functions. The program's threads call
   the replacements. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "rt/entry/wait-calls.h"

/* The functions: X(result, name, (parameters), (arguments)). libgomp has no header that
   declares them, and it is no part of libc, so macros of wait-calls.h do not fit. */
#define OPENMP_BODY   void (*body)(void *), void *data, unsigned threads
#define OPENMP_LOOP   OPENMP_BODY, long from, long to, long step
#define OPENMP_VALUES body, data, threads, from, to, step
#define OPENMP_CHUNKS(X, name)                                                           \
    X(void, GOMP_parallel_loop_##name, (OPENMP_LOOP, long chunk, unsigned flags),        \
      (OPENMP_VALUES, chunk, flags))
#define OPENMP_RUNTIME(X, name)                                                          \
    X(void, GOMP_parallel_loop_##name, (OPENMP_LOOP, unsigned flags),                    \
      (OPENMP_VALUES, flags))

#define OPENMP_FUNCTIONS(X)                                                              \
    X(void, GOMP_barrier, (void), ())                                                    \
    X(bool, GOMP_barrier_cancel, (void), ())                                             \
    X(void, GOMP_loop_end, (void), ())                                                   \
    X(bool, GOMP_loop_end_cancel, (void), ())                                            \
    X(void, GOMP_sections_end, (void), ())                                               \
    X(bool, GOMP_sections_end_cancel, (void), ())                                        \
    X(void *, GOMP_single_copy_start, (void), ())                                        \
    X(void, GOMP_critical_start, (void), ())                                             \
    X(void, GOMP_critical_name_start, (void **lock), (lock))                             \
    X(void, GOMP_atomic_start, (void), ())                                               \
    X(void, GOMP_ordered_start, (void), ())                                              \
    X(void, GOMP_taskwait, (void), ())                                                   \
    X(void, GOMP_taskgroup_end, (void), ())                                              \
    X(void, omp_set_lock, (void *lock), (lock))                                          \
    X(void, omp_set_nest_lock, (void *lock), (lock))                                     \
    X(void, omp_set_lock_, (void *lock), (lock))                                         \
    X(void, omp_set_nest_lock_, (void *lock), (lock))                                    \
    X(void, GOMP_parallel_end, (void), ())                                               \
    X(void, GOMP_parallel, (OPENMP_BODY, unsigned flags), (body, data, threads, flags))  \
    X(unsigned, GOMP_parallel_reductions, (OPENMP_BODY, unsigned flags),                 \
      (body, data, threads, flags))                                                      \
    X(void, GOMP_parallel_sections, (OPENMP_BODY, unsigned count, unsigned flags),       \
      (body, data, threads, count, flags))                                               \
    OPENMP_CHUNKS(X, static)                                                             \
    OPENMP_CHUNKS(X, dynamic)                                                            \
    OPENMP_CHUNKS(X, guided)                                                             \
    OPENMP_CHUNKS(X, nonmonotonic_dynamic)                                               \
    OPENMP_CHUNKS(X, nonmonotonic_guided)                                                \
    OPENMP_RUNTIME(X, runtime)                                                           \
    OPENMP_RUNTIME(X, nonmonotonic_runtime)                                              \
    OPENMP_RUNTIME(X, maybe_nonmonotonic_runtime)

static void openmp_end(struct ccprof_wait *wait)
{
    ccprof_wait_end(wait, false);
}

#define REPLACE(result, name, parameters, arguments)                                     \
    static result(*libgomp_##name) parameters;                                           \
    static result openmp_##name parameters                                               \
    {                                                                                    \
        struct ccprof_wait wait __attribute__((cleanup(openmp_end)));                    \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_OPENMP, 0);                                 \
        return libgomp_##name arguments;                                                 \
    }
OPENMP_FUNCTIONS(REPLACE)

void ccprof_wait_openmp_start(void)
{
#define FIND(result, name, parameters, arguments)                                        \
    *(void **)&libgomp_##name = dlsym(RTLD_DEFAULT, #name);
    OPENMP_FUNCTIONS(FIND)
}

ccprof_hooks_function ccprof_wait_openmp_find(const char *name)
{
    if (strncmp(name, "GOMP_", 5) != 0 && strncmp(name, "omp_", 4) != 0)
        return NULL;
#define RETURN(result, function, parameters, arguments)                                  \
    if (libgomp_##function && strcmp(name, #function) == 0)                              \
        return (ccprof_hooks_function)openmp_##function;
    OPENMP_FUNCTIONS(RETURN)
    return NULL;
}
