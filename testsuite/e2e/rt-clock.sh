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

# A tick may come, and another program may take the processor: four of five must be right.
good=0
for run in 1 2 3 4 5; do
    wall=$(./short)
    cpu=$(sed -n 's/^cpu //p' mlmon.out)
    echo "run $run: $wall ns on the clock, cpu $cpu"
    [ "$cpu" -lt 150000 ] || good=$((good + 1))
done
[ "$good" -ge 4 ] || { echo "FAIL: only $good of 5 runs have their CPU time"; exit 1; }
