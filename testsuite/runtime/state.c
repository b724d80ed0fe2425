/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state [SECONDS]: prints what the program can see of its own state, before and after so
   much CPU time. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "burn.h"

static int errno_at_start, error_at_start;

static __attribute__((constructor)) void look(void)
{
    errno_at_start = errno;
    error_at_start = dlerror() != NULL;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 0.01;
    sigset_t mask;
    printf("errno %d dlerror %d\n", errno_at_start, error_at_start);
    int fd = dup(0);
    printf("descriptor %d\n", fd);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int i = 1; i < 32; i++)
        if (sigismember(&mask, i))
            printf("blocked %d\n", i);
    printf("environment %s\n", getenv("LD_PRELOAD") ? "changed" : "as it was");
    burn(seconds);
    errno = 77;
    burn(seconds);
    printf("errno %d\n", errno);
    fflush(stdout);
    return 5;
}
