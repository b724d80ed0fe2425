// SPDX-License-Identifier: GPL-3.0-or-later
// Opens alpha and beta at run time.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "two.h"

typedef uint64_t Work(uint64_t x, long steps);

volatile uint64_t two_sink;

static Work *open_one(const char *file, const char *name)
{
    void *library = dlopen(file, RTLD_NOW);
    Work *work = library ? (Work *)dlsym(library, name) : NULL;

    if (!work) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return work;
}

int main(void)
{
    Work *alpha = open_one("./libalpha.so", "alpha");
    Work *beta = open_one("./libbeta.so", "beta");

    TWO_RUN(alpha, beta);
    return 0;
}
