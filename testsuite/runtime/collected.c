/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collected WHAT [N]: processes that write into a folder: `fork N' makes N children, a
   few of them at a time, each with one of its own; `again N' starts itself again so
   often; `away' changes its folder; `clear' takes the folder that $GONE names away before
   it ends.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

#define AT_ONCE 8

static void child(void)
{
    burn(0.001);
    pid_t own = fork();
    if (own == 0)
        _exit(0);
    if (own < 0 || waitpid(own, NULL, 0) != own)
        abort();
    exit(0);
}

static void forks(int count)
{
    int running = 0;
    for (int i = 0; i < count; i++) {
        if (running++ == AT_ONCE)
            wait(NULL);
        pid_t made = fork();
        if (made == 0)
            child();
        if (made < 0)
            abort();
    }
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int count = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(what, "fork") == 0) {
        forks(count);
    } else if (strcmp(what, "again") == 0 && count > 0) {
        char left[16];
        burn(0.05); /* what is written before exec is what was sampled */
        snprintf(left, sizeof left, "%d", count - 1);
        execl(argv[0], argv[0], what, left, (char *)0);
        abort();
    } else if (strcmp(what, "away") == 0) {
        if (chdir("/") != 0)
            abort();
    } else if (strcmp(what, "clear") == 0) {
        if (rmdir(getenv("GONE")) != 0)
            abort();
    }
    return 0;
}
