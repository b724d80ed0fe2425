// SPDX-License-Identifier: GPL-3.0-or-later
// Half of the time in a shared object, the other half when that has been unloaded.

#include <dlfcn.h>
#include <stdio.h>
#include "kernel.h"

typedef uint64_t Work(uint64_t x, long steps);

volatile uint64_t two_sink;

__attribute__((noinline)) static uint64_t after(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_GAMMA, steps);
    return x;
}

// CPU time of 0.2 s.
#define TAKE_TURNS(x, work)                                                              \
    for (double end = KERNEL_SECONDS() + 0.2; KERNEL_SECONDS() < end;)                   \
    (x) = work(x, 100000)

int main(void)
{
    void *library = dlopen("./libalpha.so", RTLD_NOW);
    Work *alpha = library ? (Work *)dlsym(library, "alpha") : NULL;
    uint64_t x = 1;
    if (!alpha) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    TAKE_TURNS(x, alpha);
    dlclose(library);
    TAKE_TURNS(x, after);
    two_sink = x;
    return 0;
}
