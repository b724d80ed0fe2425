// SPDX-License-Identifier: GPL-3.0-or-later
// Two functions in units of their own, each with all of its work in a helper that is
// inlined there: -DPART_alpha, where nobody calls unused, and -DPART_beta; the program
// that is linked with them, and with -DPART_open one that opens them at run time. With
// -DPART_unload half of the time is in libalpha.so, the other half when that has been
// unloaded.

#include "two.h"

uint64_t alpha(uint64_t x, long steps);
uint64_t beta(uint64_t x, long steps);
uint64_t unused(uint64_t x, long steps);

#ifdef PART_alpha

static inline uint64_t alpha_work(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

uint64_t alpha(uint64_t x, long steps)
{
    return alpha_work(x, steps) + 1;
}

uint64_t unused(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_GAMMA, steps);
    return x;
}

#elif defined PART_beta

static inline uint64_t beta_work(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

uint64_t beta(uint64_t x, long steps)
{
    return beta_work(x, steps) + 1;
}

#else

#include <dlfcn.h>
#include <stdlib.h>

volatile uint64_t two_sink;

typedef uint64_t work(uint64_t x, long steps);

static inline work *open_one(void **library, const char *file, const char *name)
{
    *library = dlopen(file, RTLD_NOW);
    work *found = *library ? (work *)dlsym(*library, name) : NULL;
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

#ifdef PART_unload
// 0.2 s of CPU time.
static uint64_t take_turns(work *of)
{
    uint64_t x = 1;
    for (double end = KERNEL_SECONDS() + 0.2; KERNEL_SECONDS() < end;)
        x = of(x, 100000);
    return x;
}

__attribute__((noinline)) static uint64_t after(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_GAMMA, steps);
    return x;
}
#endif

int main(void)
{
#if defined PART_open || defined PART_unload
    void *library;
    work *alpha = open_one(&library, "./libalpha.so", "alpha");
#endif
#ifdef PART_unload
    two_sink = take_turns(alpha);
    dlclose(library);
    two_sink = take_turns(after);
#else
#ifdef PART_open
    work *beta = open_one(&library, "./libbeta.so", "beta");
#endif
    TWO_RUN(alpha, beta);
#endif
    return 0;
}

#endif
