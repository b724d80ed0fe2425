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

/* The functions, by their parameters: X(result, name, (parameters), (arguments)), and Y
   without a result. */
#define OPENMP_BODY   void (*body)(void *), void *data, unsigned threads
#define OPENMP_LOOP   OPENMP_BODY, long from, long to, long step
#define OPENMP_VALUES body, data, threads, from, to, step

#define OPENMP_FUNCTIONS(X, Y)                                                           \
    Y(GOMP_barrier, (void), ())                                                          \
    X(bool, GOMP_barrier_cancel, (void), ())                                             \
    Y(GOMP_loop_end, (void), ())                                                         \
    X(bool, GOMP_loop_end_cancel, (void), ())                                            \
    Y(GOMP_sections_end, (void), ())                                                     \
    X(bool, GOMP_sections_end_cancel, (void), ())                                        \
    X(void *, GOMP_single_copy_start, (void), ())                                        \
    Y(GOMP_critical_start, (void), ())                                                   \
    Y(GOMP_critical_name_start, (void **lock), (lock))                                   \
    Y(GOMP_atomic_start, (void), ())                                                     \
    Y(GOMP_ordered_start, (void), ())                                                    \
    Y(GOMP_taskwait, (void), ())                                                         \
    Y(GOMP_taskgroup_end, (void), ())                                                    \
    Y(omp_set_lock, (void *lock), (lock))                                                \
    Y(omp_set_nest_lock, (void *lock), (lock))                                           \
    Y(omp_set_lock_, (void *lock), (lock))                                               \
    Y(omp_set_nest_lock_, (void *lock), (lock))                                          \
    Y(GOMP_parallel_end, (void), ())                                                     \
    Y(GOMP_parallel, (OPENMP_BODY, unsigned flags), (body, data, threads, flags))        \
    X(unsigned, GOMP_parallel_reductions, (OPENMP_BODY, unsigned flags),                 \
      (body, data, threads, flags))                                                      \
    Y(GOMP_parallel_sections, (OPENMP_BODY, unsigned count, unsigned flags),             \
      (body, data, threads, count, flags))                                               \
    Y(GOMP_parallel_loop_static, (OPENMP_LOOP, long chunk, unsigned flags),              \
      (OPENMP_VALUES, chunk, flags))                                                     \
    Y(GOMP_parallel_loop_dynamic, (OPENMP_LOOP, long chunk, unsigned flags),             \
      (OPENMP_VALUES, chunk, flags))                                                     \
    Y(GOMP_parallel_loop_guided, (OPENMP_LOOP, long chunk, unsigned flags),              \
      (OPENMP_VALUES, chunk, flags))                                                     \
    Y(GOMP_parallel_loop_nonmonotonic_dynamic,                                           \
      (OPENMP_LOOP, long chunk, unsigned flags), (OPENMP_VALUES, chunk, flags))          \
    Y(GOMP_parallel_loop_nonmonotonic_guided, (OPENMP_LOOP, long chunk, unsigned flags), \
      (OPENMP_VALUES, chunk, flags))                                                     \
    Y(GOMP_parallel_loop_runtime, (OPENMP_LOOP, unsigned flags), (OPENMP_VALUES, flags)) \
    Y(GOMP_parallel_loop_nonmonotonic_runtime, (OPENMP_LOOP, unsigned flags),            \
      (OPENMP_VALUES, flags))                                                            \
    Y(GOMP_parallel_loop_maybe_nonmonotonic_runtime, (OPENMP_LOOP, unsigned flags),      \
      (OPENMP_VALUES, flags))

#define POINTER_Y(name, parameters, arguments) static void(*libgomp_##name) parameters;
#define POINTER_X(result, name, parameters, arguments)                                   \
    static result(*libgomp_##name) parameters;
OPENMP_FUNCTIONS(POINTER_X, POINTER_Y)

#define REPLACE_Y(name, parameters, arguments)                                           \
    static void openmp_##name parameters                                                 \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_OPENMP, 0);                                 \
        libgomp_##name arguments;                                                        \
        ccprof_wait_end(&wait, false);                                                   \
    }
#define REPLACE_X(result, name, parameters, arguments)                                   \
    static result openmp_##name parameters                                               \
    {                                                                                    \
        struct ccprof_wait wait;                                                         \
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_OPENMP, 0);                                 \
        result returned = libgomp_##name arguments;                                      \
        ccprof_wait_end(&wait, false);                                                   \
        return returned;                                                                 \
    }
OPENMP_FUNCTIONS(REPLACE_X, REPLACE_Y)

void ccprof_wait_openmp_start(void)
{
#define FIND_Y(name, parameters, arguments)                                              \
    *(void **)&libgomp_##name = dlsym(RTLD_DEFAULT, #name);
#define FIND_X(result, name, parameters, arguments) FIND_Y(name, parameters, arguments)
    OPENMP_FUNCTIONS(FIND_X, FIND_Y)
}

ccprof_hooks_function ccprof_wait_openmp_find(const char *name)
{
    if (strncmp(name, "GOMP_", 5) != 0 && strncmp(name, "omp_", 4) != 0)
        return NULL;
#define RETURN_Y(function, parameters, arguments)                                        \
    if (libgomp_##function && strcmp(name, #function) == 0)                              \
        return (ccprof_hooks_function)openmp_##function;
#define RETURN_X(result, function, parameters, arguments)                                \
    RETURN_Y(function, parameters, arguments)
    OPENMP_FUNCTIONS(RETURN_X, RETURN_Y)
    return NULL;
}
