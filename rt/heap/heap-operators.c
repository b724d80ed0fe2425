/* SPDX-License-Identifier: MIT */
/* Calls the allocator's operators and counts what they do.  Owns the list of them. Called
   wherever the program calls an operator, in any thread; the constructor calls start.

   An operator new may throw: nothing is held while it runs.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "rt/heap/heap-operators.h"
#include "rt/heap/heap-filter.h"
#include "rt/heap/heap.h"
#include "rt/unwind/cpu.h"

/* All have at most three arguments, the size or the block first; those that an operator
   does not have do no harm.  */
typedef void *(*operators_function)(uintptr_t first, uintptr_t second, uintptr_t third);

/* The names of all forms: plain and of arrays, each that gives null in place of an
   exception, with an alignment, and for delete with a size.  */
#define OPERATORS_NEW(X)                                                                 \
    X(0, "_Znwm")                                                                        \
    X(1, "_Znam")                                                                        \
    X(2, "_ZnwmRKSt9nothrow_t")                                                          \
    X(3, "_ZnamRKSt9nothrow_t")                                                          \
    X(4, "_ZnwmSt11align_val_t")                                                         \
    X(5, "_ZnamSt11align_val_t")                                                         \
    X(6, "_ZnwmSt11align_val_tRKSt9nothrow_t")                                           \
    X(7, "_ZnamSt11align_val_tRKSt9nothrow_t")
#define OPERATORS_DELETE(X)                                                              \
    X(8, "_ZdlPv")                                                                       \
    X(9, "_ZdaPv")                                                                       \
    X(10, "_ZdlPvm")                                                                     \
    X(11, "_ZdaPvm")                                                                     \
    X(12, "_ZdlPvRKSt9nothrow_t")                                                        \
    X(13, "_ZdaPvRKSt9nothrow_t")                                                        \
    X(14, "_ZdlPvSt11align_val_t")                                                       \
    X(15, "_ZdaPvSt11align_val_t")                                                       \
    X(16, "_ZdlPvmSt11align_val_t")                                                      \
    X(17, "_ZdaPvmSt11align_val_t")                                                      \
    X(18, "_ZdlPvSt11align_val_tRKSt9nothrow_t")                                         \
    X(19, "_ZdaPvSt11align_val_tRKSt9nothrow_t")

enum { OPERATORS = 20 };

/* The operators of the allocator.  */
static operators_function own[OPERATORS];

/* Only the frame of this function is between the program's and what the walk begins with:
   a jump leads here.  */
static __attribute__((noinline)) void *
operators_new(uintptr_t size, uintptr_t second, uintptr_t third, operators_function call)
{
    uint64_t registers[CCPROF_CPU_REGISTERS];
    bool hit = ccprof_heap_hits(size);
    void *at = call(size, second, third);

    if (!at || !hit || !ccprof_heap_enter())
        return at;
    uint64_t pc = ccprof_cpu_caller(registers);
    ccprof_heap_made(at, size, NULL, false, pc, registers);
    ccprof_heap_leave();
    return at;
}

static __attribute__((noinline)) void
operators_delete(uintptr_t at, uintptr_t second, uintptr_t third, operators_function call)
{
    if (at && ccprof_heap_enter()) {
        ccprof_heap_freed((const void *)at);
        ccprof_heap_leave();
    }
    call(at, second, third);
}

#define OPERATORS_DEFINE_NEW(number, name)                                               \
    static void *operators_##number(uintptr_t size, uintptr_t second, uintptr_t third)   \
    {                                                                                    \
        return ccprof_heap_samples_pass(size)                                            \
                   ? own[number](size, second, third)                                    \
                   : operators_new(size, second, third, own[number]);                    \
    }
#define OPERATORS_DEFINE_DELETE(number, name)                                            \
    static void operators_##number(uintptr_t at, uintptr_t second, uintptr_t third)      \
    {                                                                                    \
        ccprof_heap_samples_free((const void *)at);                                      \
        if (ccprof_heap_filter_may((const void *)at))                                    \
            operators_delete(at, second, third, own[number]);                            \
        else                                                                             \
            own[number](at, second, third);                                              \
    }
OPERATORS_NEW(OPERATORS_DEFINE_NEW)
OPERATORS_DELETE(OPERATORS_DEFINE_DELETE)

#define OPERATORS_ENTRY(number, name)                                                    \
    [number] = {name, (void (*)(void))operators_##number},
static const struct {
    const char *name;
    void (*function)(void);
} operators[OPERATORS] = {OPERATORS_NEW(OPERATORS_ENTRY)
                              OPERATORS_DELETE(OPERATORS_ENTRY)};

/* One of those that the allocator has, or null.  */
static const void *home;

/* Whether both are in one module.  */
static bool operators_are_together(void *one, void *other)
{
    Dl_info of_one, of_other;

    return one && other && dladdr(one, &of_one) && dladdr(other, &of_other) &&
           of_one.dli_fbase == of_other.dli_fbase;
}

void ccprof_heap_operators_start(void)
{
    void *allocator = dlsym(RTLD_DEFAULT, "malloc");

    for (unsigned i = 0; i < OPERATORS; i++) {
        void *found = dlsym(RTLD_DEFAULT, operators[i].name);
        if (operators_are_together(found, allocator)) {
            own[i] = (operators_function)found;
            home = found;
        }
    }
    /* The first call gives the text of what was not found, the second one frees it.  */
    dlerror();
    dlerror();
}

const void *ccprof_heap_operators_home(void)
{
    return home;
}

void (*ccprof_heap_operators_find(const char *name))(void)
{
    if (strncmp(name, "_Zn", 3) != 0 && strncmp(name, "_Zd", 3) != 0)
        return NULL;
    for (unsigned i = 0; i < OPERATORS; i++)
        if (own[i] && strcmp(name, operators[i].name) == 0)
            return operators[i].function;
    return NULL;
}
