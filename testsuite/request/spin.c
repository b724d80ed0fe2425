/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works until the file `go' exists; then ends, executes sleep, or forks and works, as its
   argument says. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile double sink;

__attribute__((noinline)) double hot(double a)
{
    for (int i = 0; i < 100000; i++)
        a += a * .5 + i;
    return a;
}

__attribute__((noinline)) double cold(double a)
{
    for (int i = 0; i < 10000; i++)
        a += a * .25 + i;
    return a;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    puts("ready");
    fflush(stdout);
    for (int forked = 0;;) {
        sink = cold(hot(sink));
        if (forked || access("go", F_OK))
            continue;
        if (!strcmp(what, "exec"))
            execlp("sleep", "sleep", "1000", (char *)NULL);
        if (strcmp(what, "fork"))
            return 0;
        forked = 1;
        if (!fork())
            return 0;
        puts("forked");
        fflush(stdout);
    }
}
