#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cpu line of a program that ends long before the kernel's next tick: while a timer
# on the process's clock is armed, Linux brings that clock up to date at ticks alone.
. "$SRC/testsuite/lib.sh"

cat >short.c <<'END'
#include <stdio.h>
#include <time.h>

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(void)
{
    volatile unsigned x = 1;
    long start = now();
    while (now() - start < 300000)
        x = x * 3 + 1;
    printf("%ld\n", now() - start);
    return 0;
}
END
"$CC" -O2 -fplugin="$PLUGIN" short.c -o short

# Another program may take the processor.
short() {
    echo "$(./short) ns on the clock"
    lies 150000 "$(sed -n 's/^cpu //p' mlmon.out)" 1e9 cpu
}
decide short
